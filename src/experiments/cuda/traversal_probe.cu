#include <algorithm>
#include <cstring>
#include <optional>

#include "backends/cuda/cuda_context.cuh"
#include "experiments/cuda/traversal_kernels.cuh"
#include "schedulers/parts/bounce_steps.h"

namespace warpath::experiments {
namespace {

/// A ray of the list as the renderer's stages have it under way (TraceCursor of render/stages/trace.h), without paths: either query, by the entry, and counters.
class StageCursor {
  public:
    __device__ StageCursor(const TraceJob<BvhView>& job, TraversalStack& stack) : job_(job), walk_(stack) {}

    __device__ void begin(uint32_t ray, StageId) {
        cost_ = {};
        walk_.begin(job_.tree, load_wide(job_.rays + ray));
    }
    __device__ bool done() const { return walk_.done(); }
    __device__ void step(uint32_t, StageId stage) { walk_.step(job_.tree, AcceptAll{}, cost_, EitherQuery{stage == StageId::Occlude}); }
    template <class Ctx>
    __device__ StageId finish(Ctx& ctx, uint32_t ray, StageId stage) const {
        ctx.count(Counter::NodeSteps, cost_.node_steps);
        ctx.count(Counter::TriangleTests, cost_.triangle_tests);
        ctx.count(Counter::AlphaTests, cost_.alpha_tests);
        ctx.count(Counter::NodeGroupSteps, cost_.node_group_steps);
        ctx.count(Counter::TriangleGroupTests, cost_.triangle_group_tests);
        if (stage == StageId::Occlude)
            job_.occluded[ray] = walk_.found();
        else
            store_wide(job_.hits + ray, walk_.result());
        return StageId::Shade;
    }

  private:
    const TraceJob<BvhView>& job_;
    RayCursor<EitherQuery> walk_;
    TraversalCost cost_;
};

/// What TraceStep asks of its stages.
struct ListStages {
    TraceJob<BvhView> job;
    using Cursor = StageCursor;
    using CursorStack = TraversalStack;
    __device__ Cursor trace_cursor(CursorStack& stack) const { return Cursor(job, stack); }
};
using ListStep = TraceStep<ListStages>;

/// Every triangle against a few rays; positive doubles are ordered as their bits are.
__global__ void exact_kernel(const Vec3* soup, uint32_t num_triangles, const Ray* rays, const uint32_t* chosen, unsigned long long* nearest) {
    const Ray ray = rays[chosen[blockIdx.y]];
    double best = infinity;
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < num_triangles; i += gridDim.x * blockDim.x) {
        const double t = exact_distance(ray, soup + size_t{3} * i);
        if (t >= ray.t_min && t < ray.t_max && t < best) best = t;
    }
    atomicMin(nearest + blockIdx.y, static_cast<unsigned long long>(__double_as_longlong(best)));
}

/// A scene's tree on the device.
struct DeviceTree {
    DeviceArray<BvhNode> nodes;
    DeviceArray<BvhTriangle> triangles;
    DeviceArray<PlainTriangle> plain_triangles;
    explicit DeviceTree(const TraversalTree& tree)
        : nodes(tree.nodes.size()), triangles(std::max<size_t>(1, tree.triangles.size())), plain_triangles(tree.plain_triangles.size()) {
        nodes.upload(tree.nodes), triangles.upload(tree.triangles), plain_triangles.upload(tree.plain_triangles);
    }
    BvhView view() {
        BvhView view;
        view.nodes = {nodes.data(), static_cast<uint32_t>(nodes.size())};
        view.triangles = {triangles.data(), static_cast<uint32_t>(triangles.size())};
        return view;
    }
    PlainView plain_view() { return {nodes.data(), plain_triangles.data()}; }
};

/// Rays, what becomes of them, and where their results come back to.
struct DeviceRays {
    size_t num;
    DeviceArray<Ray> rays;
    DeviceArray<Hit> hits;
    DeviceArray<uint32_t> occluded;
    MappedArray<Hit> host;  ///< pinned; also for the words of `occluded`
    explicit DeviceRays(size_t n) : num(n), rays(n), hits(n), occluded(n), host(n) {}
};

/// TraceStep's lists and what a launch of it needs beside the ray list.
struct StepBuffers {
    DeviceArray<uint32_t> queues;  ///< the first one holds the rays
    DeviceArray<uint64_t> control, counters, words;
    explicit StepBuffers(size_t num_rays)
        : queues(BouncePool::num_queues * num_rays), control(num_bounce_words), counters(size_t{counter_copies} * num_counter_words), words(4) {}
};

class CudaTraversalProbe final : public TraversalProbe {
  public:
    explicit CudaTraversalProbe(int device) : num_sms_((use_device(device), static_cast<unsigned>(num_multiprocessors(device)))), kernels_(bare_kernels()), head_(1), totals_(1) {
        cycles_per_ms_ = 1e3 * cycles_per_us();
    }

