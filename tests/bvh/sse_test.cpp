#include <gtest/gtest.h>

#include <bit>

#include "meshes.h"

namespace warpath::testing {
namespace {

#if WARPATH_SSE

uint32_t bits(float x) { return std::bit_cast<uint32_t>(x); }

BvhNode random_node(Random& random, float scale) {
    BvhNode n{};
    for (int i = 0; i < 2; ++i) {
        const Vec3 a = random.point() * scale, b = random.below(4) ? random.point() * scale : a;
        n.lo_x[i] = std::min(a.x, b.x), n.lo_y[i] = std::min(a.y, b.y), n.lo_z[i] = std::min(a.z, b.z);
        n.hi_x[i] = std::max(a.x, b.x), n.hi_y[i] = std::max(a.y, b.y), n.hi_z[i] = std::max(a.z, b.z);
    }
    return n;
}

void expect_equal_boxes(const BvhNode& node, const Ray& ray, bool as_stored) {
    ScalarBoxes scalar;
    SseBoxes sse;
    scalar.begin(ray);
    sse.begin(ray);
    const ChildHits a = scalar.intersect(node, as_stored, ray.t_max), b = sse.intersect(node, as_stored, ray.t_max);
    ASSERT_EQ(a.any, b.any);
    ASSERT_EQ(a.both, b.both);
    if (a.any) {
        ASSERT_EQ(a.second_first, b.second_first);
    }
    if (a.both) {
        ASSERT_EQ(bits(a.far_entry), bits(b.far_entry));
    }
}

TEST(SseBoxes, gives_the_scalar_answer_bit_for_bit) {
    Random random(50);
    for (const float scale : {1e-20f, 1.0f, 1e18f}) {
        for (const Ray& ray : random_rays(20000, scale, Vec3(0.0f), 51)) {
            const BvhNode node = random_node(random, scale);
            expect_equal_boxes(node, ray, false);
            expect_equal_boxes(node, ray, true);
        }
    }
}

TEST(SseTriangles, gives_the_scalar_answer_bit_for_bit) {
    uint32_t num_hits = 0;
    for (const TestMesh& mesh : {random_soup(64, 3.0f, 52), lattice_soup(64, 2, 53)}) {
        const Bvh bvh = mesh.build();
        for (const Ray& ray : random_rays(4000, 1.0f, Vec3(0.0f), 54)) {
            const RayShear shear = make_shear(ray);
            for (const BvhTriangle& triangle : bvh.columns.triangles) {
                float u[2] = {}, v[2] = {};
                const float a = ScalarTriangles::intersect(triangle, shear, u[0], v[0]);
                const float b = SseTriangles::intersect(triangle, shear, u[1], v[1]);
                ASSERT_EQ(bits(a), bits(b));
                ASSERT_EQ(bits(u[0]), bits(u[1]));
                ASSERT_EQ(bits(v[0]), bits(v[1]));
                num_hits += a < infinity;
            }
        }
    }
    EXPECT_GT(num_hits, 10000u);
}

TEST(SseTests, walk_like_the_scalar_ones) {
    const TestMesh mesh = random_soup(2000, 0.2f, 55);
    const Bvh bvh = mesh.build();
    for (const Ray& ray : random_rays(2000, 1.0f, Vec3(0.0f), 56)) {
        TraversalCost a, b;
        const Hit x = closest_hit<AcceptAll, ScalarTests>(bvh.view(), ray, {}, a);
        const Hit y = closest_hit<AcceptAll, SseTests>(bvh.view(), ray, {}, b);
        ASSERT_EQ(x.prim_id, y.prim_id);
        ASSERT_EQ(bits(x.t), bits(y.t));
        const bool p = any_hit<AcceptAll, ScalarTests>(bvh.view(), ray, {}, a);
        const bool q = any_hit<AcceptAll, SseTests>(bvh.view(), ray, {}, b);
        ASSERT_EQ(p, q);
        ASSERT_EQ(a.node_steps, b.node_steps);
        ASSERT_EQ(a.triangle_tests, b.triangle_tests);
    }
}

#endif

}  // namespace
}  // namespace warpath::testing
