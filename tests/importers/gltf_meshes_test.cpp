#include "importers/gltf_builder.h"

namespace warpath::test {

namespace {

/// Five corners in a row of two heights, as a strip or fan has them.
int five_positions(GltfBuilder& b) { return b.floats({0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0, 2, 0, 0}, "VEC3", 3); }

}  // namespace

TEST(GltfMeshes, strips_and_fans_become_triangles_of_one_winding) {
    GltfBuilder b;
    const int positions = five_positions(b);
    b.show({{"attributes", {{"POSITION", positions}}}, {"mode", 5}});
    b.show({{"attributes", {{"POSITION", positions}}}, {"mode", 6}});
    const Scene scene = b.load();
    EXPECT_EQ(scene.meshes[0].triangles, (std::vector<UVec3>{{0, 1, 2}, {1, 3, 2}, {2, 3, 4}}));
    EXPECT_EQ(scene.meshes[1].triangles, (std::vector<UVec3>{{1, 2, 0}, {2, 3, 0}, {3, 4, 0}}));
}

TEST(GltfMeshes, indices_of_every_width_are_read) {
    GltfBuilder b;
    const int positions = five_positions(b);
    const int indices[] = {b.data<uint8_t>({4, 2, 0}, gltf_u8, "SCALAR", 3),
                           b.data<uint16_t>({4, 2, 0}, gltf_u16, "SCALAR", 3),
                           b.data<uint32_t>({4, 2, 0}, gltf_u32, "SCALAR", 3)};
    for (const int accessor : indices) b.show({{"attributes", {{"POSITION", positions}}}, {"indices", accessor}});
    const Scene scene = b.load();
    ASSERT_EQ(scene.meshes.size(), 3u);
    for (const Mesh& mesh : scene.meshes) EXPECT_EQ(mesh.triangles, (std::vector<UVec3>{{4, 2, 0}}));
}

TEST(GltfMeshes, without_indices_every_three_vertices_are_a_triangle) {
    GltfBuilder b;
    b.show({{"attributes", {{"POSITION", b.floats(std::vector<float>(18, 1.0f), "VEC3", 3)}}}});
    EXPECT_EQ(b.load().meshes[0].triangles, (std::vector<UVec3>{{0, 1, 2}, {3, 4, 5}}));
}

TEST(GltfMeshes, absent_normals_stay_absent) {
    GltfBuilder b;
    b.show_square();
    const Scene scene = b.load();
    EXPECT_TRUE(scene.meshes[0].normals.empty());
    EXPECT_TRUE(scene.meshes[0].uvs.empty());
    EXPECT_TRUE(scene.meshes[0].colors.empty());
}

TEST(GltfMeshes, primitives_of_one_mesh_keep_their_materials_and_attributes) {
    GltfBuilder b;
    const int positions = b.floats({0, 0, 0, 1, 0, 0, 0, 1, 0}, "VEC3", 3);
    const int normals = b.floats({0, 0, 2, 0, 0, 1, 0, 0, 0}, "VEC3", 3);
    const int colors = b.floats(std::vector<float>(12, 0.5f), "VEC4", 4);
    b.root["materials"] = {nlohmann::json::object(), nlohmann::json::object()};
    b.show({{"attributes", {{"POSITION", positions}}}, {"material", 1}});
    nlohmann::json& primitives = b.root["meshes"][0]["primitives"];
    primitives.push_back({{"attributes", {{"POSITION", positions}, {"NORMAL", normals}}}, {"material", 0}});
    primitives.push_back({{"attributes", {{"POSITION", positions}, {"COLOR_0", colors}}}});
    const Scene scene = b.load();
    ASSERT_EQ(scene.meshes.size(), 1u);
    const Mesh& mesh = scene.meshes[0];
    EXPECT_EQ(mesh.material_ids, (std::vector<uint32_t>{1, 0, 2}));
    EXPECT_EQ(mesh.triangles, (std::vector<UVec3>{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}}));
    ASSERT_EQ(mesh.normals.size(), 9u);
    EXPECT_EQ(mesh.normals[0], Vec3(0)) << "the first primitive is flat";
    EXPECT_EQ(mesh.normals[3], Vec3(0, 0, 1)) << "normals are made unit";
    EXPECT_EQ(mesh.normals[5], Vec3(0)) << "a normal of no length means flat";
    ASSERT_EQ(mesh.colors.size(), 9u);
    EXPECT_EQ(mesh.colors[0], Vec4(1)) << "no colour multiplies by one";
    EXPECT_EQ(mesh.colors[8], Vec4(0.5f));
    ASSERT_EQ(scene.materials.size(), 3u);
    EXPECT_EQ(scene.materials[2].metallic, 1.0f) << "the default material";
}

