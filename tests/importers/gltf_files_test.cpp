#include "importers/gltf_builder.h"
#include "importers/gltf_uri.h"

namespace warpath::test {

namespace {

GltfBuilder square() {
    GltfBuilder b;
    b.show_square();
    return b;
}

std::string error_of_file(const std::filesystem::path& path) {
    try {
        import_gltf(path);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST(GltfFiles, an_external_buffer_is_found_beside_the_file_under_its_decoded_name) {
    GltfBuilder b = square();
    const TemporaryFolder folder;
    for (const auto& [uri, name] :
         {std::pair{"a%20b.bin", "a b.bin"}, {"100%.bin", "100%.bin"}, {".\\c.bin", "c.bin"}}) {
        b.root["buffers"] = {{{"byteLength", b.bytes.size()}, {"uri", uri}}};
        folder.write(name, b.bytes + "more than promised");
        EXPECT_EQ(import_gltf(folder.write("s.gltf", b.text())).meshes.at(0).triangles.size(), 2u) << uri;
    }
}

TEST(GltfFiles, a_missing_or_short_buffer_is_named) {
    GltfBuilder b = square();
    b.root["buffers"] = {{{"byteLength", b.bytes.size()}, {"uri", "geometry.bin"}}};
    const TemporaryFolder folder;
    const auto path = folder.write("s.gltf", b.text());
    EXPECT_TRUE(says(error_of_file(path), "buffer 0"));
    EXPECT_TRUE(says(error_of_file(path), "geometry.bin"));
    folder.write("geometry.bin", b.bytes.substr(1));
    EXPECT_TRUE(says(error_of_file(path), "buffer 0 promises 60 bytes"));
    b.root["buffers"][0]["uri"] = "https://example.com/geometry.bin";
    EXPECT_TRUE(says(b.error(), "only local files"));
    b.root["buffers"][0].erase("uri");
    EXPECT_TRUE(says(b.error(), "buffer 0 has no \"uri\""));
}

TEST(GltfFiles, a_uri_never_reaches_a_shell) {
    GltfBuilder b = square();
    const TemporaryFolder folder;
    const std::string mark = (folder / "made_by_shell").string();
    b.root["buffers"] = {{{"byteLength", b.bytes.size()}, {"uri", "$(touch " + mark + ").bin"}}};
    EXPECT_NE(error_of_file(folder.write("s.gltf", b.text())), "");
    EXPECT_FALSE(std::filesystem::exists(mark));
}

TEST(GltfFiles, a_buffer_that_is_no_regular_file_is_refused) {
    GltfBuilder b = square();
    b.root["buffers"] = {{{"byteLength", b.bytes.size()}, {"uri", "../../../../../../dev/zero"}}};
    EXPECT_TRUE(says(b.error(), "buffer 0"));
}

TEST(GltfFiles, data_uris_of_any_media_type_are_read) {
    GltfBuilder b = square();
    for (const char* type : {"application/gltf-buffer", "", "application/octet-stream;charset=binary"}) {
        b.root["buffers"] = {{{"byteLength", b.bytes.size()},
                              {"uri", "data:" + std::string(type) + ";base64," + encode_base64(b.bytes)}}};
        EXPECT_EQ(b.load().meshes.size(), 1u) << type;
    }
    b.root["buffers"][0]["uri"] = "data:application/octet-stream;base64,!!!!";
    EXPECT_TRUE(says(b.error(), "buffer 0"));
}

TEST(GltfFiles, the_binary_container_is_read_whatever_its_name) {
    const Scene scene = GltfBuilder::load_text(square().glb(), "scene.bin");
    EXPECT_EQ(scene.meshes.at(0).triangles.size(), 2u);
}

TEST(GltfFiles, a_broken_container_is_refused) {
    const std::string good = square().glb();
    EXPECT_TRUE(says(GltfBuilder::error_of_text(good.substr(0, 9)), "cut short"));
    EXPECT_TRUE(says(GltfBuilder::error_of_text(good.substr(0, good.size() - 1)), "promises"));
    std::string wrong = good;
    wrong[4] = 1;
    EXPECT_TRUE(says(GltfBuilder::error_of_text(wrong), "GLB version 1"));
    wrong = good;
    wrong[16] = 'X';
    EXPECT_TRUE(says(GltfBuilder::error_of_text(wrong), "not JSON"));
    wrong = good;
    wrong[15] = '\x7f';
    EXPECT_TRUE(says(GltfBuilder::error_of_text(wrong), "chunk 0"));
}

TEST(GltfFiles, other_json_is_left_to_other_importers_unless_the_name_claims_it) {
    for (const char* text : {"{}", "{\"camera\": {}}", "[1, 2]", "{ broken"}) {
        EXPECT_THROW(GltfBuilder::load_text(text, "scene.txt"), FormatNotSupported) << text;
        EXPECT_NE(GltfBuilder::error_of_text(text, "scene.gltf"), "") << text;
        try {
            GltfBuilder::load_text(text, "scene.GLTF");
        } catch (const FormatNotSupported&) {
            ADD_FAILURE() << text;
        } catch (const Error&) {
        }
    }
}

TEST(GltfFiles, syntax_errors_name_file_and_line) {
    const std::string error = GltfBuilder::error_of_text("{\"asset\":\n{\"version\": \"2.0\"},,}");
    EXPECT_TRUE(says(error, "test.gltf"));
    EXPECT_TRUE(says(error, "line 2"));
}

TEST(GltfFiles, other_versions_are_refused) {
    GltfBuilder b = square();
    b.root["asset"] = {{"version", "1.0"}};
    EXPECT_TRUE(says(b.error(), "1.0"));
    b.root["asset"] = {{"version", "2.1"}, {"minVersion", "2.1"}};
    EXPECT_TRUE(says(b.error(), "minVersion"));
    b.root["asset"] = {{"version", "2.1"}};
    EXPECT_EQ(b.error(), "") << "minor versions are compatible";
    b.root["asset"] = nullptr;
    EXPECT_TRUE(says(b.error(), "asset"));
}

TEST(GltfFiles, a_required_extension_is_an_error_and_a_used_one_a_warning) {
    GltfBuilder b = square();
    b.root["extensionsUsed"] = {"ACME_lid", "KHR_materials_ior", "ACME_lid"};
    const Scene scene = b.load();
    ASSERT_EQ(scene.warnings.size(), 1u);
    EXPECT_TRUE(says(scene.warnings[0], "ACME_lid"));
    b.root["extensionsRequired"] = {"KHR_texture_transform"};
    EXPECT_EQ(b.error(), "");
    for (const char* name :
         {"ACME_lid", "KHR_draco_mesh_compression", "EXT_meshopt_compression", "KHR_texture_basisu"}) {
        b.root["extensionsRequired"] = {"KHR_texture_transform", name};
        EXPECT_TRUE(says(b.error(), name));
    }
}

TEST(GltfFiles, integers_written_with_a_fraction_of_zero_are_read) {
    GltfBuilder b = square();
    b.root["accessors"][0]["count"] = 4.0;
    b.root["nodes"][0]["mesh"] = 0.0;
    EXPECT_EQ(b.load().meshes.at(0).positions.size(), 4u);
    b.root["nodes"][0]["mesh"] = 0.5;
    EXPECT_TRUE(says(b.error(), "node 0"));
}

TEST(GltfFiles, percent_escapes_are_decoded_and_other_text_kept) {
    EXPECT_EQ(percent_decode("a%20b%C3%a9.png"), "a b\xC3\xA9.png");
    EXPECT_EQ(percent_decode("100%"), "100%");
    EXPECT_EQ(percent_decode("%zz%4"), "%zz%4");
    EXPECT_EQ(percent_decode("%41"), "A");
}

}  // namespace warpath::test
