#include <gtest/gtest.h>

#include "experiments/record_costs.h"
#include "experiments/schedule_bound.h"
#include "support/render_image.h"
#include "support/temporary_folder.h"
#include "synthetic_work.h"

namespace warpath::experiments {
namespace {

RenderOptions small_options() {
    RenderOptions options = testing::small_frame("cpu");
    options.width = 37, options.height = 23, options.spp = 2, options.max_depth = 6;
    return options;
}

uint64_t count_rays(const CostStream& stream, bool shadow) {
    return static_cast<uint64_t>(std::count_if(stream.rays.begin(), stream.rays.end(), [&](uint32_t ray) { return is_shadow_ray(ray) == shadow; }));
}

TEST(recording, holds_every_ray_and_step_that_the_renderer_counts) {
    for (const char* name : {"cornell.json", "many_lights.json", "imbalance.json"}) {
        const LoadedScene scene = testing::load_shipped_scene(name);
        const RenderOptions options = small_options();
        Counters recorded{};
        const CostStream stream = record_costs(scene, options, &recorded);
        const Counters rendered = testing::render_quietly(scene, options).counters;
        const auto counted = [&](Counter id) { return rendered[static_cast<size_t>(id)]; };
        EXPECT_EQ(stream.num_paths(), 37u * 23 * 2);
        // The renderer's own steps on the CPU are those of its wide tree.
        const auto recorded_count = [&](Counter id) { return recorded[static_cast<size_t>(id)]; };
        EXPECT_EQ(stream.total_steps(), recorded_count(Counter::NodeSteps) + recorded_count(Counter::TriangleTests)) << name;
        EXPECT_EQ(recorded_count(Counter::ShadedHits), counted(Counter::ShadedHits)) << name;
        EXPECT_EQ(count_rays(stream, false), counted(Counter::CameraRays) + counted(Counter::ExtensionRays)) << name;
        EXPECT_EQ(count_rays(stream, true), counted(Counter::ShadowRays)) << name;
        const auto misses = std::count_if(stream.rays.begin(), stream.rays.end(), [](uint32_t ray) { return !is_shadow_ray(ray) && class_of_ray(ray) == miss_class; });
        EXPECT_EQ(static_cast<uint64_t>(misses), counted(Counter::Misses)) << name;
    }
}

TEST(recording, does_not_depend_on_threads) {
    const LoadedScene scene = testing::load_shipped_scene("cornell.json");
    RenderOptions options = small_options();
    options.num_threads = 1;
    const CostStream one = record_costs(scene, options);
    options.num_threads = 4;
    EXPECT_TRUE(record_costs(scene, options) == one);
}

TEST(replay, reproduces_the_recorded_cost_exactly) {
    const test::TemporaryFolder folder;
    write_stream(folder / "cornell.cost", record_costs(testing::load_shipped_scene("cornell.json"), small_options()));
    SyntheticWork work;
    work.stream = read_stream(folder / "cornell.cost");
    work.spins_per_step = 1;
    const auto device = make_cpu_synthetic_device(2);
    expect_each_path_once(*device, work);  // with the steps of each path
}

TEST(schedule_bound, list_scheduling_fills_the_lanes) {
    EXPECT_EQ(list_makespan({}, 3), 0u);
    EXPECT_EQ(list_makespan({5}, 3), 5u);
    EXPECT_EQ(list_makespan({1, 2, 3, 4, 5, 6}, 1), 21u);
    EXPECT_EQ(list_makespan({1, 2, 3, 4, 5, 6}, 3), 7u) << "6 + 1, 5 + 2, 4 + 3";
    EXPECT_EQ(list_makespan({5, 5, 4, 4, 3, 3, 3}, 3), 11u) << "Graham's example, where the best schedule takes 9";
}

TEST(schedule_bound, sorting_paths_keeps_their_rays) {
    const CostStream stream = mixed_stream(200), sorted = longest_paths_first(stream);
    check_stream(sorted);
    EXPECT_EQ(sorted.total_steps(), stream.total_steps());
    EXPECT_EQ(sorted.longest_path_steps(), sorted.path_steps(0));
    for (uint64_t path = 1; path < sorted.num_paths(); ++path) EXPECT_GE(sorted.path_steps(path - 1), sorted.path_steps(path));
}

}  // namespace
}  // namespace warpath::experiments