TEST(GltfMeshes, primitives_with_the_same_accessors_share_vertices) {
    GltfBuilder b;
    b.show_square();
    b.root["meshes"][0]["primitives"].push_back(b.primitive());
    const Scene scene = b.load();
    EXPECT_EQ(scene.meshes[0].positions.size(), 4u);
    EXPECT_EQ(scene.meshes[0].triangles.size(), 4u);
}

TEST(GltfMeshes, tangents_keep_handedness_and_need_normals) {
    GltfBuilder b;
    const int positions = b.floats({0, 0, 0, 1, 0, 0, 0, 1, 0}, "VEC3", 3);
    const int normals = b.floats({0, 0, 1, 0, 0, 1, 0, 0, 1}, "VEC3", 3);
    const int tangents = b.floats({2, 0, 0, -1, 1, 0, 0, 1, 0, 0, 0, 1}, "VEC4", 4);
    b.show({{"attributes", {{"POSITION", positions}, {"NORMAL", normals}, {"TANGENT", tangents}}}});
    b.show({{"attributes", {{"POSITION", positions}, {"TANGENT", tangents}}}});
    const Scene scene = b.load();
    EXPECT_EQ(scene.meshes[0].tangents[0], Vec4(1, 0, 0, -1));
    EXPECT_EQ(scene.meshes[0].tangents[1], Vec4(1, 0, 0, 1));
    EXPECT_EQ(scene.meshes[0].tangents[2], Vec4(0)) << "no direction: to be derived";
    EXPECT_TRUE(scene.meshes[1].tangents.empty());
}

TEST(GltfMeshes, points_and_lines_are_left_out_with_one_warning) {
    GltfBuilder b;
    b.show_square();
    for (int mode = 0; mode <= 3; ++mode) b.show({{"attributes", {{"POSITION", 0}}}, {"mode", mode}});
    const Scene scene = b.load();
    EXPECT_EQ(scene.meshes.size(), 1u);
    EXPECT_EQ(scene.instances.size(), 1u);
    ASSERT_EQ(scene.warnings.size(), 1u);
    EXPECT_TRUE(says(scene.warnings[0], "points or lines"));
}

TEST(GltfMeshes, an_incomplete_last_triangle_is_named) {
    GltfBuilder b;
    b.show({{"attributes", {{"POSITION", five_positions(b)}}}});
    const Scene scene = b.load();
    EXPECT_EQ(scene.meshes[0].triangles.size(), 1u);
    EXPECT_TRUE(warns(scene, "mesh 0, primitive 0 has 5 corners"));
}

TEST(GltfMeshes, a_vertex_index_out_of_range_names_primitive_and_value) {
    GltfBuilder b;
    const int positions = b.floats({0, 0, 0, 1, 0, 0, 0, 1, 0}, "VEC3", 3);
    for (const uint16_t wrong : {uint16_t{3}, uint16_t{65535}}) {
        const int indices = b.data<uint16_t>({0, 1, wrong}, gltf_u16, "SCALAR", 3);
        b.root["meshes"] = b.root["nodes"] = nullptr;
        b.root.erase("scenes");
        b.show({{"attributes", {{"POSITION", positions}}}, {"indices", indices}});
        EXPECT_TRUE(says(b.error(), "mesh 0, primitive 0: vertex index " + std::to_string(wrong)));
    }
}

TEST(GltfMeshes, broken_attributes_are_refused) {
    GltfBuilder b;
    b.show_square();
    const nlohmann::json good = b.primitive();
    b.primitive()["attributes"] = {{"NORMAL", 0}};
    EXPECT_TRUE(says(b.error(), "mesh 0, primitive 0 has no POSITION"));
    b.primitive() = good;
    b.primitive()["attributes"]["NORMAL"] = b.floats({0, 0, 1}, "VEC3", 3);
    EXPECT_TRUE(says(b.error(), "its NORMAL, accessor 2, has 1 elements, but there are 4 positions"));
    b.primitive() = good;
    b.primitive()["attributes"]["TEXCOORD_0"] = 0;
    EXPECT_TRUE(says(b.error(), "its TEXCOORD_0, accessor 0, has a type"));
    b.primitive() = good;
    b.primitive()["indices"] = 0;
    EXPECT_TRUE(says(b.error(), "accessor 0 holds vertex indices"));
    b.primitive() = good;
    b.primitive()["mode"] = 7;
    EXPECT_TRUE(says(b.error(), "mode 7"));
}

TEST(GltfMeshes, compressed_geometry_without_a_plain_copy_is_refused) {
    GltfBuilder b;
    b.show_square();
    b.root["extensionsUsed"] = {"KHR_draco_mesh_compression"};
    b.primitive()["extensions"]["KHR_draco_mesh_compression"] = {{"bufferView", 0}};
    EXPECT_TRUE(warns(b.load(), "KHR_draco_mesh_compression")) << "the plain copy is there";
    b.root["accessors"][0].erase("bufferView");
    EXPECT_TRUE(says(b.error(), "KHR_draco_mesh_compression"));
}

}  // namespace warpath::test
