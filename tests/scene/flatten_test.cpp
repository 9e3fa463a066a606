#include "scene/flatten.h"

#include <gtest/gtest.h>

#include <limits>

#include "scene/scene_builder.h"
#include "warpath/error.h"

namespace warpath {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

std::string failure_of(Scene scene, InstanceSharing sharing = InstanceSharing::Auto) {
    try {
        flatten(std::move(scene), sharing);
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::BadInput);
        return error.what();
    }
    return "";
}

void expect_near(Vec3 a, Vec3 b) {
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(a[i], b[i], 1e-6f) << "component " << i;
}

TEST(flatten, places_each_instance_in_world_space) {
    const SceneData data =
        flatten(scene_of(unit_triangle(), {glm::dmat4(1.0), translation({10, 0, 0}) * scaling({2, 3, 4})}));
    ASSERT_EQ(data.columns.triangles.size(), 2u);
    EXPECT_EQ(data.num_meshes, 1u);
    EXPECT_EQ(data.num_instances, 2u);
    const Triangle& second = data.columns.triangles[1];
    EXPECT_EQ(data.columns.vertices[second.vertex[0]].place.position, Vec3(10, 0, 0));
    EXPECT_EQ(data.columns.vertices[second.vertex[1]].place.position, Vec3(12, 0, 0));
    EXPECT_EQ(data.columns.vertices[second.vertex[2]].place.position, Vec3(10, 3, 0));
    EXPECT_EQ(data.constants.bounds.lo, Vec3(0, 0, 0));
    EXPECT_EQ(data.constants.bounds.hi, Vec3(12, 3, 0));
}

TEST(flatten, rounds_positions_once_after_composing_in_double) {
    // In float, (1 + 1e8) - 1e8 loses the 1.
    const glm::dmat4 there_and_back = translation({-1e8, 0, 0}) * translation({1e8, 0, 0});
    const SceneData data = flatten(scene_of(unit_triangle(), {there_and_back}));
    EXPECT_EQ(data.columns.vertices[1].place.position, Vec3(1, 0, 0));
}

TEST(flatten, takes_normals_through_the_inverse_transpose) {
    // A plane leaning by 45 degrees, stretched along x: the normal leans towards the axis that was not stretched.
    Mesh mesh = unit_triangle();
    mesh.positions = {{1, 0, 0}, {0, 1, 0}, {0, 1, 1}};
    mesh.normals.assign(3, Vec3(std::sqrt(0.5f), std::sqrt(0.5f), 0));
    const SceneData data = flatten(scene_of(mesh, {scaling({3, 1, 1})}));
    const Vec3 edge = data.columns.vertices[1].place.position - data.columns.vertices[0].place.position;
    EXPECT_NEAR(dot(data.columns.vertices[0].facing.normal, edge), 0.0f, 1e-6f);
    expect_near(data.columns.vertices[0].facing.normal, Vec3(1, 3, 0) / std::sqrt(10.0f));
}

TEST(flatten, mirroring_flips_the_flag_and_keeps_normals_outside) {
    Mesh mesh = unit_triangle();
    mesh.normals.assign(3, Vec3(0, 0, 1));
    const SceneData data = flatten(scene_of(mesh, {scaling({-1, 1, 1}), scaling({1, 1, -1}), scaling({-1, -1, 1})}));
    EXPECT_EQ(data.columns.triangles[0].flags, uint32_t{triangle_flipped});
    expect_near(data.columns.vertices[0].facing.normal, Vec3(0, 0, 1));
    EXPECT_EQ(data.columns.triangles[1].flags, uint32_t{triangle_flipped});
    expect_near(data.columns.vertices[3].facing.normal, Vec3(0, 0, -1));
    EXPECT_EQ(data.columns.triangles[2].flags, 0u);  // two mirrorings are a turn
    expect_near(data.columns.vertices[6].facing.normal, Vec3(0, 0, 1));
}

TEST(flatten, bitangents_follow_the_surface_through_every_transform) {
    const Vec3 normal(0, 0, 1), bitangent(0, -1, 0);
    const Vec4 tangent(1, 0, 0, -1);  // -1 * cross(n, t) = (0, -1, 0)
    Mesh mesh = unit_triangle();
    mesh.normals.assign(3, normal);
    mesh.tangents.assign(3, tangent);
    for (const glm::dvec3 s : {glm::dvec3(1, 1, 1), glm::dvec3(-1, 1, 1), glm::dvec3(1, -1, 1), glm::dvec3(1, 1, -1),
                               glm::dvec3(-1, -1, -1)}) {
        const SceneData data = flatten(scene_of(mesh, {scaling(s)}));
        const Vec4 t = data.columns.tangents[0];
        expect_near(cross(data.columns.vertices[0].facing.normal, Vec3(t)) * t.w,
                    Vec3(glm::dmat3(scaling(s)) * glm::dvec3(bitangent)));
    }
}

