#include <random>

#include "importers/gltf_builder.h"

/// Damaged files must load or be refused with an Error; a crash, a hang or another exception fails these tests.
/// Their worth shows under the address sanitizer.
namespace warpath::test {

namespace {

using nlohmann::json;

/// A file with some of everything.
GltfBuilder rich_file() {
    GltfBuilder b;
    b.show_square();
    const int uvs = b.data<uint16_t>({0, 0, 65535, 0, 65535, 65535, 0, 65535}, gltf_u16, "VEC2", 4);
    b.root["accessors"][uvs]["normalized"] = true;
    b.primitive()["attributes"]["TEXCOORD_0"] = uvs;
    b.primitive()["material"] = 0;
    const int targets = b.view<uint16_t>({1, 3});
    const int values = b.view<float>({1, 0, 1, 0, 1, 1});
    b.root["accessors"][0]["sparse"] = {{"count", 2},
                                        {"indices", {{"bufferView", targets}, {"componentType", gltf_u16}}},
                                        {"values", {{"bufferView", values}}}};
    b.root["images"] = {{{"uri", one_pixel_png}}};
    b.root["samplers"] = {{{"wrapS", 33071}}};
    b.root["textures"] = {{{"source", 0}, {"sampler", 0}}};
    b.root["materials"] = {{{"pbrMetallicRoughness", {{"baseColorTexture", {{"index", 0}}}}},
                            {"alphaMode", "BLEND"},
                            {"extensions", {{"KHR_materials_transmission", {{"transmissionFactor", 1}}}}}}};
    b.root["cameras"] = {{{"type", "perspective"}, {"perspective", {{"yfov", 0.5}, {"znear", 0.1}}}}};
    b.root["nodes"][0]["children"] = {1};
    b.root["nodes"].push_back(
        {{"camera", 0}, {"rotation", {0, 0, 0, 1}}, {"extensions", {{"KHR_lights_punctual", {{"light", 0}}}}}});
    b.root["extensions"]["KHR_lights_punctual"]["lights"] = {{{"type", "point"}, {"intensity", 3}}};
    b.root["extensionsUsed"] = {"KHR_lights_punctual"};
    return b;
}

/// Loads it; true if it was accepted.
bool survives(const TemporaryFolder& folder, const std::string& bytes, const std::string& name) {
    try {
        import_gltf(folder.write(name, bytes));
        return true;
    } catch (const Error& error) {
        EXPECT_STRNE(error.what(), "");
        return false;
    }
}

}  // namespace

TEST(GltfHostile, the_undamaged_file_loads_without_a_warning) {
    EXPECT_TRUE(rich_file().load().warnings.empty());
    EXPECT_TRUE(GltfBuilder::load_text(rich_file().glb()).warnings.empty());
}

TEST(GltfHostile, every_truncation_is_refused) {
    const TemporaryFolder folder;
    for (const std::string& good : {rich_file().text(), rich_file().glb()})
        for (size_t length = 0; length < good.size(); length += 7)
            EXPECT_FALSE(survives(folder, good.substr(0, length), "cut.gltf")) << length;
}

TEST(GltfHostile, flipped_bytes_load_or_are_refused) {
    const TemporaryFolder folder;
    std::mt19937 random(1);
    for (const std::string& good : {rich_file().text(), rich_file().glb()}) {
        for (size_t at = 0; at < good.size(); ++at) {
            std::string bad = good;
            bad[at] = static_cast<char>(bad[at] ^ (1 << random() % 8));
            survives(folder, bad, "flipped.gltf");
        }
    }
}

TEST(GltfHostile, any_value_in_any_place_loads_or_is_refused) {
    const TemporaryFolder folder;
    const GltfBuilder good = rich_file();
    const json flat = json::parse(good.text()).flatten();
    const json values[] = {nullptr, -1,   0,   1,   255,           2147483647,     4294967295, 9007199254740993, 1e308,
                           -1e-308, true, "x", 0.5, json::array(), json::object(), {1, 2, 3},  {{"index", 0}}};
    for (const auto& [place, old] : flat.items()) {
        for (const json& value : values) {
            json bad = json::parse(good.text());
            bad[json::json_pointer(place)] = value;
            survives(folder, bad.dump(), "value.gltf");
        }
    }
}

TEST(GltfHostile, deep_nesting_is_refused) {
    const size_t depth = 1000000;
    const std::string deep =
        "{\"asset\":{\"version\":\"2.0\"},\"extras\":" + std::string(depth, '[') + std::string(depth, ']') + "}";
    EXPECT_TRUE(says(GltfBuilder::error_of_text(deep), "nested"));
}

TEST(GltfHostile, files_that_are_something_else_are_refused) {
    const TemporaryFolder folder;
    EXPECT_FALSE(survives(folder, "", "empty.gltf"));
    EXPECT_FALSE(survives(folder, std::string(1000, '\0'), "zeros.glb"));
    EXPECT_FALSE(survives(folder, "\xFF\xD8\xFF\xE0 not a scene", "picture.gltf"));
    EXPECT_THROW(import_gltf(folder / "absent.gltf"), Error);
    EXPECT_THROW(import_gltf(folder.path()), Error);
}

}  // namespace warpath::test
