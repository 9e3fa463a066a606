// What stays shared, what is laid out, and which triangle a prim_id names.

#include <gtest/gtest.h>

#include <limits>

#include "scene/flatten.h"
#include "scene/scene_builder.h"
#include "warpath/error.h"

namespace warpath {
namespace {

/// Two meshes: a triangle of the material 0, and a square of the material 1.
Scene two_meshes() {
    Scene scene = scene_of(unit_triangle(), {});
    Mesh square;
    square.name = "square";
    square.positions = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    square.triangles = {{0, 1, 2}, {0, 2, 3}};
    square.material_ids = {1};
    scene.meshes.push_back(square);
    scene.materials.emplace_back();
    scene.material_names.emplace_back("white");
    return scene;
}
void place(Scene& scene, uint32_t mesh, const glm::dmat4& to_world, const std::string& name = "") {
    scene.instances.push_back({name, mesh, to_world});
}

Vec3 corner_of(const SceneData& data, uint32_t prim_id, int i) {
    const SceneView view = data.view();
    const PrimPlace prim = find_prim(view, prim_id);
    const Vec3 p = view.vertices[view.triangles[prim.triangle].vertex[i]];
    return prim.instance == invalid_id ? p : view.instances[prim.instance].to_world.point(p);
}

TEST(sharing, keeps_a_mesh_of_several_instances_once) {
    Scene scene = two_meshes();
    place(scene, 1, translation({0, 0, 1}), "first");
    place(scene, 0, translation({0, 0, 2}), "single");
    place(scene, 1, translation({0, 0, 3}) * scaling({2, 1, 1}), "second");
    const SceneData data = flatten(std::move(scene), InstanceSharing::On);
    EXPECT_EQ(data.columns.triangles.size(), 3u);
    EXPECT_EQ(data.columns.vertices.size(), 7u);
    EXPECT_EQ(data.num_prims, 5u);
    EXPECT_EQ(data.constants.num_world_triangles, 1u);
    ASSERT_EQ(data.columns.instances.size(), 2u);
    ASSERT_EQ(data.shared_meshes.size(), 1u);
    EXPECT_EQ(data.shared_meshes[0].first_triangle, 1u);
    EXPECT_EQ(data.shared_meshes[0].num_triangles, 2u);
    EXPECT_EQ(corner_of(data, 0, 1), Vec3(1, 0, 2));
    EXPECT_EQ(corner_of(data, 1, 2), Vec3(1, 1, 1));
    EXPECT_EQ(corner_of(data, 2, 2), Vec3(0, 1, 1));
    EXPECT_EQ(corner_of(data, 3, 2), Vec3(2, 1, 3));
    EXPECT_EQ(corner_of(data, 4, 1), Vec3(2, 1, 3));
    EXPECT_LE(data.constants.bounds.lo.z, 1.0f);
    EXPECT_GE(data.constants.bounds.hi.x, 2.0f);
    EXPECT_LT(data.constants.bounds.hi.x, 2.001f);
    // Objects in the order of their ids, each with its name.
    ASSERT_EQ(data.objects.size(), 3u);
    const char* names[] = {"single", "first", "second"};
    const uint32_t ids[] = {0, 1, 3};
    for (size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(data.object_names[data.objects[i].name], names[i]);
        EXPECT_EQ(data.objects[i].first_id, ids[i]);
    }
}

TEST(sharing, off_lays_everything_out_and_auto_does_for_small_scenes) {
    for (const InstanceSharing mode : {InstanceSharing::Off, InstanceSharing::Auto}) {
        Scene scene = two_meshes();
        for (int i = 0; i < 10; ++i) place(scene, 1, translation({0, 0, i}));
        const SceneData data = flatten(std::move(scene), mode);
        EXPECT_EQ(data.columns.triangles.size(), 20u);
        EXPECT_EQ(data.constants.num_world_triangles, invalid_id);
        EXPECT_TRUE(data.columns.instances.empty());
        EXPECT_EQ(data.num_prims, 20u);
    }
}

TEST(sharing, auto_lays_out_what_copies_least_up_to_its_limit) {
    Scene scene = two_meshes();
    Mesh large = scene.meshes[1];
    large.name = "large";
    large.triangles.assign(max_copied_triangles / 4, {0, 1, 2});
    scene.meshes.push_back(large);
    for (int i = 0; i < 6; ++i) place(scene, 2, translation({0, 0, i}));
    for (int i = 0; i < 50; ++i) place(scene, 1, translation({0, 1, i}));
    const SceneData data = flatten(std::move(scene), InstanceSharing::Auto);
    EXPECT_EQ(data.columns.instances.size(), 6u);
    EXPECT_EQ(data.constants.num_world_triangles, 100u) << "the squares are laid out";
    EXPECT_EQ(data.columns.triangles.size(), 100u + max_copied_triangles / 4);
}

TEST(sharing, lays_out_what_emits) {
    Scene scene = two_meshes();
    scene.materials[1].emission = Vec3(1.0f);
    for (int i = 0; i < 3; ++i) place(scene, 1, translation({0, 0, i})), place(scene, 0, translation({0, 1, i}));
    const SceneData data = flatten(std::move(scene), InstanceSharing::On);
    EXPECT_EQ(data.constants.num_world_triangles, 6u);
    EXPECT_EQ(data.columns.instances.size(), 3u);
}

TEST(sharing, lays_out_instances_whose_transform_has_no_inverse_or_stretches_too_much) {
    Scene scene = two_meshes();
    place(scene, 1, translation({0, 0, 1}));
    place(scene, 1, scaling({1, 0, 1}));       // its triangles have no area, and are left out as ever
    place(scene, 1, scaling({1, 1, 0}));       // these have; they lie in the plane z = 0
    place(scene, 1, scaling({1, 1, 1e-4}));
    place(scene, 1, translation({0, 0, 2}));
    place(scene, 1, scaling(glm::dvec3(1e-20)));
    place(scene, 1, translation({1e19, 0, 0}));
    const SceneData data = flatten(std::move(scene), InstanceSharing::On);
    EXPECT_EQ(data.columns.instances.size(), 2u);
    EXPECT_EQ(data.constants.num_world_triangles, 6u);
    EXPECT_EQ(data.num_skipped_triangles, 4u);
}

TEST(sharing, counts_triangles_that_are_left_out_for_each_instance) {
    Scene scene = two_meshes();
    scene.meshes[1].positions.push_back({std::numeric_limits<float>::quiet_NaN(), 0, 0});  // that no triangle uses
    scene.meshes[1].triangles.insert(scene.meshes[1].triangles.begin(), {0, 0, 1});
    for (int i = 0; i < 3; ++i) place(scene, 1, translation({0, 0, i}));
    place(scene, 0, glm::dmat4(1.0));
    const SceneData data = flatten(std::move(scene), InstanceSharing::On);
    EXPECT_EQ(data.num_skipped_triangles, 3u);
    EXPECT_EQ(data.shared_meshes[0].num_triangles, 2u);
    EXPECT_EQ(data.num_prims, 7u);
    EXPECT_EQ(corner_of(data, 6, 2), Vec3(0, 1, 2));
}

TEST(sharing, a_mesh_with_a_bad_coordinate_is_laid_out) {
    Scene scene = two_meshes();
    scene.meshes[1].positions[2].x = std::numeric_limits<float>::infinity();
    place(scene, 0, glm::dmat4(1.0));
    for (int i = 0; i < 3; ++i) place(scene, 1, translation({0, 0, i}));
    const SceneData data = flatten(std::move(scene), InstanceSharing::On);
    EXPECT_TRUE(data.columns.instances.empty());
    EXPECT_EQ(data.num_skipped_triangles, 6u);
}

TEST(sharing, a_mesh_of_nothing_but_degenerate_triangles_leaves_nothing) {
    Scene scene = two_meshes();
    scene.meshes[1].triangles = {{0, 0, 1}};
    for (int i = 0; i < 3; ++i) place(scene, 1, translation({0, 0, i}));
    EXPECT_THROW(flatten(Scene(scene), InstanceSharing::On), Error);
    place(scene, 0, glm::dmat4(1.0));
    EXPECT_EQ(flatten(std::move(scene), InstanceSharing::On).num_prims, 1u);
}

TEST(sharing, remembers_mirrorings) {
    Scene scene = two_meshes();
    place(scene, 1, scaling({-1, 1, 1}));
    place(scene, 1, scaling({-1, -1, 1}));
    const SceneData data = flatten(std::move(scene), InstanceSharing::On);
    EXPECT_EQ(data.columns.instances[0].mirrored, 1u);
    EXPECT_EQ(data.columns.instances[1].mirrored, 0u);
    EXPECT_FLOAT_EQ(data.columns.instances[1].stretch, 1.0f);
}

TEST(sharing, more_ids_than_there_are_is_an_error_in_one_sentence) {
    Scene scene = two_meshes();
    scene.meshes[1].triangles.assign(1u << 20, {0, 1, 2});
    for (int i = 0; i < 4100; ++i) place(scene, 1, translation({0, 0, i}));
    try {
        flatten(std::move(scene), InstanceSharing::On);
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::BadInput);
        EXPECT_NE(std::string(error.what()).find("4294967294 triangles"), std::string::npos) << error.what();
    }
}

TEST(sharing, finds_the_instance_of_any_id) {
    Scene scene = two_meshes();
    for (int i = 0; i < 1000; ++i) place(scene, static_cast<uint32_t>(i % 2), translation({0, 0, i}));
    const SceneData data = flatten(std::move(scene), InstanceSharing::On);
    const SceneView view = data.view();
    ASSERT_EQ(data.num_prims, 1500u);
    for (uint32_t id = 0; id < 1500; ++id) {
        const PrimPlace prim = find_prim(view, id);
        ASSERT_EQ(prim.instance, id / 3 * 2 + (id % 3 > 0));
        ASSERT_EQ(prim.triangle, id % 3);
    }
}

}  // namespace
}  // namespace warpath
