#include "render/alpha.h"

#include <gtest/gtest.h>

#include "scene/flatten.h"
#include "support/small_scenes.h"

namespace warpath {
namespace {

SceneData square_with(AlphaMode mode, float alpha) {
    Scene scene;
    Material material = lambert(Vec3(1));
    material.alpha_mode = mode, material.alpha = alpha;
    Mesh mesh = quad({0, 0, 0}, {1, 0, 0}, {0, 1, 0});
    mesh.colors = {Vec4(1, 1, 1, 0.2f), Vec4(1), Vec4(1, 1, 1, 0.2f), Vec4(1)};
    add(scene, std::move(mesh), material);
    return flatten(std::move(scene));
}
AlphaTest::Key key_of(uint32_t pixel, uint32_t sample, uint32_t bounce, RayKind kind = RayKind::Extension) {
    return {77, pixel, sample, bounce, kind};
}

TEST(Alpha, a_mask_cuts_out_exactly_below_its_cutoff_vertex_colours_included) {
    const SceneData data = square_with(AlphaMode::Mask, 1.0f);
    const SceneView view = data.view();
    for (uint32_t i = 0; i < 100; ++i) {
        const AlphaTest test(view, key_of(i, i, 0));
        EXPECT_FALSE(test(0, 0.01f, 0.01f));  // near a corner of alpha 0.2
        EXPECT_TRUE(test(0, 0.98f, 0.01f));   // near one of alpha 1
    }
}

TEST(Alpha, blending_meets_as_many_rays_as_its_coverage_says) {
    const SceneData data = square_with(AlphaMode::Blend, 0.5f);
    const SceneView view = data.view();
    int met = 0;
    constexpr int n = 100000;
    for (uint32_t i = 0; i < n; ++i) met += AlphaTest(view, key_of(i % 1000, i / 1000, 0))(0, 1, 0);
    EXPECT_NEAR(met / double(n), 0.5, 5 * 0.5 / std::sqrt(n));
}

TEST(Alpha, a_decision_is_made_once_for_a_ray_and_a_triangle) {
    const SceneData data = square_with(AlphaMode::Blend, 0.5f);
    const SceneView view = data.view();
    for (uint32_t i = 0; i < 100; ++i)
        EXPECT_EQ(AlphaTest(view, key_of(3, i, 1))(1, 0, 1), AlphaTest(view, key_of(3, i, 1))(1, 0, 1));
}

/// Share of samples in which two decisions are alike; 1/2 if they have nothing to do with each other.
template <class A, class B>
double alike(const A& a, const B& b) {
    int n = 0;
    for (uint32_t i = 0; i < 20000; ++i) n += a(i) == b(i);
    return n / 20000.0;
}

TEST(Alpha, pixels_samples_bounces_kinds_of_rays_and_triangles_decide_independently) {
    const SceneData data = square_with(AlphaMode::Blend, 0.5f);
    const SceneView view = data.view();
    const auto base = [&](uint32_t i) { return AlphaTest(view, key_of(5, i, 0))(0, 1, 0); };
    const double tolerance = 5 * 0.5 / std::sqrt(20000.0);
    EXPECT_NEAR(alike(base, [&](uint32_t i) { return AlphaTest(view, key_of(6, i, 0))(0, 1, 0); }), 0.5, tolerance);
    EXPECT_NEAR(alike(base, [&](uint32_t i) { return AlphaTest(view, key_of(5, i + 1, 0))(0, 1, 0); }), 0.5, tolerance);
    EXPECT_NEAR(alike(base, [&](uint32_t i) { return AlphaTest(view, key_of(5, i, 1))(0, 1, 0); }), 0.5, tolerance);
    EXPECT_NEAR(alike(base, [&](uint32_t i) { return AlphaTest(view, key_of(5, i, 0, RayKind::Shadow))(0, 1, 0); }),
                0.5, tolerance);
    EXPECT_NEAR(alike(base, [&](uint32_t i) { return AlphaTest(view, key_of(5, i, 0))(1, 0, 1); }), 0.5, tolerance);
}

}  // namespace
}  // namespace warpath
