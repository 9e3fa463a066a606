#include "importers/gltf_builder.h"

namespace warpath::test {

namespace {

const std::vector<float> three_corners{0, 0, 0, 1, 0, 0, 0, 1, 0};

}  // namespace

TEST(GltfAccessors, sparse_values_replace_those_of_the_view) {
    GltfBuilder b;
    const int positions = b.floats(three_corners, "VEC3", 3);
    const int indices = b.view<uint16_t>({1});
    const int values = b.view<float>({5, 6, 7});
    b.root["accessors"][positions]["sparse"] = {{"count", 1},
                                                {"indices", {{"bufferView", indices}, {"componentType", gltf_u16}}},
                                                {"values", {{"bufferView", values}}}};
    b.show({{"attributes", {{"POSITION", positions}}}});
    const Scene scene = b.load();
    EXPECT_EQ(scene.meshes[0].positions[1], Vec3(5, 6, 7));
    EXPECT_EQ(scene.meshes[0].positions[2], Vec3(0, 1, 0));
}

TEST(GltfAccessors, a_sparse_accessor_without_a_view_starts_from_zeros) {
    GltfBuilder b;
    const int indices = b.view<uint8_t>({0, 2});
    const int values = b.view<float>({1, 2, 3, 4, 5, 6});
    const int positions = b.accessor({{"componentType", gltf_float},
                                      {"type", "VEC3"},
                                      {"count", 3},
                                      {"sparse",
                                       {{"count", 2},
                                        {"indices", {{"bufferView", indices}, {"componentType", gltf_u8}}},
                                        {"values", {{"bufferView", values}}}}}});
    b.show({{"attributes", {{"POSITION", positions}}}});
    const Scene scene = b.load();
    EXPECT_EQ(scene.meshes[0].positions[0], Vec3(1, 2, 3));
    EXPECT_EQ(scene.meshes[0].positions[1], Vec3(0, 0, 0));
    EXPECT_EQ(scene.meshes[0].positions[2], Vec3(4, 5, 6));
}

TEST(GltfAccessors, sparse_vertex_indices_need_no_view) {
    GltfBuilder b;
    const int positions = b.floats(three_corners, "VEC3", 3);
    const int targets = b.view<uint8_t>({1, 2});
    const int values = b.view<uint16_t>({2, 1});
    const int indices = b.accessor({{"componentType", gltf_u16},
                                    {"type", "SCALAR"},
                                    {"count", 3},
                                    {"sparse",
                                     {{"count", 2},
                                      {"indices", {{"bufferView", targets}, {"componentType", gltf_u8}}},
                                      {"values", {{"bufferView", values}}}}}});
    b.show({{"attributes", {{"POSITION", positions}}}, {"indices", indices}});
    EXPECT_EQ(b.load().meshes[0].triangles.at(0), UVec3(0, 2, 1));
}

TEST(GltfAccessors, sparse_indices_must_increase_and_stay_in_range) {
    for (const std::vector<uint16_t>& wrong : {std::vector<uint16_t>{1, 1}, {2, 1}, {1, 3}}) {
        GltfBuilder b;
        const int positions = b.floats(three_corners, "VEC3", 3);
        const int indices = b.view(wrong);
        const int values = b.view<float>({1, 2, 3, 4, 5, 6});
        b.root["accessors"][positions]["sparse"] = {{"count", 2},
                                                    {"indices", {{"bufferView", indices}, {"componentType", gltf_u16}}},
                                                    {"values", {{"bufferView", values}}}};
        b.show({{"attributes", {{"POSITION", positions}}}});
        EXPECT_TRUE(says(b.error(), "sparse index " + std::to_string(wrong[1]) + " of accessor 0"));
    }
}

TEST(GltfAccessors, stride_and_both_offsets_count) {
    GltfBuilder b;
    // Each vertex: a stray float, x y z, u v. One vertex of padding first.
    std::vector<float> mixed;
    for (int i = -1; i < 3; ++i) {
        const auto f = static_cast<float>(i);
        for (const float value : {99.0f, f, 10.0f + f, 20.0f + f, 0.25f * f, 1.0f - 0.25f * f}) mixed.push_back(value);
    }
    const int v = b.view(mixed);
    b.root["bufferViews"][v]["byteStride"] = 24;
    b.root["bufferViews"][v]["byteOffset"] = 24;
    b.root["bufferViews"][v]["byteLength"] = 72;
    const int positions = b.accessor(
        {{"bufferView", v}, {"byteOffset", 4}, {"componentType", gltf_float}, {"type", "VEC3"}, {"count", 3}});
    const int uvs = b.accessor(
        {{"bufferView", v}, {"byteOffset", 16}, {"componentType", gltf_float}, {"type", "VEC2"}, {"count", 3}});
    b.show({{"attributes", {{"POSITION", positions}, {"TEXCOORD_0", uvs}}}});
    const Scene scene = b.load();
    for (int i = 0; i < 3; ++i) {
        const auto f = static_cast<float>(i);
        EXPECT_EQ(scene.meshes[0].positions[static_cast<size_t>(i)], Vec3(f, 10 + f, 20 + f));
        EXPECT_EQ(scene.meshes[0].uvs[static_cast<size_t>(i)], Vec2(0.25f * f, 1 - 0.25f * f));
    }
}

TEST(GltfAccessors, integers_become_fractions_of_their_largest_value) {
    GltfBuilder b;
    const int positions = b.floats(three_corners, "VEC3", 3);
    const int uvs = b.data<uint16_t>({0, 65535, 65535, 0, 13107, 52428}, gltf_u16, "VEC2", 3);
    b.root["accessors"][uvs]["normalized"] = true;
    const int colors = b.data<uint8_t>({0, 51, 255, 102, 255, 0, 0, 255, 1, 2, 3, 4}, gltf_u8, "VEC4", 3);
    b.root["accessors"][colors]["normalized"] = true;
    const int normals = b.data<int16_t>({0, 0, 32767, 0, -32768, 0, 32767, 0, 0}, gltf_i16, "VEC3", 3);
    b.root["accessors"][normals]["normalized"] = true;
    b.show({{"attributes", {{"POSITION", positions}, {"TEXCOORD_0", uvs}, {"COLOR_0", colors}, {"NORMAL", normals}}}});
    const Scene scene = b.load();
    const Mesh& mesh = scene.meshes[0];
    EXPECT_EQ(mesh.uvs[0], Vec2(0, 1));
    EXPECT_EQ(mesh.uvs[2], Vec2(0.2f, 0.8f));
    EXPECT_EQ(mesh.colors[0], Vec4(0, 0.2f, 1, 0.4f));
    EXPECT_EQ(mesh.normals[0], Vec3(0, 0, 1));
    EXPECT_EQ(mesh.normals[1], Vec3(0, -1, 0));
}

TEST(GltfAccessors, quantised_positions_keep_their_own_values_unless_normalised) {
    GltfBuilder b;
    const int positions = b.data<int16_t>({0, 0, 0, 300, 0, 0, 0, -400, 5}, gltf_i16, "VEC3", 3);
    b.root["extensionsRequired"] = {"KHR_mesh_quantization"};
    b.show({{"attributes", {{"POSITION", positions}}}});
    const Scene scene = b.load();
    EXPECT_EQ(scene.meshes[0].positions[1], Vec3(300, 0, 0));
    EXPECT_EQ(scene.meshes[0].positions[2], Vec3(0, -400, 5));
}

TEST(GltfAccessors, a_colour_of_three_components_has_alpha_one) {
    GltfBuilder b;
    const int positions = b.floats(three_corners, "VEC3", 3);
    const int colors = b.floats({0.5f, 0.25f, 0, 1, 1, 1, 0, 0, 2}, "VEC3", 3);
    b.show({{"attributes", {{"POSITION", positions}, {"COLOR_0", colors}}}});
    const Scene scene = b.load();
    EXPECT_EQ(scene.meshes[0].colors[0], Vec4(0.5f, 0.25f, 0, 1));
    EXPECT_EQ(scene.meshes[0].colors[2], Vec4(0, 0, 1, 1)) << "more than 1 is clamped";
}

TEST(GltfAccessors, ranges_past_the_end_name_accessor_and_view) {
    GltfBuilder b;
    b.show_square();
    b.root["accessors"][0]["count"] = 5;
    EXPECT_TRUE(says(b.error(), "accessor 0 runs past the end of buffer view 0"));
    b.root["accessors"][0]["count"] = 4;
    b.root["accessors"][0]["byteOffset"] = 4;
    EXPECT_TRUE(says(b.error(), "accessor 0"));
    b.root["accessors"][0]["byteOffset"] = 0;
    b.root["bufferViews"][1]["byteLength"] = 14;
    EXPECT_TRUE(says(b.error(), "buffer view 1 runs past the end of buffer 0"));
}

TEST(GltfAccessors, wrong_types_and_strides_name_their_object) {
    GltfBuilder b;
    b.show_square();
    b.root["accessors"][1]["componentType"] = 5124;
    EXPECT_TRUE(says(b.error(), "accessor 1 has the unknown componentType 5124"));
    b.root["accessors"][1]["componentType"] = gltf_u16;
    b.root["accessors"][1]["type"] = "VEC5";
    EXPECT_TRUE(says(b.error(), "accessor 1 has the unknown type VEC5"));
    b.root["accessors"][1]["type"] = "SCALAR";
    for (const int stride : {2, 7, 256}) {
        b.root["bufferViews"][1]["byteStride"] = stride;
        EXPECT_TRUE(says(b.error(), "buffer view 1 has a byteStride of " + std::to_string(stride)));
    }
    b.root["bufferViews"][1].erase("byteStride");
    b.root["bufferViews"][0]["byteStride"] = 8;
    EXPECT_TRUE(says(b.error(), "accessor 0 has elements of 12 bytes"));
}

TEST(GltfAccessors, counts_that_would_overflow_are_refused) {
    for (const uint64_t huge :
         {uint64_t{1} << 31, uint64_t{1} << 32, uint64_t{1} << 53, uint64_t{1} << 62, ~uint64_t{0}}) {
        GltfBuilder b;
        b.show_square();
        b.root["accessors"][0]["count"] = huge;
        EXPECT_TRUE(says(b.error(), "accessor 0")) << huge;
        b.root["accessors"][0].erase("bufferView");
        EXPECT_TRUE(says(b.error(), "accessor 0")) << huge;
        b = {};
        b.show_square();
        b.root["bufferViews"][0]["byteOffset"] = huge;
        EXPECT_TRUE(says(b.error(), "buffer view 0")) << huge;
    }
}

}  // namespace warpath::test
