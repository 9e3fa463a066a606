#include "materials/material_params.h"

#include <gtest/gtest.h>

#include <vector>

namespace warpath::test {
namespace {

/// One float texture of a single texel.
struct OneTexel {
    std::vector<Vec4> texels;
    std::vector<TextureInfo> infos{{1, 1, 0, 1, 0, {}}};

    explicit OneTexel(Vec4 texel) : texels{texel} {}
    SceneView view() const {
        SceneView v;
        v.textures = {infos.data(), 1};
        v.texels32 = {texels.data(), 1};
        return v;
    }
};

TextureRef texture(uint8_t channel = 0) {
    TextureRef ref;
    ref.texture = 0, ref.channel = channel;
    return ref;
}

TEST(MaterialParams, textures_and_vertex_colours_multiply_factors) {
    const OneTexel scene({0.5f, 0.25f, 0.75f, 0.125f});
    Material m;
    m.base_color = {0.8f, 0.4f, 1.0f}, m.metallic = 0.8f, m.roughness = 0.8f, m.specular = 0.4f, m.transmission = 0.4f;
    m.emission = {2.0f, 4.0f, 8.0f};
    m.base_color_tex = m.emission_tex = texture();
    m.metallic_tex = texture(2), m.roughness_tex = texture(1), m.specular_tex = texture(3),
    m.transmission_tex = texture(0);
    const SurfaceInputs at{Vec2(0.3f), Vec2(0.0f), Vec4(0.5f, 1.0f, 0.5f, 1.0f)};
    const MaterialParams p = resolve_material(scene.view(), m, at, true);
    EXPECT_FLOAT_EQ(p.base_color.x, 0.8f * 0.5f * 0.5f);
    EXPECT_FLOAT_EQ(p.base_color.y, 0.4f * 0.25f);
    EXPECT_FLOAT_EQ(p.base_color.z, 0.75f * 0.5f);
    EXPECT_FLOAT_EQ(p.metallic, 0.6f);
    EXPECT_FLOAT_EQ(p.alpha, 0.2f * 0.2f);
    EXPECT_FLOAT_EQ(p.specular, 0.05f);
    EXPECT_FLOAT_EQ(p.transmission, 0.2f);
    EXPECT_EQ(p.emission, Vec3(1.0f, 1.0f, 6.0f));
}

TEST(MaterialParams, only_a_solid_that_transmits_has_an_inside) {
    Material m;
    EXPECT_FLOAT_EQ(resolve_material({}, m, {}, true).eta, 1.5f);
    EXPECT_FLOAT_EQ(resolve_material({}, m, {}, false).eta, 1.5f);
    m.transmission = 1.0f;
    EXPECT_FLOAT_EQ(resolve_material({}, m, {}, true).eta, 1.5f);
    EXPECT_FLOAT_EQ(resolve_material({}, m, {}, false).eta, 1.0f / 1.5f);
    m.thin_walled = true;
    EXPECT_FLOAT_EQ(resolve_material({}, m, {}, false).eta, 1.5f);
}

TEST(MaterialParams, specular_color_tints_reflection_at_normal_incidence) {
    Material m;
    m.specular_color = {0.5f, 1.0f, 100.0f};
    const MaterialParams p = resolve_material({}, m, {}, true);
    EXPECT_FLOAT_EQ(p.dielectric_f0.x, 0.02f);
    EXPECT_FLOAT_EQ(p.dielectric_f0.y, 0.04f);
    EXPECT_EQ(p.dielectric_f0.z, 1.0f);
}

TEST(Alpha, opaque_ignores_everything) {
    Material m;
    m.alpha = 0.0f;
    EXPECT_EQ(resolve_alpha({}, m, {Vec2(0.0f), Vec2(0.0f), Vec4(0.0f)}), 1.0f);
}

TEST(Alpha, mask_keeps_the_cutoff_itself) {
    Material m;
    m.alpha_mode = AlphaMode::Mask;
    for (const float alpha : {0.49f, 0.5f, 0.51f}) {
        m.alpha = alpha;
        EXPECT_EQ(resolve_alpha({}, m, {}), alpha >= 0.5f ? 1.0f : 0.0f) << alpha;
    }
    m.alpha_cutoff = 0.0f, m.alpha = 0.0f;
    EXPECT_EQ(resolve_alpha({}, m, {}), 1.0f);
    m.alpha_cutoff = 1.1f, m.alpha = 1.0f;
    EXPECT_EQ(resolve_alpha({}, m, {}), 0.0f);
}

TEST(Alpha, blend_is_factor_times_texture_times_vertex_colour) {
    const OneTexel scene({1.0f, 1.0f, 1.0f, 0.5f});
    Material m;
    m.alpha_mode = AlphaMode::Blend, m.alpha = 0.8f, m.alpha_tex = texture(3), m.alpha_cutoff = 0.9f;
    EXPECT_FLOAT_EQ(resolve_alpha(scene.view(), m, {Vec2(0.0f), Vec2(0.0f), Vec4(1, 1, 1, 0.25f)}), 0.1f);
}

TEST(NormalMap, decodes_scales_and_normalises) {
    const OneTexel scene({1.0f, 0.25f, 0.75f, 1.0f});  // (1, -0.5, 0.5) before scaling
    Material m;
    m.normal_tex = texture(), m.normal_scale = 0.5f;
    const Vec3 n = resolve_normal(scene.view(), m, {});
    const float inv = 1.0f / std::sqrt(0.25f + 0.0625f + 0.25f);
    EXPECT_NEAR(n.x, 0.5f * inv, 1e-6f);
    EXPECT_NEAR(n.y, -0.25f * inv, 1e-6f);
    EXPECT_NEAR(n.z, 0.5f * inv, 1e-6f);
}

TEST(NormalMap, none_and_nonsense_point_up) {
    Material m;
    EXPECT_EQ(resolve_normal({}, m, {}), Vec3(0.0f, 0.0f, 1.0f));
    m.normal_tex = texture();
    EXPECT_EQ(resolve_normal(OneTexel(Vec4(infinity)).view(), m, {}), Vec3(0.0f, 0.0f, 1.0f));
    const Vec3 n = resolve_normal(OneTexel({0.5f, 0.5f, 0.0f, 1.0f}).view(), m, {});  // points inward
    EXPECT_GT(n.z, 0.0f);
    EXPECT_NEAR(length(n), 1.0f, 1e-5f);
}

}  // namespace
}  // namespace warpath::test