TEST(flatten, unusable_normals_and_tangents_become_zero) {
    Mesh mesh = unit_triangle();
    mesh.normals = {{0, 0, 0}, {nan, 0, 1}, {0, 0, 5}};
    mesh.tangents = {{0, 0, 0, 1}, {nan, 0, 0, 1}, {1, 0, 0, nan}};
    const SceneData data = flatten(scene_of(mesh));
    EXPECT_EQ(data.columns.vertices[0].facing.normal, Vec3(0.0f));
    EXPECT_EQ(data.columns.vertices[1].facing.normal, Vec3(0.0f));
    EXPECT_EQ(data.columns.vertices[2].facing.normal, Vec3(0, 0, 1));
    for (const Vec4& tangent : data.columns.tangents) EXPECT_EQ(tangent.w, 0.0f);
}

TEST(flatten, leaves_out_triangles_without_area_or_with_bad_coordinates) {
    Mesh mesh = unit_triangle();
    mesh.name = "broken";
    const float inf = infinity;
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {nan, 0, 0}, {0, inf, 0}, {0, 0, 1e38f}, {2, 0, 0}, {7, 7, 7}};
    mesh.triangles = {{0, 1, 2}, {0, 1, 3}, {0, 4, 2}, {5, 1, 2}, {0, 1, 6}, {7, 7, 1}, {0, 2, 1}};
    const SceneData data = flatten(scene_of(mesh));
    ASSERT_EQ(data.columns.triangles.size(), 2u);
    EXPECT_EQ(data.columns.triangles[1].vertex[1], 2u);
    EXPECT_EQ(data.num_skipped_triangles, 5u);
    EXPECT_EQ(data.constants.bounds.hi, Vec3(1, 1, 0)) << "bounds hold kept triangles only";
    ASSERT_EQ(data.warnings.size(), 1u);
    EXPECT_EQ(
        data.warnings[0],
        "test.scene: 5 triangles left out: 3 with a NaN, infinite or larger than 1e18 coordinate, 2 with zero area "
        "(in mesh \"broken\")");
}

TEST(flatten, keeps_triangles_however_small_or_thin) {
    for (const double size : {0x1p-10, 1e-12, 1e-30, 1e17}) {
        const SceneData data = flatten(scene_of(unit_triangle(), {scaling(glm::dvec3(size))}));
        EXPECT_EQ(data.columns.triangles.size(), 1u) << size;
        EXPECT_TRUE(data.warnings.empty());
    }
    Mesh sliver = unit_triangle();
    sliver.positions = {{1, 1, 1}, {2, 2, 2}, {3, 3, std::nextafter(3.0f, 4.0f)}};
    EXPECT_EQ(flatten(scene_of(sliver)).columns.triangles.size(), 1u);
}

TEST(flatten, a_transform_that_collapses_everything_is_an_error) {
    const std::string message = failure_of(scene_of(unit_triangle(), {scaling({0, 1, 1})}));
    EXPECT_NE(message.find("test.scene: nothing to render: 1 triangle left out: 1 with zero area"), std::string::npos)
        << message;
}

TEST(flatten, a_scene_without_triangles_is_an_error) {
    const std::string expected = "test.scene: nothing to render: the scene has no triangles";
    Scene empty;
    empty.path = "test.scene";
    empty.warnings = {"it has points, which are left out"};
    Scene silent = empty;
    silent.warnings.clear();
    EXPECT_EQ(failure_of(std::move(silent)), expected);
    EXPECT_EQ(failure_of(std::move(empty)), expected + " (it has points, which are left out)");
    Mesh points = unit_triangle();
    points.triangles.clear();
    EXPECT_EQ(failure_of(scene_of(points)), expected);
    EXPECT_EQ(failure_of(scene_of(unit_triangle(), {})), expected) << "a mesh that nothing places is not drawn";
}

