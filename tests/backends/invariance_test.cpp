#include <gtest/gtest.h>

#include "support/render_image.h"

/// Schedule invariance on the CPU: scheduler, threads, pool and batch change nothing in the image.
namespace warpath::testing {
namespace {

class Invariance : public ::testing::TestWithParam<const char*> {};

TEST_P(Invariance, every_schedule_gives_the_same_bits) {
    const LoadedScene scene = load_shipped_scene(GetParam());
    RenderOptions options = small_frame("cpu");
    options.num_threads = 1;
    options.scheduler = schedulers_of("cpu").front().name;
    const RenderResult reference = render_quietly(scene, options);
    for (const SchedulerInfo& scheduler : schedulers_of("cpu"))
        for (uint32_t threads : {1u, 2u, 5u})
            for (auto [pool, batch] : {std::pair{0u, 0u}, {1u, 1u}, {7u, 3u}, {4096u, 100u}}) {
                options.scheduler = scheduler.name;
                options.num_threads = threads, options.pool = pool, options.batch = batch;
                const RenderResult result = render_quietly(scene, options);
                EXPECT_EQ(first_difference(reference.image, result.image), "")
                    << scheduler.name << ", threads " << threads << ", pool " << pool << ", batch " << batch;
                EXPECT_EQ(reference.rays_by_bounce, result.rays_by_bounce) << scheduler.name;
                EXPECT_EQ(reference.shadow_rays_by_bounce, result.shadow_rays_by_bounce) << scheduler.name;
            }
}
INSTANTIATE_TEST_SUITE_P(scenes, Invariance, ::testing::Values("cornell.json", "veach_mis.json", "imbalance.json"));

TEST(determinism, another_seed_gives_another_image) {
    const LoadedScene scene = load_shipped_scene("cornell.json");
    RenderOptions options = small_frame("cpu");
    const RenderResult a = render_quietly(scene, options);
    options.seed = 6;
    EXPECT_NE(first_difference(a.image, render_quietly(scene, options).image), "");
}

TEST(stopping, finishes_paths_in_flight_and_counts_them) {
    RenderOptions options = small_frame("cpu");
    options.spp = 100000;
    expect_stop_to_finish_paths(options);
}

TEST(memory_plan, is_within_five_percent_of_what_is_allocated) { expect_plan_near_allocations(small_frame("cpu")); }

TEST(memory_plan, does_not_grow_with_samples_or_resolution_but_for_the_film) {
    const LoadedScene scene = load_shipped_scene("cornell.json");
    RenderOptions options = small_frame("cpu");
    const auto slots = [&] {
        for (const MemoryItem& item : memory_plan(scene, options))
            if (item.name == "path slots") return item.size_bytes;
        return uint64_t{0};
    };
    options.width = 1920, options.height = 1080;
    for (const SchedulerInfo& scheduler : schedulers_of("cpu")) {
        options.scheduler = scheduler.name;
        options.spp = 1;
        const uint64_t few = slots();
        options.spp = 4096;
        EXPECT_EQ(slots(), few) << scheduler.name;
        EXPECT_GT(few, 0u);
    }
}

TEST(errors, name_what_is_unknown_and_what_is_known) {
    const LoadedScene scene = load_shipped_scene("cornell.json");
    const auto message = [&](auto change) -> std::string {
        RenderOptions options = small_frame("cpu");
        change(options);
        try {
            render_quietly(scene, options);
        } catch (const Error& error) {
            return error.what();
        }
        return "no error";
    };
    EXPECT_NE(message([](RenderOptions& o) { o.scheduler = "fast"; }).find("persistent"), std::string::npos);
    EXPECT_NE(message([](RenderOptions& o) { o.backend = "vulkan"; }).find("cuda"), std::string::npos);
    EXPECT_NE(message([](RenderOptions& o) { o.device = 3; }).find("device 3"), std::string::npos);
    EXPECT_NE(message([](RenderOptions& o) { o.width = 0; }).find("size"), std::string::npos);
    EXPECT_NE(message([](RenderOptions& o) { o.width = o.height = 100000; }).find("bytes"), std::string::npos);
    EXPECT_NE(message([](RenderOptions& o) { o.aovs = {"colour"}; }).find("albedo"), std::string::npos);
    EXPECT_NE(message([](RenderOptions& o) { o.sampler = "halton"; }).find("sobol"), std::string::npos);
}

}  // namespace
}  // namespace warpath::testing
