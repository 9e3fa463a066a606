#include "core/triangle_shape.h"

#include <gtest/gtest.h>

#include "core/random.h"

namespace warpath {
namespace {

TriangleShape shape_of(Vec3 a, Vec3 b, Vec3 c) { return {a, b - a, c - a}; }

TEST(TriangleShape, normal_is_unit_at_every_scale) {
    for (float s : {1e-18f, 1e-9f, 1.0f, 1e9f, 1e18f}) {
        const Vec3 n = shape_of(Vec3(0), {s, 0, 0}, {0, s, 0}).normal();
        EXPECT_EQ(n.x, 0.0f);
        EXPECT_EQ(n.y, 0.0f);
        EXPECT_FLOAT_EQ(n.z, 1.0f);
    }
}

TEST(TriangleShape, sliver_and_collapsed_triangles_still_have_a_unit_normal_across_the_edge) {
    const Vec3 sliver = shape_of({0, 0, 0}, {1, 0, 0}, {0.5f, 1e-12f, 0}).normal();
    EXPECT_NEAR(sliver.z, 1.0f, 1e-5f);
    const Vec3 flat = shape_of({0, 0, 0}, {1, 0, 0}, {0.5f, 0, 0}).normal();
    EXPECT_NEAR(length(flat), 1.0f, 1e-5f);
    EXPECT_NEAR(flat.x, 0.0f, 1e-6f);
}

double signed_distance(const TriangleShape& shape, Vec3 p) {
    using D = glm::dvec3;
    const D e1(shape.edge1), e2(shape.edge2);
    const D n(e1.y * e2.z - e1.z * e2.y, e1.z * e2.x - e1.x * e2.z, e1.x * e2.y - e1.y * e2.x);
    const D d = D(p) - D(shape.corner);
    return (d.x * n.x + d.y * n.y + d.z * n.z) / std::sqrt(n.x * n.x + n.y * n.y + n.z * n.z);
}

float random_in(uint64_t& state, float lo, float hi) {
    return lerp(lo, hi, unit_float(static_cast<uint32_t>(hash_u64(++state) >> 32)));
}

TEST(TriangleShape, offset_points_lie_on_their_side_of_the_plane_wherever_the_triangle_is) {
    uint64_t state = 7;
    for (int trial = 0; trial < 200000; ++trial) {
        const float size = std::exp2(random_in(state, -20, 20)), away = size * std::exp2(random_in(state, -6, 13));
        const auto point = [&](Vec3 around, float range) {
            return around + Vec3(random_in(state, -range, range), random_in(state, -range, range),
                                 random_in(state, -range, range));
        };
        const Vec3 place = point(Vec3(0), away);
        const TriangleShape shape = shape_of(point(place, size), point(place, size), point(place, size));
        if (length(cross(shape.edge1, shape.edge2)) < 1e-3f * size * size) continue;
        const Vec3 n = shape.normal();
        float u = random_in(state, 0, 1), v = random_in(state, 0, 1);
        if (u + v > 1) u = 1 - u, v = 1 - v;
        const Vec3 p = shape.position(u, v);
        ASSERT_GT(signed_distance(shape, madd(n, shape.offset(n), p)), 0.0) << trial;
        ASSERT_LT(signed_distance(shape, madd(n, -shape.offset(n), p)), 0.0) << trial;
    }
}

TEST(TriangleShape, offset_scales_with_the_scene_and_stays_small) {
    const TriangleShape unit = shape_of({0.25f, 0, 0}, {1, 0.5f, 0}, {0, 1, 0.75f});
    const float base = unit.offset(unit.normal());
    EXPECT_LT(base, 4e-6f);
    for (float s : {0x1p-10f, 0x1p20f, 0x1p-40f}) {
        const TriangleShape scaled{unit.corner * s, unit.edge1 * s, unit.edge2 * s};
        EXPECT_FLOAT_EQ(scaled.offset(scaled.normal()), base * s);
    }
    // 1024 units large and 7.5 million away, a representable step is half a unit: the offset must be no more than a few
    // steps.
    const TriangleShape far =
        shape_of({7.5e6f, 7.5e6f, 7.5e6f}, {7.5e6f + 1024, 7.5e6f, 7.5e6f}, {7.5e6f, 7.5e6f + 1024, 7.5e6f});
    EXPECT_LT(far.offset(far.normal()), 2.0f);
}

}  // namespace
}  // namespace warpath
