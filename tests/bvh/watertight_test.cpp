#include <gtest/gtest.h>

#include "meshes.h"

namespace warpath::testing {
namespace {

/// Points of a triangle where cracks would be: vertices, and points along edges.
std::vector<Vec3> seam_points(const TestMesh& mesh, uint32_t prim_id, Random& random) {
    std::vector<Vec3> points;
    for (int i = 0; i < 3; ++i) {
        const Vec3 a = mesh.vertex(prim_id, i), b = mesh.vertex(prim_id, (i + 1) % 3);
        points.insert(points.end(), {a, a * 0.5f + b * 0.5f, lerp(a, b, random.uniform())});
    }
    return points;
}

/// Rays from inside a closed mesh must hit it, whatever they aim at.
void expect_no_escape(const TestMesh& mesh, Vec3 center, float inner_radius, uint32_t seed) {
    std::vector<Bvh> bvhs;
    for (const BvhPreset preset : all_presets) bvhs.push_back(mesh.build(preset));
    Random random(seed);
    uint32_t escaped = 0, num_rays = 0;
    for (uint32_t prim_id = 0; prim_id < mesh.size(); ++prim_id) {
        const Vec3 eyes[] = {center, center + random.point() * (0.5f * inner_radius)};
        for (const Vec3& target : seam_points(mesh, prim_id, random)) {
            for (const Vec3& eye : eyes) {
                const Ray ray = make_ray(eye, target - eye);
                for (const Bvh& bvh : bvhs) {
                    ++num_rays;
                    escaped += trace(bvh, ray).prim_id == invalid_id || !is_occluded(bvh, ray);
                }
            }
        }
    }
    EXPECT_EQ(escaped, 0u) << "of " << num_rays;
}

TEST(Watertight, rays_at_edges_and_vertices_of_a_sphere_never_escape) {
    const TestMesh sphere = octasphere(4);
    for (const float scale : {1e-18f, 1e-6f, 1.0f, 37.7f, 1e5f, 1e17f}) {
        for (const float offset : {0.0f, 0.3f, 10.0f, 3000.0f}) {
            SCOPED_TRACE(::testing::Message() << "scale " << scale << ", offset " << offset << " radii");
            if (scale * offset > 5e17f) continue;
            const Vec3 center = Vec3(1.0f, -0.7f, 0.31f) * (offset * scale);
            expect_no_escape(sphere.transformed(scale, center), center, scale, 40);
        }
    }
}

/// Every ray lies in planes that hold edges, box faces and whole triangles.
TEST(Watertight, axis_parallel_rays_through_a_gridded_box_never_escape) {
    TestMesh box;
    const uint32_t side = 8;
    for (int axis = 0; axis < 3; ++axis) {
        for (const float face : {-1.0f, 1.0f}) {
            TestMesh grid = flat_grid(side, axis);
            Vec3 offset(0.0f);
            offset[axis] = face;
            for (uint32_t i = 0; i < grid.size(); ++i) {
                box.add(grid.vertex(i, 0) + offset, grid.vertex(i, 1) + offset, grid.vertex(i, 2) + offset);
            }
        }
    }
    for (const float offset : {0.0f, 1000.0f}) {
        const Bvh bvh = box.transformed(1.0f, Vec3(offset)).build();
        for (uint32_t i = 0; i < 17 * 17 * 6; ++i) {
            const int axis = static_cast<int>(i % 3);
            Vec3 origin(offset), dir(i % 2 ? 0.0f : -0.0f);
            dir[axis] = i / 3 % 2 ? 1.0f : -1.0f;
            origin[(axis + 1) % 3] += float(i / 6 % 17) / 8.0f - 1.0f;
            origin[(axis + 2) % 3] += float(i / 6 / 17) / 8.0f - 1.0f;
            EXPECT_NE(trace(bvh, make_ray(origin, dir)).prim_id, invalid_id) << i;
            EXPECT_TRUE(is_occluded(bvh, make_ray(origin, dir))) << i;
        }
    }
}

TEST(Watertight, nearly_axis_parallel_rays_never_escape) {
    const TestMesh sphere = octasphere(3);
    for (const float scale : {1e-3f, 1.0f, 1e17f}) {
        const Bvh bvh = sphere.transformed(scale, Vec3(0.0f)).build();
        for (int exponent = -149; exponent < 0; ++exponent) {
            for (int axis = 0; axis < 3; ++axis) {
                Vec3 dir(std::ldexp(1.0f, exponent));
                dir[axis] = exponent % 2 ? 1.0f : -1.0f;
                EXPECT_NE(trace(bvh, make_ray(Vec3(0.0f), dir)).prim_id, invalid_id) << exponent;
                EXPECT_TRUE(is_occluded(bvh, make_ray(Vec3(0.0f), dir * -1.0f))) << exponent;
            }
        }
    }
}

}  // namespace
}  // namespace warpath::testing
