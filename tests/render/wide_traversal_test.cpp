#include <gtest/gtest.h>

#include "support/path_loop.h"
#include "support/small_scenes.h"

namespace warpath {
namespace {

/// A lit room with a mirror, glass, and leaves that are half there.
Scene room() {
    Scene scene;
    scene.environment = white_sky(0.3f);
    add(scene, quad({-3, -1, -3}, {0, 0, 6}, {6, 0, 0}), lambert(Vec3(0.7f)));
    add(scene, quad({-1, 3, -1}, {2, 0, 0}, {0, 0, 2}), lamp(Vec3(4.0f)));
    add(scene, box({-0.8f, -0.4f, 0.1f}, 0.5f), mirror());
    add(scene, box({0.6f, -0.5f, 0.7f}, 0.4f), clear_glass());
    Material leaf = lambert(Vec3(0.2f, 0.8f, 0.1f));
    leaf.alpha_mode = AlphaMode::Blend;
    leaf.alpha = 0.5f;
    for (int i = 0; i < 12; ++i)
        add(scene, disc({0.3f * float(i) - 1.5f, 0.5f, 0.2f * float(i % 4)}, Vec3(0, 0, 1), 0.4f, 9), leaf);
    return scene;
}

TEST(WideTraversal, renders_the_film_of_the_two_child_tree_bit_for_bit) {
    const LoopScene scene(room());
    FrameConstants frame = loop_frame(narrow_camera({0.4f, 1.0f, 5.0f}, Vec3(0), 40), 32, 24, 4);
    frame.max_depth = 8;
    const LoopImage expected = render_loop<TwoChildTraversal>(scene, frame),
                    image = render_loop<WideTraversal>(scene, frame);
    EXPECT_EQ(image.film.radiance, expected.film.radiance);
    EXPECT_EQ(image.film.albedo, expected.film.albedo);
    EXPECT_EQ(image.film.normal, expected.film.normal);
    EXPECT_EQ(image.film.depth, expected.film.depth);
    const LoopContext &c = image.context, &e = expected.context;
    for (const Counter id :
         {Counter::CameraRays, Counter::ExtensionRays, Counter::ShadowRays, Counter::ShadedHits, Counter::Misses})
        EXPECT_EQ(c[id], e[id]);
    EXPECT_GT(c[Counter::AlphaTests], 0u);
    EXPECT_GT(c[Counter::NodeSteps], c[Counter::CameraRays]);
    EXPECT_LT(c[Counter::NodeSteps], e[Counter::NodeSteps] / 2) << "a node has up to eight children";
    uint64_t cost = 0;
    for (uint64_t n : image.film.cost) cost += n;
    EXPECT_EQ(cost, c[Counter::NodeSteps] + c[Counter::TriangleTests]);
}

}  // namespace
}  // namespace warpath
