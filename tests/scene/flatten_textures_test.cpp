#include "scene/flatten_textures.h"

#include <gtest/gtest.h>

#include <cmath>

#include "scene/flatten.h"
#include "scene/scene_builder.h"
#include "warpath/error.h"

namespace warpath {
namespace {

Texture texture8(std::vector<uint8_t> texels) {
    Texture texture;
    texture.width = static_cast<uint32_t>(texels.size() / 4);
    texture.height = 1;
    texture.texels8 = std::move(texels);
    return texture;
}

/// Flags of the one triangle of a scene with this material, texture and vertex alpha.
uint32_t flags_of(Material material, Texture texture, float vertex_alpha = 1.0f) {
    Mesh mesh = unit_triangle();
    if (vertex_alpha != 1.0f) mesh.colors = {Vec4(1.0f), Vec4(1.0f), Vec4(1, 1, 1, vertex_alpha)};
    Scene scene = scene_of(mesh);
    scene.materials[0] = material;
    scene.textures.push_back(std::move(texture));
    return flatten(std::move(scene)).columns.triangles[0].flags;
}

Material with_mode(AlphaMode mode, float alpha = 1.0f) {
    Material material;
    material.alpha_mode = mode;
    material.alpha = alpha;
    return material;
}

Material with_texture(AlphaMode mode, uint8_t channel, bool invert = false) {
    Material material = with_mode(mode);
    material.alpha_tex.texture = 0;
    material.alpha_tex.channel = channel;
    material.alpha_tex.invert = invert;
    return material;
}

const Texture opaque_red = texture8({255, 0, 0, 255, 255, 0, 0, 255});
const Texture half_clear = texture8({255, 0, 0, 255, 255, 0, 0, 254});

TEST(alpha_flag, is_set_where_alpha_can_fall_below_one) {
    for (const AlphaMode mode : {AlphaMode::Mask, AlphaMode::Blend}) {
        EXPECT_EQ(flags_of(with_mode(mode, 0.9f), opaque_red), uint32_t{triangle_has_alpha});
        EXPECT_EQ(flags_of(with_texture(mode, 3), half_clear), uint32_t{triangle_has_alpha});
        EXPECT_EQ(flags_of(with_texture(mode, 1), opaque_red), uint32_t{triangle_has_alpha}) << "green is 0";
        EXPECT_EQ(flags_of(with_texture(mode, 0, true), opaque_red), uint32_t{triangle_has_alpha}) << "1 - red";
        EXPECT_EQ(flags_of(with_mode(mode), opaque_red, 0.5f), uint32_t{triangle_has_alpha}) << "vertex colour";
    }
}

TEST(alpha_flag, is_not_set_where_alpha_is_one_everywhere) {
    for (const AlphaMode mode : {AlphaMode::Mask, AlphaMode::Blend}) {
        EXPECT_EQ(flags_of(with_mode(mode), opaque_red), 0u);
        EXPECT_EQ(flags_of(with_texture(mode, 3), opaque_red), 0u);
        EXPECT_EQ(flags_of(with_texture(mode, 0), half_clear), 0u) << "red is 1";
        EXPECT_EQ(flags_of(with_texture(mode, 2, true), opaque_red), 0u) << "1 - blue";
    }
}

TEST(alpha_flag, is_never_set_for_opaque_materials) {
    EXPECT_EQ(flags_of(with_mode(AlphaMode::Opaque, 0.5f), opaque_red, 0.5f), 0u);
    EXPECT_EQ(flags_of(with_texture(AlphaMode::Opaque, 3), half_clear), 0u);
}

TEST(alpha_flag, is_set_for_a_cutoff_that_nothing_reaches) {
    Material material = with_mode(AlphaMode::Mask);
    material.alpha_cutoff = 1.5f;
    EXPECT_EQ(flags_of(material, opaque_red), uint32_t{triangle_has_alpha});
}

TEST(alpha_flag, sees_float_textures) {
    Texture texture;
    texture.width = texture.height = 1;
    texture.texels32 = {Vec4(1, 1, 1, 0.999f)};
    EXPECT_EQ(flags_of(with_texture(AlphaMode::Blend, 3), texture), uint32_t{triangle_has_alpha});
    EXPECT_EQ(flags_of(with_texture(AlphaMode::Blend, 0), texture), 0u);
}

TEST(pack_textures, lays_texels_end_to_end) {
    std::vector<Texture> textures{texture8({1, 2, 3, 4, 5, 6, 7, 8}), {}, texture8({9, 10, 11, 12})};
    textures[1].width = textures[1].height = 1;
    textures[1].texels32 = {Vec4(0.5f, 1, 2, 3)};
    textures[2].srgb = true;
    SceneColumns<HostColumn> columns;
    pack_textures(textures, columns);
    ASSERT_EQ(columns.texels8.size(), 3u);
    EXPECT_EQ(columns.texels8[1], 0x08070605u) << "R lies in the lowest byte";
    EXPECT_EQ(columns.textures[2].offset, 2u);
    EXPECT_EQ(columns.textures[2].srgb, 1);
    EXPECT_EQ(columns.textures[0].width, 2u);
    EXPECT_EQ(columns.textures[1].is_float, 1);
    EXPECT_EQ(columns.texels32[columns.textures[1].offset], Vec4(0.5f, 1, 2, 3));
}

TEST(pack_textures, refuses_texels_that_do_not_match_the_size) {
    std::vector<Texture> textures{texture8({1, 2, 3, 4})};
    textures[0].width = 2;
    SceneColumns<HostColumn> columns;
    EXPECT_THROW(pack_textures(textures, columns), Error);
}

TEST(srgb_table, decodes_known_values) {
    std::vector<Texture> none;
    SceneColumns<HostColumn> columns;
    pack_textures(none, columns);
    EXPECT_EQ(columns.srgb_table[0], 0.0f);
    EXPECT_EQ(columns.srgb_table[255], 1.0f);
    EXPECT_NEAR(columns.srgb_table[10], 10 / 255.0 / 12.92, 1e-8) << "the linear part";
    EXPECT_NEAR(columns.srgb_table[188], 0.5029, 5e-5);
    EXPECT_NEAR(columns.srgb_table[64], 0.0513, 5e-5);
}

}  // namespace
}  // namespace warpath
