#include "importers/texture_loader.h"

#include <gtest/gtest.h>

#include "importers/obj_image_bytes.h"
#include "importers/resource_path.h"
#include "support/temporary_folder.h"
#include "warpath/error.h"

namespace warpath::test {
namespace {

const std::string grey_png = png_bytes(1, 8, PngColor::Grey, {"\x80"});

TEST(TextureCache, loads_each_file_once_for_each_use) {
    const TemporaryFolder folder;
    folder.write("a.png", grey_png);
    Scene scene;
    TextureCache cache(scene);
    const uint32_t color = cache.from_file(folder / "a.png", TextureUse::Color);
    EXPECT_EQ(cache.from_file(folder.path() / "." / "a.png", TextureUse::Color), color);
    const uint32_t data = cache.from_file(folder / "a.png", TextureUse::Data);
    EXPECT_NE(color, data);
    EXPECT_EQ(scene.textures.size(), 2u);
    EXPECT_TRUE(scene.textures[color].srgb);
    EXPECT_FALSE(scene.textures[data].srgb);
    EXPECT_EQ(scene.textures[color].texels8[0], 128) << "8-bit texels stay as they are";
    EXPECT_TRUE(cache.facts(color).is_grey);
}

TEST(TextureCache, sixteen_bit_colours_are_decoded_but_alpha_and_data_are_not) {
    const std::string png = png_bytes(1, 16, PngColor::GreyAlpha, {std::string("\x80\x00\x80\x00", 4)});
    Scene scene;
    TextureCache cache(scene);
    const Texture& color = scene.textures[cache.from_memory(png.data(), png.size(), "a", TextureUse::Color)];
    EXPECT_FALSE(color.srgb);
    EXPECT_NEAR(color.texels32[0].x, 0.21405, 1e-5);
    EXPECT_NEAR(color.texels32[0].w, 0.50001, 1e-5);
    const Texture& data = scene.textures[cache.from_memory(png.data(), png.size(), "a", TextureUse::Data)];
    EXPECT_NEAR(data.texels32[0].x, 0.50001, 1e-5);
}

TEST(TextureCache, float_colours_are_linear_already) {
    const std::string hdr = hdr_bytes(1, 1, {std::string("\x80\x80\x80\x80", 4)});
    Scene scene;
    TextureCache cache(scene);
    EXPECT_EQ(scene.textures[cache.from_memory(hdr.data(), hdr.size(), "h", TextureUse::Color)].texels32[0].x, 0.5f);
}

TEST(TextureCache, a_missing_file_warns_once_and_shows_a_checker) {
    Scene scene;
    TextureCache cache(scene);
    const uint32_t index = cache.from_file("/nowhere/bark.png", TextureUse::Color);
    EXPECT_EQ(cache.from_file("/nowhere/bark.png", TextureUse::Color), index);
    EXPECT_EQ(cache.from_file("/nowhere/leaf.png", TextureUse::Color), index) << "one checker serves all";
    ASSERT_EQ(scene.warnings.size(), 2u);
    EXPECT_NE(scene.warnings[0].find("bark.png"), std::string::npos);
    EXPECT_TRUE(cache.facts(index).missing);
    const Texture& checker = scene.textures[index];
    EXPECT_EQ(checker.texels8.size(), 4u * checker.width * checker.height);
    EXPECT_EQ(checker.texels8[0], 255);
    EXPECT_EQ(checker.texels8[1], 0);
    EXPECT_EQ(checker.texels8[2], 255);
}

TEST(TextureCache, a_damaged_file_warns_with_its_name) {
    const TemporaryFolder folder;
    folder.write("cut.png", grey_png.substr(0, 40));
    Scene scene;
    TextureCache cache(scene);
    cache.from_file(folder / "cut.png", TextureUse::Color);
    ASSERT_EQ(scene.warnings.size(), 1u);
    EXPECT_NE(scene.warnings[0].find("cut.png"), std::string::npos);
}

TEST(TextureCache, data_uris_are_decoded) {
    Scene scene;
    TextureCache cache(scene);
    // A Radiance picture is text but for its pixels, so percent-encoding can hold it as well.
    const uint32_t a = cache.from_data_uri(
        "data:image/"
        "png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGPgEpFrAAABOACjKXjRTQAAAABJRU5ErkJggg==",
        "a", TextureUse::Color);
    EXPECT_EQ(scene.textures[a].texels8, (std::vector<uint8_t>{10, 20, 30, 128}));
    const uint32_t b = cache.from_data_uri("data:image/vnd.radiance,%23%3FRGBE%0A%0A-Y%201%20+X%201%0A%80%80%80%81",
                                           "b", TextureUse::Color);
    EXPECT_EQ(scene.textures[b].texels32[0].x, 1.0f);
    EXPECT_TRUE(scene.warnings.empty());
    cache.from_data_uri("data:image/png;base64,***", "c", TextureUse::Color);
    EXPECT_EQ(scene.warnings.size(), 1u);
}

TEST(DataUri, base64_of_every_length) {
    EXPECT_EQ(decode_data_uri("data:;base64,", "x"), "");
    EXPECT_EQ(decode_data_uri("data:;base64,TQ==", "x"), "M");
    EXPECT_EQ(decode_data_uri("data:;base64,TWE=", "x"), "Ma");
    EXPECT_EQ(decode_data_uri("data:;base64,TWFu", "x"), "Man");
    EXPECT_THROW(decode_data_uri("http://example.com/a.png", "x"), Error);
}

TEST(ResourcePath, backslashes_quotes_and_letter_case) {
    const TemporaryFolder folder;
    std::filesystem::create_directories(folder.path() / "Maps");
    folder.write("Maps/Bark.PNG", "x");
    const std::filesystem::path obj = folder / "tree.mtl";
    std::vector<std::string> warnings;
    EXPECT_EQ(resolve_resource(obj, "Maps\\Bark.PNG", warnings), folder.path() / "Maps" / "Bark.PNG");
    EXPECT_EQ(resolve_resource(obj, "\"Maps/Bark.PNG\"", warnings), folder.path() / "Maps" / "Bark.PNG");
    EXPECT_TRUE(warnings.empty());
    EXPECT_EQ(resolve_resource(obj, "maps\\bark.png", warnings), folder.path() / "Maps" / "Bark.PNG");
    EXPECT_EQ(warnings.size(), 1u);
}

TEST(ResourcePath, an_absolute_path_of_another_machine_is_looked_for_beside_the_file) {
    const TemporaryFolder folder;
    folder.write("bark.png", "x");
    std::vector<std::string> warnings;
    EXPECT_EQ(resolve_resource(folder / "tree.mtl", "C:\\artists\\jo\\bark.png", warnings), folder.path() / "bark.png");
    EXPECT_EQ(warnings.size(), 1u);
}

TEST(ResourcePath, what_is_nowhere_keeps_its_name) {
    const TemporaryFolder folder;
    std::vector<std::string> warnings;
    EXPECT_EQ(resolve_resource(folder / "tree.mtl", "gone\\away.png", warnings), folder.path() / "gone/away.png");
    EXPECT_TRUE(warnings.empty());
}

}  // namespace
}  // namespace warpath::test
