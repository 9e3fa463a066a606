#include <gtest/gtest.h>

#include "support/render_image.h"

/// Schedule invariance on CUDA, and agreement of the backends.
namespace warpath::testing {
namespace {

class InvarianceGpu : public ::testing::TestWithParam<const char*> {};

TEST_P(InvarianceGpu, every_schedule_gives_the_same_bits) {
    WARPATH_SKIP_WITHOUT_GPU();
    const LoadedScene scene = load_shipped_scene(GetParam());
    RenderOptions options = small_frame("cuda");
    options.scheduler = schedulers_of("cuda").front().name;
    const RenderResult reference = render_quietly(scene, options);
    for (const SchedulerInfo& scheduler : schedulers_of("cuda"))
        for (uint32_t blocks : {0u, 1u, 3u})
            for (auto [pool, batch] : {std::pair{0u, 0u}, {1u, 1u}, {1000u, 7u}, {100000u, 128u}}) {
                options.scheduler = scheduler.name;
                options.blocks_per_sm = blocks, options.pool = pool, options.batch = batch;
                const RenderResult result = render_quietly(scene, options);
                EXPECT_EQ(first_difference(reference.image, result.image), "")
                    << scheduler.name << ", blocks " << blocks << ", pool " << pool << ", batch " << batch;
                EXPECT_EQ(reference.rays_by_bounce, result.rays_by_bounce) << scheduler.name;
                EXPECT_EQ(reference.shadow_rays_by_bounce, result.shadow_rays_by_bounce) << scheduler.name;
                for (Counter id : {Counter::CameraRays, Counter::ExtensionRays, Counter::ShadowRays, Counter::NodeSteps,
                                   Counter::ShadedHits})
                    EXPECT_EQ(reference.counters[static_cast<size_t>(id)], result.counters[static_cast<size_t>(id)])
                        << scheduler.name << ", " << counter_infos[static_cast<size_t>(id)].name;
            }
}
TEST_P(InvarianceGpu, every_block_size_gives_the_same_bits) {
    WARPATH_SKIP_WITHOUT_GPU();
    const LoadedScene scene = load_shipped_scene(GetParam());
    RenderOptions options = small_frame("cuda");
    options.scheduler = schedulers_of("cuda").front().name;
    const RenderResult reference = render_quietly(scene, options);
    for (const SchedulerInfo& scheduler : schedulers_of("cuda"))
        for (const uint32_t block_size : {32u, 64u, 96u, 256u})
            for (const uint32_t reserve : {0u, 20u}) {
                options.scheduler = scheduler.name;
                options.block_size = block_size, options.reserve_sms = reserve;
                const RenderResult result = render_quietly(scene, options);
                EXPECT_EQ(first_difference(reference.image, result.image), "")
                    << scheduler.name << ", block size " << block_size << ", " << reserve << " multiprocessors reserved";
            }
}
INSTANTIATE_TEST_SUITE_P(scenes, InvarianceGpu,
                         ::testing::Values("cornell.json", "veach_mis.json", "many_lights.json", "furnace.json",
                                           "imbalance.json"));

TEST(stopping_gpu, finishes_paths_in_flight_and_counts_them) {
    WARPATH_SKIP_WITHOUT_GPU();
    RenderOptions options = small_frame("cuda");
    options.width = 640, options.height = 360;
    options.spp = 1000000;
    expect_stop_to_finish_paths(options);
}

TEST(memory_plan_gpu, is_within_five_percent_of_what_is_allocated) {
    WARPATH_SKIP_WITHOUT_GPU();
    RenderOptions options = small_frame("cuda");
    options.width = 1920, options.height = 1080;
    expect_plan_near_allocations(options);
}

TEST(errors_gpu, a_missing_device_is_an_error) {
    WARPATH_SKIP_WITHOUT_GPU();
    const LoadedScene scene = load_shipped_scene("cornell.json");
    RenderOptions options = small_frame("cuda");
    options.device = 77;
    EXPECT_THROW(render_quietly(scene, options), Error);
}

}  // namespace
}  // namespace warpath::testing
