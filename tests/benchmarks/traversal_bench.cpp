#include <benchmark/benchmark.h>
#include <time.h>

#include <limits>
#include <memory>

#include "bench_scene.h"
#include "bvh/wide_traverse.h"
#ifdef WARPATH_EMBREE_VERSION
#include "bvh/embree_scene.h"
#endif

/// Rays per second on one core, ours and Embree's in one process on the same rays.
/// Axes:  scene (file arguments or WARPATH_BENCH_SCENES; else generated waves), rays (primary, diffuse, shadow), query
///        (closest, any), tree (wide, as the CPU backend has it, or two-child) and its preset (plain: object splits alone; fast;
///        balanced), Embree (default, robust, AVX2 alone, or its build of high quality).
/// The two take turns on blocks of 4000 rays, each first in every other turn; each block counts with its fastest turn,
/// in time of the thread, so that other programs on the machine disturb both alike and little. `ratio` is our rate over
/// Embree's.
namespace warpath::bench {
namespace {

constexpr size_t block_size = 4000, max_blocks = 12;

double thread_seconds() {
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

struct Query {
    const char* name;
    const std::vector<Ray>& rays;
    bool any;
};

/// Ours.
struct Tracer {
    BvhView bvh;
    bool wide;

    bool hits(const Ray& ray, bool any, TraversalCost& cost) const {
        if (!wide)
            return any ? any_hit(bvh, ray, AcceptAll{}, cost)
                       : closest_hit(bvh, ray, AcceptAll{}, cost).prim_id != invalid_id;
        const Hit hit =
            any ? wide_hit<AnyQuery>(bvh, ray, AcceptAll{}, cost) : wide_hit<NearestQuery>(bvh, ray, AcceptAll{}, cost);
        return hit.prim_id != invalid_id;
    }
};

/// As many blocks as allowed, each from rays spread evenly over the set in their order.
std::vector<Ray> pick_blocks(const std::vector<Ray>& rays) {
    const size_t num_blocks = std::min(max_blocks, rays.size() / block_size);
    std::vector<Ray> picked;
    for (size_t b = 0; b < num_blocks; ++b) {
        const auto first = rays.begin() + static_cast<ptrdiff_t>(b * (rays.size() / num_blocks));
        picked.insert(picked.end(), first, first + block_size);
    }
    return picked;
}

template <class Trace>
void time_block(const Ray* rays, const Trace& trace, double& fastest, uint64_t& num_hits) {
    const double start = thread_seconds();
    for (size_t i = 0; i < block_size; ++i) num_hits += trace(rays[i]);
    fastest = std::min(fastest, thread_seconds() - start);
}

/// `peer` may be null: no Embree.
template <class Peer>
void traverse(benchmark::State& state, const Tracer& tracer, const Peer* peer, const std::vector<Ray>& all, bool any) {
    const std::vector<Ray> rays = pick_blocks(all);
    const size_t num_blocks = rays.size() / block_size;
    if (num_blocks == 0) return state.SkipWithError("too few rays");
    std::vector<double> ours(num_blocks, std::numeric_limits<double>::infinity()), theirs = ours;
    TraversalCost cost;
    uint64_t num_hits[2] = {}, num_traced = 0;
    bool ours_first = false;
    for (auto _ : state) {
        cost = {};
        ours_first = !ours_first;
        for (size_t b = 0; b < num_blocks; ++b) {
            const Ray* block = rays.data() + b * block_size;
            const auto run_ours = [&] {
                time_block(
                    block, [&](const Ray& r) { return tracer.hits(r, any, cost); }, ours[b], num_hits[0]);
            };
            const auto run_theirs = [&] {
                if (peer == nullptr) return;
                const auto closest = [&](const Ray& r) { return peer->closest_hit(r).prim_id != invalid_id; };
                const auto occluded = [&](const Ray& r) { return peer->any_hit(r); };
                any ? time_block(block, occluded, theirs[b], num_hits[1])
                    : time_block(block, closest, theirs[b], num_hits[1]);
            };
            if (ours_first) run_ours();
            run_theirs();
            if (!ours_first) run_ours();
        }
        num_traced += rays.size();
    }
    double our_time = 0.0, their_time = 0.0;
    for (size_t b = 0; b < num_blocks; ++b) our_time += ours[b], their_time += theirs[b];
    state.counters["Mrays/s"] = 1e-6 * double(rays.size()) / our_time;
    state.counters["nodes"] = double(cost.node_steps) / double(rays.size());
    state.counters["tests"] = double(cost.triangle_tests) / double(rays.size());
    state.counters["hits"] = double(num_hits[0]) / double(num_traced);
    if (peer == nullptr) return;
    state.counters["Embree"] = 1e-6 * double(rays.size()) / their_time;
    state.counters["ratio"] = their_time / our_time;
    state.counters["Embree hits"] = double(num_hits[1]) / double(num_traced);
}

/// A tree in both forms.
struct Tree {
    const char* name;
    Bvh bvh;
    WideBvh wide;

    Tree(const char* n, const BenchScene& s, const BvhOptions& options)
        : name(n), bvh(build_bvh(s.triangle_view(), s.position_view(), options)), wide(collapse(bvh.view())) {}
    BvhView view() const {
        BvhView v = bvh.view();
        wide.show_to(v);
        return v;
    }
};
/// A scene with everything that is traced in it.
struct Prepared {
    BenchScene scene;
    Tree trees[3];
    RaySets rays;
#ifdef WARPATH_EMBREE_VERSION
    testing::EmbreeScene fast, robust, avx2, split;
#endif

    explicit Prepared(BenchScene s)
        : scene(std::move(s)),
          trees{{"plain", scene, {}}, {"fast", scene, bvh_preset(BvhPreset::Fast)}, {"balanced", scene, bvh_preset(BvhPreset::Balanced)}},
          rays(make_rays(scene, trees[0].bvh.view(), 320, 180))
#ifdef WARPATH_EMBREE_VERSION
          ,
          fast(scene.triangle_view(), scene.position_view(), RTC_SCENE_FLAG_NONE),
          robust(scene.triangle_view(), scene.position_view(), RTC_SCENE_FLAG_ROBUST),
          avx2(scene.triangle_view(), scene.position_view(), RTC_SCENE_FLAG_NONE, RTC_BUILD_QUALITY_MEDIUM, "isa=avx2"),
          split(scene.triangle_view(), scene.position_view(), RTC_SCENE_FLAG_NONE, RTC_BUILD_QUALITY_HIGH)
#endif
    {
    }
};

#ifdef WARPATH_EMBREE_VERSION
using Peer = testing::EmbreeScene;
#else
struct Peer {
    Hit closest_hit(const Ray&) const { return {}; }
    bool any_hit(const Ray&) const { return false; }
};
#endif

void add(const std::string& name, const Tree& tree, const Query& query, bool wide, const Peer* peer) {
    const Tracer tracer{tree.view(), wide};
    benchmark::RegisterBenchmark(name.c_str(), [=, &rays = query.rays, any = query.any](
                                                   benchmark::State& s) { traverse(s, tracer, peer, rays, any); })
        ->Unit(benchmark::kMillisecond)
        ->Iterations(9);
}

void add_all(const std::string& name, const Prepared& p, const Query& query) {
#ifdef WARPATH_EMBREE_VERSION
    const Peer *fast = &p.fast, *robust = &p.robust, *avx2 = &p.avx2, *split = &p.split;
#else
    const Peer *fast = nullptr, *robust = nullptr, *avx2 = nullptr, *split = nullptr;
#endif
    for (const Tree& tree : p.trees) {
        const std::string wide = name + "/wide, " + tree.name;
        add(wide, tree, query, true, fast);
        add(wide + ", against AVX2", tree, query, true, avx2);
        add(wide + ", against high quality", tree, query, true, split);
    }
    add(name + "/wide, plain, against robust", p.trees[0], query, true, robust);
    add(name + "/two-child, plain", p.trees[0], query, false, fast);
}

}  // namespace
}  // namespace warpath::bench

int main(int argc, char** argv) {
    using namespace warpath;
    std::vector<std::unique_ptr<bench::Prepared>> prepared;
    for (bench::BenchScene& s : bench::load_scenes(argc, argv))
        prepared.push_back(std::make_unique<bench::Prepared>(std::move(s)));
    for (const auto& p : prepared) {
        const bench::Query queries[] = {
            {"primary/closest", p->rays.primary, false}, {"primary/any", p->rays.primary, true},
            {"diffuse/closest", p->rays.diffuse, false}, {"diffuse/any", p->rays.diffuse, true},
            {"shadow/closest", p->rays.shadow, false},   {"shadow/any", p->rays.shadow, true}};
        for (const bench::Query& query : queries) bench::add_all(p->scene.name + "/" + query.name, *p, query);
    }
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}
