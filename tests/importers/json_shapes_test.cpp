#include <gtest/gtest.h>

#include <glm/geometric.hpp>
#include <map>

#include "importers/json_scene_file.h"

namespace warpath {
namespace {

Mesh shape(const std::string& members) {
    const Scene scene = SceneFolder().load(R"({"shapes": [{)" + members + "}]}");
    EXPECT_EQ(scene.meshes.size(), 1u);
    EXPECT_EQ(scene.instances.size(), 1u);
    return scene.meshes.at(0);
}

Vec3 area_vector(const Mesh& mesh, UVec3 t) {
    return cross(mesh.positions[t.y] - mesh.positions[t.x], mesh.positions[t.z] - mesh.positions[t.x]) * 0.5f;
}

double area(const Mesh& mesh) {
    double sum = 0;
    for (const UVec3& t : mesh.triangles) sum += length(area_vector(mesh, t));
    return sum;
}

/// Six times the enclosed volume is the sum of the corners' determinants, if all triangles wind the same way.
double volume(const Mesh& mesh) {
    double sum = 0;
    for (const UVec3& t : mesh.triangles)
        sum += dot(mesh.positions[t.x], cross(mesh.positions[t.y], mesh.positions[t.z]));
    return sum / 6;
}

TEST(json_shapes, quad_has_its_corners_and_upright_texture) {
    const Mesh mesh = shape(R"("type": "quad", "corners": [[0,0,0], [2,0,0], [2,3,0], [0,3,0]])");
    EXPECT_NEAR(area(mesh), 6.0, 1e-6);
    for (const UVec3& t : mesh.triangles) EXPECT_GT(area_vector(mesh, t).z, 0.0f);
    EXPECT_EQ(mesh.uvs[0], Vec2(0, 1)) << "lower left: the last row of the image";
    EXPECT_EQ(mesh.uvs[2], Vec2(1, 0));
}

TEST(json_shapes, sphere_is_closed_round_and_faces_outwards) {
    const Mesh mesh = shape(R"("type": "sphere", "radius": 2, "center": [5, 0, 0], "subdivisions": 4)");
    EXPECT_EQ(mesh.triangles.size(), 20u * 256u);
    EXPECT_EQ(mesh.positions.size(), 10u * 256u + 2u) << "neighbours share their points";
    for (size_t i = 0; i < mesh.positions.size(); ++i) {
        ASSERT_NEAR(length(mesh.positions[i] - Vec3(5, 0, 0)), 2.0f, 1e-5f);
        ASSERT_NEAR(dot(mesh.normals[i], mesh.positions[i] - Vec3(5, 0, 0)), 2.0f, 1e-5f);
    }
    for (const UVec3& t : mesh.triangles) ASSERT_GT(dot(area_vector(mesh, t), mesh.normals[t.x]), 0.0f);
    const double true_area = 4 * 3.14159265358979 * 4, true_volume = true_area * 2 / 3;
    EXPECT_NEAR(area(mesh) / true_area, 1.0, 0.005);
    EXPECT_NEAR(volume(mesh) / true_volume, 1.0, 0.005);
}

TEST(json_shapes, sphere_edges_are_shared_by_two_triangles_each) {
    const Mesh mesh = shape(R"("type": "sphere", "subdivisions": 2, "smooth": false)");
    EXPECT_TRUE(mesh.normals.empty());
    std::map<std::pair<uint32_t, uint32_t>, int> edges;
    for (const UVec3& t : mesh.triangles)
        for (int k = 0; k < 3; ++k) ++edges[{t[k], t[(k + 1) % 3]}];
    for (const auto& [edge, count] : edges) {
        EXPECT_EQ(count, 1);
        EXPECT_EQ(edges.count({edge.second, edge.first}), 1u);
    }
}

TEST(json_shapes, box_is_closed_and_faces_outwards) {
    const Mesh mesh = shape(R"("type": "box", "size": [1, 2, 3], "center": [4, 5, 6])");
    EXPECT_EQ(mesh.triangles.size(), 12u);
    EXPECT_NEAR(area(mesh), 22.0, 1e-5);
    EXPECT_NEAR(volume(mesh), 6.0, 1e-4);
    for (const UVec3& t : mesh.triangles)
        EXPECT_GT(dot(area_vector(mesh, t), mesh.positions[t.x] - Vec3(4, 5, 6)), 0.0f);
}

TEST(json_shapes, disc_is_round_and_faces_its_normal) {
    const Mesh mesh =
        shape(R"("type": "disc", "radius": 2, "normal": [0, 0, -3], "center": [0, 0, 1], "segments": 256)");
    EXPECT_EQ(mesh.triangles.size(), 256u);
    EXPECT_NEAR(area(mesh), 4 * 3.14159265358979, 0.01);
    for (const UVec3& t : mesh.triangles) EXPECT_LT(area_vector(mesh, t).z, 0.0f);
    for (const Vec3& p : mesh.positions) EXPECT_EQ(p.z, 1.0f);
}

TEST(json_shapes, mesh_keeps_what_is_written) {
    const Mesh mesh = shape(
        R"("type": "mesh", "name": "mine", "vertices": [[0,0,0], [1,0,0], [0,1,0], [9,9,9]], "triangles": [[0,1,2]],
        "normals": [[0,0,1], [0,0,1], [0,0,1], [0,0,0]], "uvs": [[0,0], [1,0], [0,1], [1,1]])");
    EXPECT_EQ(mesh.name, "mine");
    EXPECT_EQ(mesh.positions[3], Vec3(9.0f));
    EXPECT_EQ(mesh.triangles[0], UVec3(0, 1, 2));
    EXPECT_EQ(mesh.normals[0], Vec3(0, 0, 1));
    EXPECT_EQ(mesh.uvs[2], Vec2(0, 1));
}

TEST(json_shapes, without_a_material_they_share_one_default) {
    const Scene scene = SceneFolder().load(R"({"shapes": [{"type": "box"}, {"type": "disc"}]})");
    EXPECT_EQ(scene.materials.size(), 1u);
    EXPECT_EQ(scene.material_names.size(), 1u);
    EXPECT_EQ(scene.meshes[1].material_ids[0], 0u);
}

TEST(json_repeat, makes_a_grid_of_copies) {
    const Scene scene = SceneFolder().load(R"({"shapes": [{"type": "box", "transform": {"translate": [100, 0, 0]},
        "repeat": [{"count": 3, "step": [10, 0, 0]}, {"count": 2, "step": [0, 1, 0]}]}]})");
    EXPECT_EQ(scene.meshes.size(), 1u) << "copies share the mesh";
    ASSERT_EQ(scene.instances.size(), 6u);
    EXPECT_EQ(glm::dvec3(scene.instances[0].to_world[3]), glm::dvec3(100, 0, 0));
    EXPECT_EQ(glm::dvec3(scene.instances[1].to_world[3]), glm::dvec3(100, 1, 0));
    EXPECT_EQ(glm::dvec3(scene.instances[5].to_world[3]), glm::dvec3(120, 1, 0));
}

