#include <cmath>

#include "importers/gltf_builder.h"

namespace warpath::test {

namespace {

using nlohmann::json;

/// The square with one material.
GltfBuilder with_material(json material) {
    GltfBuilder b;
    b.show_square();
    b.root["materials"].push_back(std::move(material));
    b.primitive()["material"] = 0;
    b.root["images"].push_back({{"uri", one_pixel_png}});
    b.root["textures"].push_back({{"source", 0}});
    return b;
}

Material material_of(json material) { return with_material(std::move(material)).load().materials.at(0); }

json extension(const char* name, json members) { return {{"extensions", {{name, std::move(members)}}}}; }

}  // namespace

TEST(GltfMaterials, an_empty_material_has_the_defaults_of_the_specification) {
    const Material m = material_of(json::object());
    EXPECT_EQ(m.base_color, Vec3(1));
    EXPECT_EQ(m.metallic, 1.0f);
    EXPECT_EQ(m.roughness, 1.0f);
    EXPECT_EQ(m.ior, 1.5f);
    EXPECT_EQ(m.emission, Vec3(0));
    EXPECT_EQ(m.alpha_mode, AlphaMode::Opaque);
    EXPECT_FALSE(m.double_sided);
    EXPECT_FALSE(m.thin_walled);
}

TEST(GltfMaterials, metallic_is_blue_and_roughness_green_of_one_linear_texture) {
    const Scene scene =
        with_material({{"pbrMetallicRoughness",
                        {{"metallicRoughnessTexture", {{"index", 0}}}, {"baseColorTexture", {{"index", 0}}}}}})
            .load();
    const Material& m = scene.materials.at(0);
    EXPECT_EQ(m.metallic_tex.texture, m.roughness_tex.texture);
    EXPECT_EQ(m.metallic_tex.channel, 2);
    EXPECT_EQ(m.roughness_tex.channel, 1);
    EXPECT_FALSE(scene.textures.at(m.roughness_tex.texture).srgb);
    EXPECT_TRUE(scene.textures.at(m.base_color_tex.texture).srgb);
    EXPECT_EQ(scene.textures.at(m.base_color_tex.texture).texels8, (std::vector<uint8_t>{10, 20, 30, 128}));
}

TEST(GltfMaterials, alpha_is_of_factor_and_texture_and_only_outside_opaque) {
    const json pbr = {{"baseColorFactor", {1, 1, 1, 0.25}}, {"baseColorTexture", {{"index", 0}}}};
    const Material opaque = material_of({{"pbrMetallicRoughness", pbr}});
    EXPECT_EQ(opaque.alpha_mode, AlphaMode::Opaque);
    EXPECT_FALSE(opaque.alpha_tex.valid());
    const Material mask = material_of({{"pbrMetallicRoughness", pbr}, {"alphaMode", "MASK"}});
    EXPECT_EQ(mask.alpha_mode, AlphaMode::Mask);
    EXPECT_EQ(mask.alpha, 0.25f);
    EXPECT_EQ(mask.alpha_cutoff, 0.5f);
    EXPECT_EQ(mask.alpha_tex.texture, mask.base_color_tex.texture);
    EXPECT_EQ(mask.alpha_tex.channel, 3);
    const Material blend = material_of({{"alphaMode", "BLEND"}, {"alphaCutoff", 0.75}, {"doubleSided", true}});
    EXPECT_EQ(blend.alpha_mode, AlphaMode::Blend);
    EXPECT_EQ(blend.alpha_cutoff, 0.75f);
    EXPECT_TRUE(blend.double_sided);
}

TEST(GltfMaterials, emission_is_factor_times_strength) {
    json m = extension("KHR_materials_emissive_strength", {{"emissiveStrength", 20}});
    m["emissiveFactor"] = {1, 0.5, 0};
    m["emissiveTexture"] = {{"index", 0}};
    const Scene scene = with_material(m).load();
    EXPECT_EQ(scene.materials.at(0).emission, Vec3(20, 10, 0));
    EXPECT_TRUE(scene.textures.at(scene.materials.at(0).emission_tex.texture).srgb);
}

TEST(GltfMaterials, the_normal_texture_has_a_scale) {
    const Scene scene = with_material({{"normalTexture", {{"index", 0}, {"scale", 0.5}}}}).load();
    EXPECT_EQ(scene.materials.at(0).normal_scale, 0.5f);
    EXPECT_FALSE(scene.textures.at(scene.materials.at(0).normal_tex.texture).srgb);
}

TEST(GltfMaterials, transmission_is_thin_without_volume_and_solid_with_thickness) {
    json m = extension("KHR_materials_transmission",
                       {{"transmissionFactor", 0.75}, {"transmissionTexture", {{"index", 0}}}});
    m["extensions"]["KHR_materials_ior"] = {{"ior", 1.33}};
    const Material thin = material_of(m);
    EXPECT_EQ(thin.transmission, 0.75f);
    EXPECT_EQ(thin.ior, 1.33f);
    EXPECT_TRUE(thin.thin_walled);
    EXPECT_TRUE(thin.transmission_tex.valid());
    EXPECT_EQ(thin.transmission_tex.channel, 0);
    json& volume = m["extensions"]["KHR_materials_volume"];
    volume = {{"attenuationColor", {0.25, 1, 0.5}}, {"attenuationDistance", 2}};
    EXPECT_TRUE(material_of(m).thin_walled) << "a thickness of 0 is thin";
    volume["thicknessFactor"] = 0.1;
    const Material solid = material_of(m);
    EXPECT_FALSE(solid.thin_walled);
    EXPECT_NEAR(solid.absorption.x, 0.69314718f, 1e-6f) << "ln 4 over 2";
    EXPECT_EQ(solid.absorption.y, 0.0f);
    EXPECT_NEAR(solid.absorption.z, 0.34657359f, 1e-6f) << "ln 2 over 2";
    volume["attenuationColor"] = {0, 0, 0};
    EXPECT_TRUE(is_finite(material_of(m).absorption)) << "black stays finite";
    volume.erase("attenuationDistance");
    EXPECT_EQ(material_of(m).absorption, Vec3(0)) << "an infinite distance absorbs nothing";
}

TEST(GltfMaterials, specular_has_weight_tint_and_alpha_channel) {
    const Material m = material_of(extension("KHR_materials_specular", {{"specularFactor", 0.5},
                                                                        {"specularColorFactor", {2, 1, 0}},
                                                                        {"specularTexture", {{"index", 0}}},
                                                                        {"specularColorTexture", {{"index", 0}}}}));
    EXPECT_EQ(m.specular, 0.5f);
    EXPECT_EQ(m.specular_color, Vec3(2, 1, 0));
    EXPECT_EQ(m.specular_tex.channel, 3);
    EXPECT_TRUE(m.specular_color_tex.valid());
}

TEST(GltfMaterials, an_index_of_zero_reflects_everything_and_one_nothing) {
    EXPECT_GE(material_of(extension("KHR_materials_ior", {{"ior", 0}})).ior, 100.0f);
    EXPECT_EQ(material_of(extension("KHR_materials_ior", {{"ior", 1}})).ior, 1.0f);
}

TEST(GltfMaterials, values_out_of_range_are_clamped_with_a_warning) {
    GltfBuilder b = with_material({{"pbrMetallicRoughness", {{"roughnessFactor", 7}, {"metallicFactor", -1}}}});
    const Scene scene = b.load();
    EXPECT_EQ(scene.materials.at(0).roughness, 1.0f);
    EXPECT_EQ(scene.materials.at(0).metallic, 0.0f);
    EXPECT_TRUE(warns(scene, "material 0 has a roughnessFactor of 7"));
}

TEST(GltfMaterials, unlit_is_shown_as_emission_and_told) {
    json m = extension("KHR_materials_unlit", json::object());
    m["pbrMetallicRoughness"] = {{"baseColorFactor", {0.5, 0.25, 1, 1}}, {"baseColorTexture", {{"index", 0}}}};
    const Scene scene = with_material(m).load();
    EXPECT_EQ(scene.materials.at(0).emission, Vec3(0.5f, 0.25f, 1));
    EXPECT_EQ(scene.materials.at(0).base_color, Vec3(0));
    EXPECT_TRUE(scene.materials.at(0).emission_tex.valid());
    EXPECT_TRUE(warns(scene, "KHR_materials_unlit"));
}

TEST(GltfMaterials, texture_transforms_scale_then_turn_then_move) {
    const double quarter = std::acos(0.0);
    const json info = {{"index", 0},
                       {"texCoord", 0},
                       {"extensions",
                        {{"KHR_texture_transform",
                          {{"offset", {0.25, 0.5}}, {"rotation", quarter}, {"scale", {2, 3}}, {"texCoord", 1}}}}}};
    const TextureRef t = material_of({{"pbrMetallicRoughness", {{"baseColorTexture", info}}}}).base_color_tex;
    const auto apply = [&](float u, float v) {
        return Vec2(t.m00 * u + t.m01 * v + t.offset.x, t.m10 * u + t.m11 * v + t.offset.y);
    };
    // v points down, so a counter-clockwise quarter turn takes the u axis to -v and the v axis to +u.
    EXPECT_NEAR(apply(1, 0).x, 0.25f, 1e-6f);
    EXPECT_NEAR(apply(1, 0).y, 0.5f - 2.0f, 1e-6f);
    EXPECT_NEAR(apply(0, 1).x, 0.25f + 3.0f, 1e-6f);
    EXPECT_NEAR(apply(0, 1).y, 0.5f, 1e-6f);
    EXPECT_EQ(t.uv_set, 1) << "the transform's own set wins";
}

TEST(GltfMaterials, samplers_give_wrap_modes_and_filter) {
    GltfBuilder b =
        with_material({{"emissiveFactor", {1, 1, 1}}, {"emissiveTexture", {{"index", 0}, {"texCoord", 1}}}});
    b.root["samplers"] = {{{"wrapS", 33071}, {"wrapT", 33648}, {"magFilter", 9728}}};
    b.root["textures"][0]["sampler"] = 0;
    const TextureRef t = b.load().materials.at(0).emission_tex;
    EXPECT_EQ(t.wrap_u, WrapMode::Clamp);
    EXPECT_EQ(t.wrap_v, WrapMode::Mirror);
    EXPECT_TRUE(t.nearest);
    EXPECT_EQ(t.uv_set, 1);
    b.root["textures"][0].erase("sampler");
    EXPECT_EQ(b.load().materials.at(0).emission_tex.wrap_u, WrapMode::Repeat);
    EXPECT_FALSE(b.load().materials.at(0).emission_tex.nearest);
}

TEST(GltfMaterials, a_missing_image_is_named_and_stays_visible) {
    GltfBuilder b =
        with_material({{"pbrMetallicRoughness",
                        {{"baseColorTexture", {{"index", 0}}}, {"metallicRoughnessTexture", {{"index", 0}}}}}});
    for (const json& image : {json{{"uri", "absent%20picture.png"}}, json{{"uri", "http://example.com/a.png"}},
                              json{{"uri", "data:image/png;base64,AAAA"}}, json::object()}) {
        b.root["images"][0] = image;
        const Scene scene = b.load();
        EXPECT_TRUE(scene.materials.at(0).base_color_tex.valid()) << image;
        EXPECT_FALSE(scene.materials.at(0).roughness_tex.valid()) << image;
        EXPECT_FALSE(scene.warnings.empty()) << image;
    }
    b.root["images"][0] = {{"uri", "absent%20picture.png"}};
    EXPECT_TRUE(warns(b.load(), "absent picture.png"));
    b.root["textures"][0] = {{"extensions", {{"EXT_texture_webp", {{"source", 0}}}}}};
    EXPECT_TRUE(warns(b.load(), "EXT_texture_webp"));
}

TEST(GltfMaterials, images_in_buffer_views_are_decoded) {
    GltfBuilder b = with_material({{"pbrMetallicRoughness", {{"baseColorTexture", {{"index", 0}}}}}});
    const std::string ppm("P6 1 1 255\n\x01\x02\x03", 14);
    const int v = b.view(std::vector<char>(ppm.begin(), ppm.end()));
    b.root["images"][0] = {{"bufferView", v}, {"mimeType", "image/png"}};
    EXPECT_EQ(b.load().textures.at(0).texels8, (std::vector<uint8_t>{1, 2, 3, 255}));
}

TEST(GltfMaterials, references_out_of_range_are_refused) {
    EXPECT_TRUE(says(with_material({{"normalTexture", {{"index", 5}}}}).error(),
                     "material 0, \"normalTexture\" names texture 5, but there is only 1 texture"));
    EXPECT_TRUE(
        says(with_material(extension("KHR_materials_transmission", {{"transmissionTexture", {{"index", 9}}}})).error(),
             "texture 9"));
    GltfBuilder b = with_material(json::object());
    b.primitive()["material"] = 12;
    EXPECT_TRUE(says(b.error(), "mesh 0, primitive 0 names material 12, but there is only 1 material"));
    b = with_material(json::object());
    b.root["textures"][0]["source"] = 2;
    EXPECT_TRUE(says(b.error(), "texture 0 names image 2"));
    b = with_material(json::object());
    b.root["textures"][0]["sampler"] = 0;
    EXPECT_TRUE(says(b.error(), "texture 0 names sampler 0, but there are no samplers"));
    EXPECT_TRUE(says(with_material({{"emissiveFactor", {1, 2}}}).error(), "material 0 has a \"emissiveFactor\""));
}

}  // namespace warpath::test