TEST(flatten, attribute_columns_stay_empty_unless_a_mesh_has_them) {
    const SceneData plain = flatten(scene_of(unit_triangle()));
    EXPECT_TRUE(plain.columns.tangents.empty() && plain.columns.uvs1.empty() && plain.columns.colors.empty());

    Scene scene = scene_of(unit_triangle());
    Mesh coloured = unit_triangle();
    coloured.colors.assign(3, Vec4(0.5f));
    coloured.uvs = {{0, 0}, {nan, 1}, {1, infinity}};
    scene.meshes.push_back(coloured);
    scene.instances.push_back({"coloured", 1, glm::dmat4(1.0)});
    const SceneData mixed = flatten(std::move(scene));
    ASSERT_EQ(mixed.columns.colors.size(), 6u);
    EXPECT_EQ(mixed.columns.colors[0], Vec4(1.0f)) << "neutral where a mesh has no colours";
    EXPECT_EQ(mixed.columns.colors[3], Vec4(0.5f));
    EXPECT_EQ(mixed.columns.vertices[4].uv(), Vec2(0.0f)) << "texture lookups never see NaN";
    EXPECT_EQ(mixed.columns.vertices[5].uv(), Vec2(0.0f));
}

TEST(flatten, gives_each_triangle_its_material) {
    Mesh mesh = unit_triangle();
    mesh.triangles = {{0, 1, 2}, {2, 1, 0}};
    mesh.material_ids = {1, 0};
    Scene scene = scene_of(mesh);
    scene.materials.emplace_back();
    scene.material_names.emplace_back("other");
    const SceneData data = flatten(std::move(scene));
    EXPECT_EQ(data.columns.triangles[0].material_id, 1u);
    EXPECT_EQ(data.columns.triangles[1].material_id, 0u);
    EXPECT_EQ(data.columns.triangles[0].light_id, invalid_id);
}

TEST(flatten, large_meshes_keep_their_order_when_triangles_are_left_out) {
    Mesh mesh;
    mesh.name = "strip";
    mesh.material_ids = {0};
    constexpr uint32_t num = 50000;  // many tasks
    for (uint32_t i = 0; i < num; ++i) mesh.positions.emplace_back(float(i), float(i % 2), 0.0f);
    for (uint32_t i = 0; i + 2 < num; ++i) mesh.triangles.emplace_back(i, i + 1, i % 10 == 0 ? i : i + 2);
    const SceneData data = flatten(scene_of(mesh));
    EXPECT_EQ(data.num_skipped_triangles, 5000u);
    uint32_t next = 0;
    for (const Triangle& triangle : data.columns.triangles) {
        if (next % 10 == 0) ++next;
        ASSERT_EQ(triangle.vertex[0], next++);
    }
}

TEST(flatten, broken_importer_output_is_refused) {
    Mesh mesh = unit_triangle();
    mesh.triangles = {{0, 1, 3}};
    EXPECT_THROW(flatten(scene_of(mesh)), Error);
    mesh = unit_triangle();
    mesh.uvs.resize(2);
    EXPECT_THROW(flatten(scene_of(mesh)), Error);
    mesh = unit_triangle();
    mesh.material_ids = {4};
    EXPECT_THROW(flatten(scene_of(mesh)), Error);
}

TEST(flatten, more_vertices_than_indices_can_name_is_an_error) {
    Mesh mesh = unit_triangle();
    mesh.positions.resize(1 << 20);
    const std::vector<glm::dmat4> placements(5000, glm::dmat4(1.0));
    EXPECT_NE(failure_of(scene_of(mesh, placements), InstanceSharing::Off).find("4294967294"), std::string::npos);
}

TEST(flatten, hands_over_what_the_light_tables_need) {
    Scene scene = scene_of(unit_triangle());
    scene.lights.emplace_back();
    scene.environment = Environment{};
    scene.environment->name = "sky";
    scene.sun = Sun{};
    scene.defaults.spp = 7;
    scene.warnings = {"earlier"};
    const SceneData data = flatten(std::move(scene));
    EXPECT_EQ(data.columns.lights.size(), 1u);
    EXPECT_EQ(data.environment->name, "sky");
    EXPECT_TRUE(data.sun.has_value());
    EXPECT_EQ(data.defaults.spp, 7u);
    EXPECT_EQ(data.warnings, std::vector<std::string>{"earlier"});
    EXPECT_EQ(data.material_names, std::vector<std::string>{"grey"});
}

TEST(flatten, view_shows_the_columns) {
    const SceneData data = flatten(scene_of(unit_triangle()));
    const SceneView view = data.view();
    EXPECT_EQ(view.triangles.data, data.columns.triangles.data());
    EXPECT_EQ(view.vertices.size, 3u);
    EXPECT_EQ(view.srgb_table.size, 256u);
    EXPECT_EQ(view.bounds.hi, Vec3(1, 1, 0));
    EXPECT_TRUE(view.tangents.empty());
}

}  // namespace
}  // namespace warpath
