#include <benchmark/benchmark.h>

#include "bench_scene.h"

/// Triangles per second of BVH construction, on one thread and on all.
/// Axes:  scene (file arguments, boulders:10 for a generated scene of ten million triangles, or WARPATH_BENCH_SCENES;
/// else generated waves), preset,
///        threads.
namespace warpath::bench {
namespace {

void build(benchmark::State& state, const BenchScene& scene, BvhOptions options) {
    BvhStatistics statistics;
    for (auto _ : state) {
        const Bvh bvh = build_bvh(scene.triangle_view(), scene.position_view(), options);
        statistics = bvh.statistics;
    }
    state.counters["triangles/s"] =
        benchmark::Counter(double(scene.triangles.size()) * double(state.iterations()), benchmark::Counter::kIsRate);
    state.counters["SAH cost"] = statistics.sah_cost;
    state.counters["references"] = double(statistics.num_references);
    state.counters["peak MiB"] = double(statistics.peak_build_bytes) / double(1 << 20);
}

}  // namespace
}  // namespace warpath::bench

int main(int argc, char** argv) {
    using namespace warpath;
    const std::vector<bench::BenchScene> scenes = bench::load_scenes(argc, argv);
    for (const bench::BenchScene& scene : scenes) {
        for (const char* preset : {"fast", "balanced", "best"}) {
            for (const uint32_t threads : {1u, 0u}) {
                BvhOptions options = bvh_preset(*preset == 'f'     ? BvhPreset::Fast
                                                : preset[1] == 'a' ? BvhPreset::Balanced
                                                                   : BvhPreset::Best);
                options.num_threads = threads;
                const std::string name = scene.name + "/" + preset + (threads == 1 ? "/1 thread" : "/all threads");
                auto* b = benchmark::RegisterBenchmark(
                    name.c_str(), [&scene, options](benchmark::State& s) { bench::build(s, scene, options); });
                b->Unit(benchmark::kMillisecond)->MinTime(1.0);
                if (threads != 1) b->UseRealTime();
            }
        }
    }
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}
