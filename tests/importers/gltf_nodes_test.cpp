#include <cmath>

#include "importers/gltf_builder.h"

namespace warpath::test {

namespace {

using nlohmann::json;

/// A square, and these nodes instead of its own; scene 0 lists `roots`.
GltfBuilder with_nodes(json nodes, json roots) {
    GltfBuilder b;
    b.show_square();
    b.root["nodes"] = std::move(nodes);
    b.root["scenes"][0]["nodes"] = std::move(roots);
    return b;
}

glm::dvec3 moved(const Instance& instance, glm::dvec3 p) { return glm::dvec3(instance.to_world * glm::dvec4(p, 1.0)); }

void expect_near(glm::dvec3 a, glm::dvec3 b) {
    for (int c = 0; c < 3; ++c) EXPECT_NEAR(a[c], b[c], 1e-12);
}

json lights(json light) { return {{"KHR_lights_punctual", {{"lights", json::array({std::move(light)})}}}}; }

}  // namespace

TEST(GltfNodes, scale_comes_before_rotation_and_translation) {
    const double h = std::sqrt(0.5);  // a quarter turn about z, stored x y z w
    const Scene scene =
        with_nodes({{{"mesh", 0}, {"translation", {10, 20, 30}}, {"rotation", {0, 0, h, h}}, {"scale", {2, 3, 4}}}},
                   {0})
            .load();
    expect_near(moved(scene.instances.at(0), {1, 1, 1}), {10 - 3, 20 + 2, 30 + 4});
}

TEST(GltfNodes, matrices_are_column_major_and_children_follow_their_parents) {
    const Scene scene = with_nodes({{{"matrix", {0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1}}, {"children", {1}}},
                                    {{"mesh", 0}, {"translation", {1, 0, 0}}}},
                                   {0})
                            .load();
    expect_near(moved(scene.instances.at(0), {0, 0, 0}), {5, 7, 7});
    expect_near(moved(scene.instances.at(0), {1, 0, 0}), {5, 8, 7});
}

TEST(GltfNodes, a_shared_mesh_is_stored_once) {
    const Scene scene =
        with_nodes({{{"mesh", 0}, {"name", "left"}}, {{"mesh", 0}, {"translation", {3, 0, 0}}}}, {0, 1}).load();
    EXPECT_EQ(scene.meshes.size(), 1u);
    ASSERT_EQ(scene.instances.size(), 2u);
    EXPECT_EQ(scene.instances[0].name, "left");
    EXPECT_EQ(scene.instances[1].mesh, 0u);
}

TEST(GltfNodes, instancing_lists_places_of_the_mesh) {
    GltfBuilder b;
    b.show_square();
    const float h = std::sqrt(0.5f);
    const int translations = b.floats({1, 0, 0, 0, 2, 0, 0, 0, 3}, "VEC3", 3), scales = b.floats({1, 1, 1, 2, 2, 2, 1, 3, 1}, "VEC3", 3);
    const int rotations = b.floats({0, 0, 0, 1, 0, 0, h, h, 0, 0, 0, 0}, "VEC4", 4);
    b.root["extensionsUsed"] = {"EXT_mesh_gpu_instancing"};
    json& node = b.root["nodes"][0];
    node["translation"] = {10, 0, 0};
    node["extensions"]["EXT_mesh_gpu_instancing"]["attributes"] = {{"TRANSLATION", translations}, {"ROTATION", rotations}, {"SCALE", scales}, {"_ID", scales}};
    const Scene scene = b.load();
    EXPECT_TRUE(scene.warnings.empty());
    EXPECT_EQ(scene.meshes.size(), 1u);
    ASSERT_EQ(scene.instances.size(), 3u);
    expect_near(moved(scene.instances[0], {1, 1, 0}), {12, 1, 0});
    const glm::dvec3 turned = moved(scene.instances[1], {1, 0, 0});
    EXPECT_NEAR(turned.x, 10, 1e-6);
    EXPECT_NEAR(turned.y, 4, 1e-6);
    expect_near(moved(scene.instances[2], {1, 1, 0}), {11, 3, 3});
}

TEST(GltfNodes, instancing_that_contradicts_itself_is_an_error) {
    const auto error_with = [](auto change) {
        GltfBuilder b;
        b.show_square();
        const int three = b.floats({1, 0, 0, 0, 2, 0, 0, 0, 3}, "VEC3", 3), two = b.floats({1, 1, 1, 2, 2, 2}, "VEC3", 3);
        const int quads = b.floats({0, 0, 0, 1}, "VEC4", 4), bad = b.floats({NAN, 0, 0}, "VEC3", 3);
        json& attributes = b.root["nodes"][0]["extensions"]["EXT_mesh_gpu_instancing"]["attributes"];
        attributes = json::object();
        change(attributes, three, two, quads, bad);
        return b.error();
    };
    EXPECT_TRUE(says(error_with([](json& a, int three, int two, int, int) { a = {{"TRANSLATION", three}, {"SCALE", two}}; }), "as many"));
    EXPECT_TRUE(says(error_with([](json& a, int, int, int quads, int) { a = {{"TRANSLATION", quads}}; }), "TRANSLATION"));
    EXPECT_TRUE(says(error_with([](json& a, int, int, int, int bad) { a = {{"TRANSLATION", bad}}; }), "not finite"));
    EXPECT_TRUE(says(error_with([](json& a, int, int, int, int) { a = {{"TRANSLATION", 99}}; }), "99"));
    EXPECT_EQ(error_with([](json&, int, int, int, int) {}), "") << "no attributes: one place";
}

TEST(GltfNodes, only_the_default_scene_is_shown) {
    GltfBuilder b = with_nodes({{{"mesh", 0}}, {{"mesh", 0}}, {{"mesh", 0}, {"name", "lonely"}}}, {0, 1});
    b.root["scenes"].push_back({{"nodes", {2}}});
    EXPECT_EQ(b.load().instances.size(), 2u);
    b.root["scene"] = 1;
    EXPECT_EQ(b.load().instances.at(0).name, "lonely");
    b.root.erase("scene");
    EXPECT_EQ(b.load().instances.size(), 2u) << "the first scene";
    b.root.erase("scenes");
    b.root["nodes"][0]["children"] = {1};
    EXPECT_EQ(b.load().instances.size(), 3u) << "all roots, each child once";
}

TEST(GltfNodes, a_chain_of_a_hundred_thousand_nodes_loads) {
    GltfBuilder b;
    b.show_square();
    const int n = 100000;
    json nodes = json::array();
    for (int i = 0; i < n; ++i) nodes.push_back({{"translation", {0.0009765625, 0, 0}}, {"children", {i + 1}}});
    nodes.push_back({{"mesh", 0}});
    b.root["nodes"] = std::move(nodes);
    expect_near(moved(b.load().instances.at(0), {0, 0, 0}), {97.65625, 0, 0});
}

TEST(GltfNodes, anything_but_a_forest_is_refused) {
    EXPECT_TRUE(says(with_nodes({{{"children", {0}}}}, {0}).error(), "node 0 names itself as its own child"));
    EXPECT_TRUE(
        says(with_nodes({{{"mesh", 0}}, {{"children", {2}}}, {{"children", {1}}}}, {0}).error(), "cycle: node 1"));
    EXPECT_TRUE(says(with_nodes({{{"children", {2}}}, {{"children", {2}}}, {{"mesh", 0}}}, {0, 1}).error(),
                     "node 1 names node 2 as its child, but that has the parent node 0"));
    EXPECT_TRUE(says(with_nodes({{{"children", {1, 1}}}, {{"mesh", 0}}}, {0}).error(),
                     "node 0 names node 1 as its child twice"));
    EXPECT_TRUE(says(with_nodes({{{"children", {1}}}, {{"mesh", 0}}}, {0, 1}).error(), "scene 0 lists node 1"));
    EXPECT_TRUE(says(with_nodes({{{"mesh", 0}}}, {0, 0}).error(), "scene 0 lists node 0 twice"));
}

TEST(GltfNodes, references_out_of_range_name_kind_and_index) {
    EXPECT_TRUE(says(with_nodes({{{"children", {7}}}, {{"mesh", 0}}}, {0, 1}).error(),
                     "node 0 names child 7, but there are only 2 nodes"));
    EXPECT_TRUE(says(with_nodes({{{"mesh", 3}}}, {0}).error(), "node 0 names mesh 3, but there is only 1 mesh"));
    EXPECT_TRUE(says(with_nodes({{{"camera", 0}}}, {0}).error(), "node 0 names camera 0, but there are no cameras"));
    EXPECT_TRUE(says(with_nodes({{{"mesh", 0}}}, {4}).error(), "scene 0 names node 4, but there is only 1 node"));
    EXPECT_TRUE(says(with_nodes({{{"mesh", -1}}}, {0}).error(), "node 0 has a \"mesh\" that is not"));
    EXPECT_TRUE(says(with_nodes({{{"mesh", "zero"}}}, {0}).error(), "node 0 has a \"mesh\" that is not"));
}

TEST(GltfNodes, transforms_that_are_not_finite_or_affine_are_refused) {
    EXPECT_TRUE(
        says(with_nodes({{{"scale", {1e300, 1, 1}}, {"children", {1}}}, {{"mesh", 0}, {"scale", {1e300, 1, 1}}}}, {0})
                 .error(),
             "node 1 has a transform that is not finite"));
    EXPECT_TRUE(
        says(with_nodes({{{"mesh", 0}, {"matrix", {1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}}}}, {0}).error(),
             "node 0 has a matrix whose last row"));
    EXPECT_TRUE(says(with_nodes({{{"mesh", 0}, {"scale", {1, 2}}}}, {0}).error(),
                     "node 0 has a \"scale\" that is not an array of 3"));
    EXPECT_TRUE(warns(with_nodes({{{"mesh", 0}, {"rotation", {0, 0, 0, 0}}}}, {0}).load(), "rotation of zero length"));
}

TEST(GltfNodes, a_camera_looks_along_minus_z_of_its_node) {
    const double h = std::sqrt(0.5);
    GltfBuilder b =
        with_nodes({{{"mesh", 0}},
                    {{"camera", 1}, {"name", "first"}, {"translation", {4, 5, 6}}, {"rotation", {0, h, 0, h}}},
                    {{"camera", 0}}},
                   {0, 1, 2});
    b.root["cameras"] = {
        {{"type", "orthographic"}, {"orthographic", {{"xmag", 1}, {"ymag", 1}, {"znear", 0}, {"zfar", 9}}}},
        {{"type", "perspective"}, {"perspective", {{"yfov", 0.5}, {"znear", 0.1}}}}};
    const Scene scene = b.load();
    ASSERT_EQ(scene.cameras.size(), 1u) << "the orthographic one is left out";
    EXPECT_TRUE(warns(scene, "camera 0 is orthographic"));
    const Camera& camera = scene.cameras[0];
    EXPECT_EQ(camera.name, "first");
    EXPECT_EQ(camera.eye, Vec3(4, 5, 6));
    const Vec3 forward = normalize(camera.target - camera.eye);
    EXPECT_NEAR(forward.x, -1.0f, 1e-6f) << "a quarter turn about y takes -z to -x";
    EXPECT_NEAR(camera.up.y, 1.0f, 1e-6f);
    EXPECT_NEAR(camera.vfov_deg, 28.6478898f, 1e-5f);
}

TEST(GltfNodes, punctual_lights_stand_where_their_nodes_do) {
    GltfBuilder b = with_nodes({{{"mesh", 0}},
                                {{"translation", {1, 2, 3}},
                                 {"rotation", {1, 0, 0, 0}},
                                 {"scale", {2, 2, 2}},
                                 {"extensions", {{"KHR_lights_punctual", {{"light", 0}}}}}}},
                               {0, 1});
    b.root["extensions"] = lights({{"type", "spot"},
                                   {"color", {1, 0.5, 0}},
                                   {"intensity", 10},
                                   {"range", 7},
                                   {"spot", {{"innerConeAngle", 0.25}, {"outerConeAngle", 0.5}}}});
    const Scene scene = b.load();
    ASSERT_EQ(scene.lights.size(), 1u);
    const PunctualLight& light = scene.lights[0];
    EXPECT_EQ(light.kind, LightKind::Spot);
    EXPECT_EQ(light.position, Vec3(1, 2, 3));
    EXPECT_NEAR(light.direction.z, 1.0f, 1e-6f) << "a half turn about x takes -z to +z";
    EXPECT_EQ(light.intensity, Vec3(10, 5, 0)) << "scale does not change it";
    EXPECT_EQ(light.range, 7.0f);
    EXPECT_NEAR(light.cos_inner, 0.96891242f, 1e-6f);
    EXPECT_NEAR(light.cos_outer, 0.87758256f, 1e-6f);
}

TEST(GltfNodes, large_integers_stay_large) {
    GltfBuilder b = with_nodes({{{"mesh", 0}}, {{"extensions", {{"KHR_lights_punctual", {{"light", 0}}}}}}}, {0, 1});
    b.root["extensions"] = lights({{"type", "directional"}, {"intensity", 5000000000}});
    const Scene scene = b.load();
    EXPECT_EQ(scene.lights.at(0).kind, LightKind::Directional);
    EXPECT_EQ(scene.lights.at(0).intensity, Vec3(5e9f));
    EXPECT_EQ(scene.lights.at(0).direction, Vec3(0, 0, -1));
    b.root["nodes"][1]["extensions"]["KHR_lights_punctual"]["light"] = 1;
    EXPECT_TRUE(says(b.error(), "light 1, but there is only 1 light"));
}

}  // namespace warpath::test
