#include <gtest/gtest.h>

#include <cmath>

#include "importers/mtl.h"
#include "importers/obj_image_bytes.h"
#include "support/temporary_folder.h"

namespace warpath::test {
namespace {

class MtlMaterialTest : public ::testing::Test {
  protected:
    Material make(const std::string& statements) {
        std::string text = "newmtl a\n" + statements;
        return make_mtl_material(parse_mtl(text, folder_ / "test.mtl", scene_.warnings).at(0), textures_, scene_);
    }
    const Texture& texture(const TextureRef& ref) const { return scene_.textures.at(ref.texture); }

    TemporaryFolder folder_;
    Scene scene_;
    TextureCache textures_{scene_};
};

/// Reflectance of a dielectric at normal incidence.
float f0(const Material& m) { return sqr((m.ior - 1.0f) / (m.ior + 1.0f)) * m.specular; }

TEST_F(MtlMaterialTest, illum_1_or_black_ks_is_lambert) {
    for (const char* text : {"Kd 0.5 0.4 0.3\nKs 0 0 0\nillum 1\n", "Kd 0.5 0.4 0.3\nKs 0 0 0\nNs 10\nillum 2\n",
                             "Kd 0.5 0.4 0.3\n", "Kd 0.5 0.4 0.3\nKs 1 1 1\nillum 1\n"}) {
        const Material m = make(text);
        EXPECT_EQ(m.base_color, Vec3(0.5f, 0.4f, 0.3f));
        EXPECT_EQ(m.specular, 0.0f);
        EXPECT_EQ(m.metallic, 0.0f);
        EXPECT_EQ(m.transmission, 0.0f);
        EXPECT_EQ(m.alpha_mode, AlphaMode::Opaque);
    }
}

TEST_F(MtlMaterialTest, ks_is_the_reflectance_at_normal_incidence) {
    const Material m = make("Kd 0.4 0.4 0.4\nKs 0.5 0.25 0\nNs 6\nillum 2\n");
    EXPECT_NEAR(f0(m), 0.5, 1e-5);
    EXPECT_EQ(m.specular_color, Vec3(1.0f, 0.5f, 0.0f));
    EXPECT_NEAR(m.roughness * m.roughness, 0.5, 1e-6) << "alpha = sqrt(2 / (6 + 2))";
    EXPECT_NEAR(make("Ks 0.04 0.04 0.04\n").ior, 1.5, 1e-5);
}

TEST_F(MtlMaterialTest, exponents_of_any_size_are_sane) {
    EXPECT_EQ(make("Ks 0.5 0.5 0.5\nNs 0\n").roughness, 1.0f);
    EXPECT_EQ(make("Ks 0.5 0.5 0.5\n").roughness, 1.0f);
    EXPECT_EQ(make("Ks 0.5 0.5 0.5\nNs -5\n").roughness, 1.0f);
    const float r = make("Ks 0.5 0.5 0.5\nNs 100000\n").roughness;
    EXPECT_GT(r, 0.0f);
    EXPECT_LT(r, 0.1f);
    EXPECT_TRUE(std::isfinite(make("Ks 1 1 1\nNs 1e30\n").ior));
}

TEST_F(MtlMaterialTest, pm_is_metal_with_ks_or_else_kd) {
    Material m = make("Kd 0 0 0\nKs 0.9 0.6 0.3\nPm 1\nPr 0\nillum 3\n");
    EXPECT_EQ(m.base_color, Vec3(0.9f, 0.6f, 0.3f));
    EXPECT_EQ(m.metallic, 1.0f);
    EXPECT_EQ(m.roughness, 0.0f);
    m = make("Kd 0.9 0.6 0.3\nPm 1\nPr 0.5\n");
    EXPECT_EQ(m.base_color, Vec3(0.9f, 0.6f, 0.3f));
    EXPECT_EQ(m.roughness, 0.5f);
}

TEST_F(MtlMaterialTest, illum_7_is_solid_glass) {
    Material m = make("Kd 0 0 0\nKs 1 1 1\nTf 0.9 0.8 0.7\nNi 1.33\nNs 10\nd 1\nillum 7\n");
    EXPECT_EQ(m.transmission, 1.0f);
    EXPECT_EQ(m.base_color, Vec3(0.9f, 0.8f, 0.7f));
    EXPECT_FLOAT_EQ(m.ior, 1.33f);
    EXPECT_EQ(m.roughness, 0.0f) << "smooth unless Pr says otherwise";
    EXPECT_EQ(m.specular, 1.0f);
    EXPECT_EQ(m.specular_color, Vec3(1.0f));
    EXPECT_FALSE(m.thin_walled);
    m = make("Ni 1.5\nPr 0.3\nillum 7\n");
    EXPECT_EQ(m.base_color, Vec3(1.0f));
    EXPECT_EQ(m.roughness, 0.3f);
    EXPECT_EQ(make("Tf 1 1 1\nillum 2\n").transmission, 0.0f);
}

TEST_F(MtlMaterialTest, ke_is_radiance_and_never_negative) {
    EXPECT_EQ(make("Ke 36 33 24\n").emission, Vec3(36, 33, 24));
    EXPECT_EQ(make("Ke -1 2 0\n").emission, Vec3(0, 2, 0));
    EXPECT_FALSE(make("Kd 1 1 1\n").emits());
}

TEST_F(MtlMaterialTest, dissolve_is_coverage) {
    EXPECT_EQ(make("d 0.25\n").alpha, 0.25f);
    EXPECT_EQ(make("d 0.25\n").alpha_mode, AlphaMode::Blend);
    EXPECT_EQ(make("d 1\n").alpha_mode, AlphaMode::Opaque);
    EXPECT_EQ(make("d 7\n").alpha, 1.0f);
}

TEST_F(MtlMaterialTest, colours_never_exceed_one) { EXPECT_EQ(make("Kd 2 0.5 -1\n").base_color, Vec3(1, 0.5f, 0)); }

TEST_F(MtlMaterialTest, map_kd_alpha_is_no_coverage) {
    folder_.write("rgba.png", png_bytes(1, 8, PngColor::Rgba, {std::string("\x80\x80\x80\x40", 4)}));
    const Material m = make("map_Kd rgba.png\n");
    EXPECT_EQ(m.alpha_mode, AlphaMode::Opaque);
    EXPECT_TRUE(texture(m.base_color_tex).srgb);
    EXPECT_EQ(m.base_color, Vec3(1.0f));
}

TEST_F(MtlMaterialTest, map_d_is_a_grey_value_or_an_alpha_that_varies) {
    folder_.write("grey.png", png_bytes(1, 8, PngColor::Grey, {"\x80"}));
    folder_.write("rgba.png", png_bytes(1, 8, PngColor::Rgba, {std::string("\x80\x80\x80\x40", 4)}));
    folder_.write("opaque.png", png_bytes(1, 8, PngColor::Rgba, {std::string("\x80\x80\x80\xff", 4)}));
    const Material grey = make("map_d grey.png\n");
    EXPECT_EQ(grey.alpha_mode, AlphaMode::Blend);
    EXPECT_EQ(grey.alpha_tex.channel, 0);
    EXPECT_FALSE(texture(grey.alpha_tex).srgb) << "coverage is no colour";
    EXPECT_EQ(make("map_d rgba.png\n").alpha_tex.channel, 3);
    EXPECT_EQ(make("map_d opaque.png\n").alpha_tex.channel, 0);
    EXPECT_EQ(make("map_d -imfchan g rgba.png\n").alpha_tex.channel, 1);
    EXPECT_EQ(make("map_d absent.png\n").alpha_mode, AlphaMode::Opaque) << "a missing picture cuts no holes";
}

TEST_F(MtlMaterialTest, scale_and_offset_act_on_coordinates_whose_v_runs_up) {
    folder_.write("a.png", png_bytes(1, 8, PngColor::Grey, {"\x80"}));
    const TextureRef ref = make("map_Kd -s 2 3 -o 0.25 0.125 a.png\n").base_color_tex;
    const float u = 0.3f, v = 0.4f;  // as in the OBJ file
    const float image_u = ref.m00 * u + ref.m01 * (1 - v) + ref.offset.x,
                image_v = ref.m10 * u + ref.m11 * (1 - v) + ref.offset.y;
    EXPECT_FLOAT_EQ(image_u, 2 * u + 0.25f);
    EXPECT_FLOAT_EQ(1 - image_v, 3 * v + 0.125f);
    EXPECT_EQ(ref.wrap_u, WrapMode::Repeat);
    EXPECT_EQ(make("map_Kd -clamp on a.png\n").base_color_tex.wrap_v, WrapMode::Clamp);
}

TEST_F(MtlMaterialTest, map_ns_becomes_roughness_texel_by_texel) {
    folder_.write("ns.png", png_bytes(2, 8, PngColor::Grey, {std::string("\x00\xff", 2)}));
    const Material m = make("Ks 0.5 0.5 0.5\nNs 30\nmap_Ns ns.png\n");
    EXPECT_EQ(m.roughness, 1.0f);
    EXPECT_EQ(texture(m.roughness_tex).texels8[0], 255);
    EXPECT_EQ(texture(m.roughness_tex).texels8[4], 128) << "(2 / 32)^(1/4) = 0.5";
}

TEST_F(MtlMaterialTest, pbr_maps_scale_their_factors) {
    folder_.write("a.png", png_bytes(1, 8, PngColor::Grey, {"\x80"}));
    const Material m = make("Kd 0.5 0.5 0.5\nKs 0 0 0\nmap_Pr a.png\nmap_Pm a.png\nPr 0.5\n");
    EXPECT_EQ(m.roughness, 0.5f);
    EXPECT_EQ(m.metallic, 1.0f);
    EXPECT_TRUE(m.roughness_tex.valid());
    EXPECT_TRUE(m.metallic_tex.valid());
    EXPECT_EQ(m.base_color, Vec3(0.5f));
}

TEST_F(MtlMaterialTest, bump_heights_become_normals) {
    // A ramp that rises to the right and, on the last row, towards the top; the middle is looked at, so no wrapping.
    folder_.write("h.png", png_bytes(3, 8, PngColor::Grey,
                                     {std::string("\x00\x33\x66", 3), std::string("\x00\x33\x66", 3),
                                      std::string("\x00\x33\x66", 3)}));
    const Material m = make("map_Bump -bm 5 h.png\n");
    const Texture& t = texture(m.normal_tex);
    const Vec4 n = t.texels32[4] * 2.0f - 1.0f;
    // The slope is 5 * 0.2 per texel: the normal leans to the left by 45 degrees.
    EXPECT_NEAR(n.x, -std::sqrt(0.5), 1e-5);
    EXPECT_NEAR(n.y, 0.0, 1e-6);
    EXPECT_NEAR(n.z, std::sqrt(0.5), 1e-5);
    EXPECT_EQ(m.normal_scale, 1.0f);
}

TEST_F(MtlMaterialTest, bump_that_rises_up_the_image_leans_down) {
    Texture heights;
    heights.width = 1, heights.height = 3;
    heights.texels32 = {Vec4(1.0f), Vec4(0.5f), Vec4(0.0f)};
    const Texture normals = normals_from_heights(heights, 1.0f, true);
    EXPECT_LT(normals.texels32[1].y, 0.5f);
    EXPECT_EQ(normals.texels32[1].x, 0.5f);
    heights.texels32.assign(3, Vec4(0.3f));
    EXPECT_EQ(normals_from_heights(heights, 9.0f, false).texels32[1], Vec4(0.5f, 0.5f, 1.0f, 1.0f))
        << "flat stays flat";
}

TEST_F(MtlMaterialTest, normal_maps_are_taken_as_they_are_even_as_map_bump) {
    folder_.write("n.png", png_bytes(2, 8, PngColor::Rgb, {std::string("\x80\x80\xff\x90\x70\xf0", 6)}));
    for (const char* text : {"norm -bm 0.5 n.png\n", "map_Bump -bm 0.5 n.png\n"}) {
        const Material m = make(text);
        EXPECT_EQ(texture(m.normal_tex).texels8[2], 255);
        EXPECT_FALSE(texture(m.normal_tex).srgb);
        EXPECT_EQ(m.normal_scale, 0.5f);
    }
    EXPECT_FALSE(make("norm absent.png\n").normal_tex.valid()) << "a checker is no normal map";
}

}  // namespace
}  // namespace warpath::test
