// Rays that leave a surface must not find it again, nor its neighbours in the same plane.

#include <gtest/gtest.h>

#include "bvh/build.h"
#include "bvh/traverse.h"
#include "core/triangle_shape.h"
#include "support/randoms.h"

namespace warpath {
namespace {

/// Leaves random points of `shape` on both sides, half of the time at grazing angles; returns how many rays hit `bvh`.
int count_hits(const Bvh& bvh, const TriangleShape& shape, Randoms& random, int num_rays) {
    const Vec3 n = shape.normal();
    const Frame frame = Frame::from_normal(n);
    int num_hits = 0;
    for (int i = 0; i < num_rays; ++i) {
        float u = random.in(0, 1), v = random.in(0, 1);
        if (u + v > 1) u = 1 - u, v = 1 - v;
        const float side = i % 4 < 2 ? 1.0f : -1.0f;
        const float cosine = i % 2 ? random.in(0, 1) : std::exp2(random.in(-16, 0)), phi = random.in(0, 2 * pi);
        const float sine = std::sqrt(1 - cosine * cosine);
        Ray ray;
        ray.origin = madd(n, side * shape.offset(n), shape.position(u, v));
        ray.dir = normalize(frame.to_world({sine * std::cos(phi), sine * std::sin(phi), side * cosine}));
        TraversalCost cost;
        num_hits += closest_hit(bvh.view(), ray, AcceptAll{}, cost).prim_id != invalid_id;
    }
    return num_hits;
}

Bvh bvh_of(const std::vector<Vec3>& positions, const std::vector<UVec3>& indices) {
    std::vector<Triangle> triangles;
    for (UVec3 t : indices) triangles.push_back({{t.x, t.y, t.z}, 0, invalid_id, 0});
    return build_bvh({triangles.data(), static_cast<uint32_t>(triangles.size())},
                     ArrayView<Vec3>{positions.data(), static_cast<uint32_t>(positions.size())});
}

TEST(SelfIntersection, rays_never_hit_the_triangle_they_leave_whatever_its_size_place_and_shape) {
    Randoms random(1);
    int num_hits = 0;
    for (int trial = 0; trial < 3000; ++trial) {
        const float size = std::exp2(random.in(-30, 30)),
                    away = random.in(0, 1) < 0.3f ? 0.0f : size * std::exp2(random.in(-4, 13));
        const Vec3 place = random.in_cube(away);
        const float thin = std::exp2(random.in(-8, 0));
        const Vec3 a = place + random.in_cube(size), b = a + random.in_cube(size),
                   c = a + (b - a) * random.in(0, 1) + random.in_cube(size) * thin;
        const TriangleShape shape{a, b - a, c - a};
        // Where rounding of the corners alone changes what plane the triangle lies in, no side is well defined.
        const float height = length(cross(shape.edge1, shape.edge2)) / length(shape.edge1);
        if (!(height > 1e-3f * size) || !(height > 1e-4f * away)) continue;
        num_hits += count_hits(bvh_of({a, b, c}, {{0, 1, 2}}), shape, random, 100);
    }
    EXPECT_EQ(num_hits, 0);
}

TEST(SelfIntersection, rays_along_a_tessellated_plane_never_hit_it) {
    Randoms random(2);
    for (float tilt : {0.0f, 0.3f, 1.0f}) {
        const Vec3 x(std::cos(tilt), std::sin(tilt), 0), z(0.1f * std::sin(tilt), 0.2f * std::sin(tilt), 1);
        std::vector<Vec3> positions;
        std::vector<UVec3> indices;
        for (uint32_t j = 0; j <= 16; ++j)
            for (uint32_t i = 0; i <= 16; ++i) positions.push_back(Vec3(3, 40, 5) + x * (i * 0.7f) + z * (j * 0.3f));
        for (uint32_t j = 0; j < 16; ++j)
            for (uint32_t i = 0; i < 16; ++i) {
                const uint32_t k = j * 17 + i;
                indices.push_back({k, k + 1, k + 18}), indices.push_back({k, k + 18, k + 17});
            }
        const Bvh bvh = bvh_of(positions, indices);
        int num_hits = 0, num_rays = 0;
        for (UVec3 t : indices) {
            const Vec3 a = positions[t.x];
            // The tilted planes are only as flat as rounded corners make them: grazing rays may meet a neighbour that
            // stands up.
            num_hits += count_hits(bvh, {a, positions[t.y] - a, positions[t.z] - a}, random, 200), num_rays += 200;
        }
        EXPECT_LE(num_hits, tilt == 0.0f ? 0 : num_rays / 500) << tilt;
    }
}

}  // namespace
}  // namespace warpath
