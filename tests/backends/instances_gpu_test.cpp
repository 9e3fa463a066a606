#include <gtest/gtest.h>

#include <cmath>

#include "support/copies_scene.h"
#include "support/render_image.h"

/// Shared meshes on CUDA.
namespace warpath::testing {
namespace {

TEST(instances_gpu, every_scheduler_gives_the_same_bits) {
    WARPATH_SKIP_WITHOUT_GPU();
    const CopiesScene copies;
    const LoadedScene scene = copies.load(Instancing::On);
    RenderOptions options = small_frame("cuda");
    options.scheduler = schedulers_of("cuda").front().name;
    const RenderResult reference = render_quietly(scene, options);
    for (const SchedulerInfo& scheduler : schedulers_of("cuda"))
        for (auto [pool, batch] : {std::pair{0u, 0u}, {1000u, 7u}}) {
            options.scheduler = scheduler.name;
            options.pool = pool, options.batch = batch;
            const RenderResult result = render_quietly(scene, options);
            EXPECT_EQ(first_difference(reference.image, result.image), "") << scheduler.name << ", pool " << pool;
            EXPECT_EQ(reference.rays_by_bounce, result.rays_by_bounce) << scheduler.name;
        }
}

TEST(instances_gpu, the_image_is_the_cpus_and_that_of_the_scene_laid_out) {
    WARPATH_SKIP_WITHOUT_GPU();
    const CopiesScene copies;
    RenderOptions options = small_frame("cuda"), on_cpu = small_frame("cpu");
    options.spp = on_cpu.spp = 64;
    const RenderResult shared = render_quietly(copies.load(Instancing::On), options);
    const RenderResult others[] = {render_quietly(copies.load(Instancing::On), on_cpu), render_quietly(copies.load(Instancing::Off), options)};
    for (const RenderResult& other : others)
        for (const char* channel : {"R", "G", "B", "albedo.R", "normal.Y", "depth.Z"}) {
            double a = 0, b = 0;
            for (const float x : shared.image.find(channel)->values) a += x;
            for (const float x : other.image.find(channel)->values) b += x;
            EXPECT_NEAR(a, b, 0.01 * std::abs(b)) << channel;
        }
}

}  // namespace
}  // namespace warpath::testing
