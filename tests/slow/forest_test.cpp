// A million instances in bounded memory. Takes a minute; ctest -L slow runs it.

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "support/forest_scene.h"
#include "support/render_image.h"

namespace warpath::testing {
namespace {

TEST(forest, of_a_million_instances_loads_and_renders_in_a_gigabyte_and_a_half) {
    const LoadedScene scene = ForestScene(1000).load();
    const SceneInfo& info = scene.info();
    EXPECT_EQ(info.num_shared_instances, 1000000u);
    EXPECT_EQ(info.num_triangles, 1280000002u);
    EXPECT_EQ(info.num_stored_triangles, 1282u);
    RenderOptions options = small_frame("cpu");
    options.spp = 1;
    const RenderResult result = render_quietly(scene, options);
    EXPECT_FALSE(result.incomplete);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    EXPECT_LT(usage.ru_maxrss, 1536 * 1024) << "KiB";
    std::printf("load %.1f s, BVH %.1f s, scene %.0f MB, BVH %.0f MB, peak %.0f MB\n", info.load_ms / 1e3, info.bvh_build_ms / 1e3,
                static_cast<double>(info.scene_bytes) / 1e6, static_cast<double>(info.bvh_bytes) / 1e6, static_cast<double>(usage.ru_maxrss) / 1e3);
}

}  // namespace
}  // namespace warpath::testing