    std::vector<TraversalKernel> kernels() const override {
        std::vector<TraversalKernel> list;
        for (const TraceKernel& kernel : kernels_) list.push_back(kernel.description);
        list.push_back({.name = "warpath, step of launch-async"});
        return list;
    }
    KernelResources resources(size_t kernel, bool any) const override {
        const void* function = is_step(kernel) ? reinterpret_cast<const void*>(run_kernel<ListStep>) : function_of(kernels_[kernel], any);
        cudaFuncAttributes attributes{};
        cuda_check(cudaFuncGetAttributes(&attributes, function), "asking for a kernel's attributes");
        return {attributes.numRegs, static_cast<int>(attributes.localSizeBytes), static_cast<int>(blocks_per_sm(function, is_step(kernel) ? step_bytes : 0) * trace_block_threads / 32)};
    }
    double issue_slots_per_ms() const override { return cycles_per_ms_ * num_sms_ * 4; }

    void set_scene(const TraversalScene& scene, const std::vector<TraversalTree>& trees) override {
        trees_.clear();
        for (const TraversalTree& tree : trees) trees_.push_back(std::make_unique<DeviceTree>(tree));
        soup_.emplace(scene.soup.size());
        soup_->upload(scene.soup);
    }
    void trace(const std::vector<Ray>& rays, std::vector<Hit>& hits) override {
        hits.clear();
        if (rays.empty()) return;
        make_room(rays.size());
        any_ = false, rays_->num = rays.size();
        rays_->rays.upload(rays);
        launch(kernels_[0], 0, nullptr);
        hits = rays_->hits.download(rays.size());
    }
    void set_rays(const std::vector<Ray>& rays, bool any, bool from_camera) override {
        make_room(rays.size());
        any_ = any, from_camera_ = from_camera, rays_->num = rays.size();
        rays_->rays.upload(rays);
        std::vector<uint32_t> entries(rays.size());
        for (size_t i = 0; i < entries.size(); ++i) entries[i] = trace_entry(static_cast<uint32_t>(i), any ? StageId::Occlude : StageId::Intersect);
        step_->queues.upload(entries);
    }
    double run_ms(size_t kernel, size_t tree) override {
        if (is_step(kernel)) reset_step();
        begin_.record(stream_);
        launch_any(kernel, tree);
        end_.record(stream_);
        end_.synchronize();
        return ms_between(begin_, end_);
    }
    TraversalResults results(size_t kernel, size_t tree) override {
        rays_->hits.fill(0xee), rays_->occluded.fill(0xee);
        run_ms(kernel, tree);
        const size_t bytes = rays_->num * (any_ ? sizeof(uint32_t) : sizeof(Hit));
        const void* from = any_ ? static_cast<const void*>(rays_->occluded.data()) : rays_->hits.data();
        cuda_check(cudaMemcpy(rays_->host.host(), from, bytes, cudaMemcpyDeviceToHost), "reading device memory");
        return {any_ ? nullptr : rays_->host.host(), any_ ? reinterpret_cast<const uint32_t*>(rays_->host.host()) : nullptr};
    }
    TraversalTotals totals(size_t kernel, size_t tree) override {
        if (is_step(kernel)) return step_totals(tree);
        totals_.clear();
        const uint32_t below = kernels_[kernel].refill_below;
        launch(kernels_[kernel].description.plain ? plain_kernel<8, true>({}, below) : warpath_kernel<7, true>({}, below), tree, totals_.data());
        return totals_.download().front();
    }
    std::vector<double> exact_distances(const std::vector<uint32_t>& rays) override {
        std::vector<double> nearest;
        constexpr size_t most_at_once = 1024;
        for (size_t first = 0; first < rays.size(); first += most_at_once) {
            const std::vector<uint32_t> part(rays.begin() + static_cast<ptrdiff_t>(first), rays.begin() + static_cast<ptrdiff_t>(std::min(rays.size(), first + most_at_once)));
            DeviceArray<uint32_t> chosen(part.size());
            chosen.upload(part);
            DeviceArray<unsigned long long> bits(part.size());
            bits.fill(0x7f);
            exact_kernel<<<dim3(64, static_cast<unsigned>(part.size())), 256, 0, stream_>>>(soup_->data(), static_cast<uint32_t>(soup_->size() / 3), rays_->rays.data(), chosen.data(),
                                                                                            bits.data());
            cuda_check(cudaGetLastError(), "launching a kernel");
            for (const unsigned long long word : bits.download()) {
                double t;
                memcpy(&t, &word, sizeof t);
                nearest.push_back(t < 1e30 ? t : infinity);
            }
        }
        return nearest;
    }

  private:
    static constexpr size_t step_bytes = sizeof(uint32_t) * CudaContext::shared_words(trace_block_threads / warp_size);

