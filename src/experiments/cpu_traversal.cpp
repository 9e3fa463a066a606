#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <mutex>

#include "experiments/traversal_cursors.h"
#include "experiments/traversal_probe.h"

namespace warpath::experiments {
namespace {

/// One ray after another on every thread.
class CpuTraversalProbe final : public TraversalProbe {
  public:
    explicit CpuTraversalProbe(uint32_t num_threads) : arena_(num_threads ? static_cast<int>(num_threads) : tbb::task_arena::automatic) {}

    std::vector<TraversalKernel> kernels() const override {
        return {{.name = "plain", .plain = true, .is_baseline = true}, {.name = "warpath"}, {.name = "warpath, no SIMD"}};
    }
    KernelResources resources(size_t, bool) const override { return {}; }
    double issue_slots_per_ms() const override { return 0; }
    void set_scene(const TraversalScene& scene, const std::vector<TraversalTree>& trees) override { scene_ = &scene, trees_ = &trees; }

    void trace(const std::vector<Ray>& rays, std::vector<Hit>& hits) override {
        hits.resize(rays.size());
        const PlainView tree = trees_->front().plain_view();
        for_each_ray(rays.size(), [&](size_t i, TraversalCost& cost) { hits[i] = trace_ray<PlainTraversal<false>>(tree, rays[i], cost); });
    }
    void set_rays(const std::vector<Ray>& rays, bool any, bool) override {
        rays_ = rays, any_ = any;
        hits_.assign(any ? 0 : rays.size(), {});
        occluded_.assign(any ? rays.size() : 0, 0);
    }
    double run_ms(size_t kernel, size_t tree) override {
        const auto start = std::chrono::steady_clock::now();
        run(kernel, tree);
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    }
    TraversalResults results(size_t kernel, size_t tree) override {
        std::fill(hits_.begin(), hits_.end(), Hit{.t = -1, .prim_id = 0});
        std::fill(occluded_.begin(), occluded_.end(), ~0u);
        run(kernel, tree);
        return {any_ ? nullptr : hits_.data(), any_ ? occluded_.data() : nullptr};
    }
    TraversalTotals totals(size_t kernel, size_t tree) override { return run(kernel, tree); }
    std::vector<double> exact_distances(const std::vector<uint32_t>& rays) override {
        std::vector<double> nearest(rays.size(), infinity);
        for_each_ray(rays.size(), [&](size_t i, TraversalCost&) {
            const Ray& ray = rays_[rays[i]];
            for (size_t v = 0; v < scene_->soup.size(); v += 3) {
                const double t = exact_distance(ray, &scene_->soup[v]);
                if (t >= ray.t_min && t < ray.t_max) nearest[i] = std::min(nearest[i], t);
            }
        }, 1);
        return nearest;
    }

  private:
    template <class Body>
    TraversalTotals for_each_ray(size_t n, const Body& body, size_t part_size = 1024) {
        TraversalTotals sum;
        std::mutex mutex;
        arena_.execute([&] {
            tbb::parallel_for(size_t{0}, (n + part_size - 1) / part_size, [&](size_t part) {
                TraversalTotals own;
                for (size_t i = part * part_size; i < std::min(n, (part + 1) * part_size); ++i) {
                    TraversalCost cost;
                    body(i, cost);
                    own.add(cost);
                }
                const std::lock_guard lock(mutex);
                sum.node_steps += own.node_steps, sum.triangle_tests += own.triangle_tests;
                sum.node_group_steps += own.node_group_steps, sum.triangle_group_tests += own.triangle_group_tests;
            });
        });
        return sum;
    }
    template <template <bool> class Traversal, class View>
    TraversalTotals run_as(const View& tree) {
        if (any_) return for_each_ray(rays_.size(), [&](size_t i, TraversalCost& cost) { occluded_[i] = trace_ray<Traversal<true>>(tree, rays_[i], cost).prim_id != invalid_id; });
        return for_each_ray(rays_.size(), [&](size_t i, TraversalCost& cost) { hits_[i] = trace_ray<Traversal<false>>(tree, rays_[i], cost); });
    }
    template <bool any>
    using Native = WarpathTraversal<any, NativeTests>;
    template <bool any>
    using Scalar = WarpathTraversal<any, ScalarTests>;
    TraversalTotals run(size_t kernel, size_t tree) {
        const TraversalTree& chosen = (*trees_)[tree];
        if (kernel == 0) return run_as<PlainTraversal>(chosen.plain_view());
        return kernel == 1 ? run_as<Native>(chosen.view()) : run_as<Scalar>(chosen.view());
    }

    tbb::task_arena arena_;
    const TraversalScene* scene_ = nullptr;
    const std::vector<TraversalTree>* trees_ = nullptr;
    std::vector<Ray> rays_;
    std::vector<Hit> hits_;
    std::vector<uint32_t> occluded_;
    bool any_ = false;
};

}  // namespace

BvhView TraversalTree::view() const {
    BvhView view;
    view.nodes = {nodes.data(), static_cast<uint32_t>(nodes.size())};
    view.triangles = {triangles.data(), static_cast<uint32_t>(triangles.size())};
    return view;
}

std::unique_ptr<TraversalProbe> make_cpu_traversal_probe(uint32_t num_threads) { return std::make_unique<CpuTraversalProbe>(num_threads); }

}  // namespace warpath::experiments