TEST(json_repeat, jitter_stays_in_its_range_and_never_changes) {
    const std::string text = R"({"shapes": [{"type": "box", "repeat": [{"count": 500, "jitter": [1, 0.1, 0]}]}]})";
    const Scene first = SceneFolder().load(text), second = SceneFolder().load(text);
    glm::dvec3 lo(1e9), hi(-1e9);
    for (size_t i = 0; i < 500; ++i) {
        const glm::dvec3 offset(first.instances[i].to_world[3]);
        EXPECT_EQ(offset, glm::dvec3(second.instances[i].to_world[3]));
        lo = glm::min(lo, offset), hi = glm::max(hi, offset);
    }
    EXPECT_GE(lo.x, -1.0);
    EXPECT_LT(lo.x, -0.9);
    EXPECT_LE(hi.x, 1.0);
    EXPECT_GT(hi.x, 0.9);
    EXPECT_LE(hi.y, 0.1);
    EXPECT_EQ(lo.z, 0.0);
    EXPECT_EQ(hi.z, 0.0);
}

TEST(json_vary, turns_and_scales_each_copy_about_its_own_origin) {
    const std::string text = R"({"shapes": [{"type": "box", "transform": {"translate": [5, 1, 0]}, "repeat": [{"count": 300, "step": [10, 0, 0]}],
        "vary": {"turn_deg": 90, "scale": [0.5, 2]}}]})";
    const Scene first = SceneFolder().load(text), second = SceneFolder().load(text);
    double least = 1e9, largest = 0, farthest = 0;
    for (size_t i = 0; i < 300; ++i) {
        const glm::dmat4& m = first.instances[i].to_world;
        EXPECT_EQ(m, second.instances[i].to_world);
        EXPECT_NEAR(m[3].x, 5.0 + 10.0 * static_cast<double>(i), 1e-9);
        EXPECT_NEAR(m[3].y, 1.0, 1e-12);
        const double scale = glm::length(glm::dvec3(m[1])), turn = std::atan2(-m[0].z, m[0].x) * 180 / 3.14159265358979;
        EXPECT_NEAR(m[1].y, scale, 1e-12) << "upright";
        least = std::min(least, scale), largest = std::max(largest, scale), farthest = std::max(farthest, std::abs(turn));
    }
    EXPECT_GE(least, 0.5);
    EXPECT_LT(least, 0.6);
    EXPECT_LE(largest, 2.0);
    EXPECT_GT(largest, 1.9);
    EXPECT_LE(farthest, 90.0 + 1e-9);
    EXPECT_GT(farthest, 85.0);
}

TEST(json_vary, refuses_what_is_no_size) {
    EXPECT_THROW(SceneFolder().load(R"({"shapes": [{"type": "box", "vary": {"scale": [0, 1]}}]})"), Error);
    EXPECT_THROW(SceneFolder().load(R"({"shapes": [{"type": "box", "vary": {"scale": [5, 1]}}]})"), Error);
    EXPECT_THROW(SceneFolder().load(R"({"shapes": [{"type": "box", "vary": {"turn": 3}}]})"), Error);
}

TEST(json_repeat, copies_take_materials_in_turn) {
    const Scene scene = SceneFolder().load(R"({"materials": [{"name": "a"}, {"name": "b"}],
        "shapes": [{"type": "box", "material": ["b", "a"], "repeat": [{"count": 5}]}]})");
    ASSERT_EQ(scene.instances.size(), 5u);
    for (size_t i = 0; i < 5; ++i)
        EXPECT_EQ(scene.meshes[scene.instances[i].mesh].material_ids[0], i % 2 == 0 ? 1u : 0u);
}

}  // namespace
}  // namespace warpath