    bool is_step(size_t kernel) const { return kernel == kernels_.size(); }
    static const void* function_of(const TraceKernel& kernel, bool any) {
        return kernel.description.plain ? reinterpret_cast<const void*>(kernel.plain[any]) : reinterpret_cast<const void*>(kernel.warpath[any]);
    }
    static unsigned blocks_per_sm(const void* function, size_t shared_bytes) {
        int blocks = 0;
        cuda_check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, trace_block_threads, shared_bytes), "asking for the occupancy of a kernel");
        return static_cast<unsigned>(std::max(blocks, 1));
    }
    /// Nothing is freed while it may be in use: all work has been waited for.
    void make_room(size_t num_rays) {
        if (rays_ && rays_->rays.size() >= num_rays) return;
        rays_.reset(), step_.reset();
        rays_.emplace(num_rays), step_.emplace(num_rays);
    }
    template <class View>
    TraceJob<View> job(const View& tree, uint32_t refill_below, TraversalTotals* totals) {
        return {tree, rays_->rays.data(), rays_->num, rays_->hits.data(), rays_->occluded.data(), head_.data(), refill_below, totals};
    }
    /// Asynchronous.
    void launch(const TraceKernel& kernel, size_t tree, TraversalTotals* totals) {
        const unsigned all = static_cast<unsigned>((rays_->num + trace_block_threads - 1) / trace_block_threads);
        const unsigned grid = kernel.refill_below == 0 ? all : std::min(all, num_sms_ * blocks_per_sm(function_of(kernel, any_), 0));
        if (kernel.refill_below > 0) cuda_check(cudaMemsetAsync(head_.data(), 0, sizeof(uint64_t), stream_), "clearing a counter");
        if (kernel.description.plain)
            kernel.plain[any_]<<<grid, trace_block_threads, 0, stream_>>>(job(trees_[tree]->plain_view(), kernel.refill_below, totals));
        else
            kernel.warpath[any_]<<<grid, trace_block_threads, 0, stream_>>>(job(trees_[tree]->view(), kernel.refill_below, totals));
        cuda_check(cudaGetLastError(), "launching a kernel");
    }
    void launch_any(size_t kernel, size_t tree) {
        if (!is_step(kernel)) return launch(kernels_[kernel], tree, nullptr);
        const unsigned grid = num_sms_ * blocks_per_sm(reinterpret_cast<const void*>(run_kernel<ListStep>), step_bytes);
        SchedulePlan plan;
        plan.num_slots = static_cast<uint32_t>(rays_->num), plan.batch = warp_size, plan.refill_below = refill_below_lanes;
        const BouncePool pool({step_->queues.data(), step_->control.data(), nullptr}, plan);
        uint64_t* words = step_->words.data();
        CudaLaunchState state{};
        state.counters = step_->counters.data(), state.stop_level = reinterpret_cast<uint32_t*>(words), state.heartbeat = words + 1, state.stall = words + 2,
        state.host_stall = words + 3, state.num_groups = grid * trace_block_threads / warp_size;
        run_kernel<<<grid, trace_block_threads, step_bytes, stream_>>>(ListStep{{job(trees_[tree]->view(), refill_below_lanes, nullptr)}, pool}, state);
        cuda_check(cudaGetLastError(), "launching a kernel");
    }
    void reset_step() {
        std::vector<uint64_t> control(num_bounce_words);
        control[trace_count] = rays_->num;
        control[num_bounces] = from_camera_ ? 0 : 1;
        step_->control.upload(control);
    }
    TraversalTotals step_totals(size_t tree) {
        step_->counters.clear();
        run_ms(kernels_.size(), tree);
        const std::vector<uint64_t> words = step_->counters.download();
        const auto sum = [&](Counter id) {
            uint64_t all = 0;
            for (uint32_t copy = 0; copy < counter_copies; ++copy) all += words[size_t{copy} * num_counter_words + static_cast<size_t>(id)];
            return all;
        };
        return {sum(Counter::NodeSteps), sum(Counter::TriangleTests), sum(Counter::NodeGroupSteps), sum(Counter::TriangleGroupTests)};
    }

    unsigned num_sms_;
    double cycles_per_ms_ = 0;
    std::vector<TraceKernel> kernels_;
    cudaStream_t stream_ = nullptr;  ///< the one that copies and fills of DeviceArray go through too, so that all is in order
    Event begin_, end_;
    DeviceArray<uint64_t> head_;
    DeviceArray<TraversalTotals> totals_;
    std::vector<std::unique_ptr<DeviceTree>> trees_;
    std::optional<DeviceArray<Vec3>> soup_;
    std::optional<DeviceRays> rays_;
    std::optional<StepBuffers> step_;
    bool any_ = false, from_camera_ = false;
};

}  // namespace

std::unique_ptr<TraversalProbe> make_traversal_probe(int device) { return std::make_unique<CudaTraversalProbe>(device); }

}  // namespace warpath::experiments
