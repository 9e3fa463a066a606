#include "importers/json_scene.h"

#include <gtest/gtest.h>

#include <glm/geometric.hpp>

#include "importers/json_scene_file.h"

namespace warpath {
namespace {

void expect_near(Vec3 a, Vec3 b) {
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(a[i], b[i], 1e-5f) << "component " << i;
}

/// Where the only instance's transform takes a point.
Vec3 moved(const std::string& transform, Vec3 point) {
    const Scene scene = SceneFolder().load(R"({"shapes": [{"type": "box", "transform": )" + transform + "}]}");
    return Vec3(scene.instances.at(0).to_world * glm::dvec4(glm::dvec3(point), 1.0));
}

TEST(json_scene, reads_cameras_in_order) {
    const Scene scene = SceneFolder().load(R"({
        "camera": {"eye": [1, 2, 3], "target": [4, 5, 6], "up": [0, 0, 2], "vfov_deg": 33, "aperture": 0.1, "focus_distance": 7},
        "cameras": [{"name": "second", "eye": [0, 0, 1], "target": [0, 0, 0]}]})");
    ASSERT_EQ(scene.cameras.size(), 2u);
    EXPECT_EQ(scene.cameras[0].eye, Vec3(1, 2, 3));
    EXPECT_EQ(scene.cameras[0].target, Vec3(4, 5, 6));
    EXPECT_EQ(scene.cameras[0].up, Vec3(0, 0, 1));
    EXPECT_EQ(scene.cameras[0].vfov_deg, 33.0f);
    EXPECT_EQ(scene.cameras[0].aperture, 0.1f);
    EXPECT_EQ(scene.cameras[0].focus_distance, 7.0f);
    EXPECT_EQ(scene.cameras[1].name, "second");
    EXPECT_EQ(scene.cameras[1].vfov_deg, 45.0f);
}

TEST(json_scene, reads_render_defaults) {
    const RenderDefaults defaults = SceneFolder()
                                        .load(R"({
        "film": {"width": 640, "height": 360, "filter": "box", "exposure": -1.5},
        "render": {"spp": 9, "max_depth": 0, "seed": 18446744073709551615, "sampler": "independent"}})")
                                        .defaults;
    EXPECT_EQ(defaults.width, 640u);
    EXPECT_EQ(defaults.height, 360u);
    EXPECT_EQ(defaults.filter, "box");
    EXPECT_EQ(defaults.exposure, -1.5f);
    EXPECT_EQ(defaults.spp, 9u);
    EXPECT_EQ(defaults.max_depth, 0u);
    EXPECT_EQ(defaults.seed, 18446744073709551615ull);
    EXPECT_EQ(defaults.sampler, "independent");
    EXPECT_FALSE(SceneFolder().load("{}").defaults.spp.has_value());
}

TEST(json_scene, reads_lights_of_every_kind) {
    const Scene scene = SceneFolder().load(R"({
        "environment": {"color": [1, 2, 3], "rotation_deg": 30, "scale": 0.5},
        "sun": {"direction": [0, 2, 0], "angle_deg": 1, "radiance": 5},
        "lights": [
            {"type": "point", "position": [1, 2, 3], "intensity": [4, 5, 6], "range": 8},
            {"type": "spot", "position": [0, 1, 0], "direction": [0, -3, 0], "intensity": 2, "inner_angle_deg": 30, "outer_angle_deg": 60},
            {"type": "directional", "direction": [1, 0, 0], "irradiance": 3}]})");
    ASSERT_TRUE(scene.environment && scene.sun);
    EXPECT_EQ(scene.environment->color, Vec3(1, 2, 3));
    EXPECT_EQ(scene.environment->rotation_deg, 30.0f);
    EXPECT_EQ(scene.environment->scale, 0.5f);
    EXPECT_EQ(scene.sun->direction, Vec3(0, 1, 0));
    EXPECT_EQ(scene.sun->angle_deg, 1.0f);
    EXPECT_EQ(scene.sun->radiance, Vec3(5.0f));
    ASSERT_EQ(scene.lights.size(), 3u);
    EXPECT_EQ(scene.lights[0].kind, LightKind::Point);
    EXPECT_EQ(scene.lights[0].intensity, Vec3(4, 5, 6));
    EXPECT_EQ(scene.lights[0].range, 8.0f);
    EXPECT_EQ(scene.lights[1].kind, LightKind::Spot);
    EXPECT_EQ(scene.lights[1].direction, Vec3(0, -1, 0));
    EXPECT_NEAR(scene.lights[1].cos_inner, std::sqrt(0.75f), 1e-6f);
    EXPECT_NEAR(scene.lights[1].cos_outer, 0.5f, 1e-6f);
    EXPECT_EQ(scene.lights[2].kind, LightKind::Directional);
    EXPECT_EQ(scene.lights[2].intensity, Vec3(3.0f));
}

TEST(json_scene, reads_every_material_parameter) {
    const Scene scene = SceneFolder().load(R"({"materials": [{"name": "all",
        "base_color": [0.1, 0.2, 0.3], "alpha": 0.4, "alpha_mode": "mask", "alpha_cutoff": 0.6, "emission": [1, 2, 3],
        "metallic": 0.7, "roughness": 0.8, "ior": 1.9, "specular": 0.15, "specular_color": [0.9, 0.8, 0.7], "transmission": 0.25,
        "absorption": 2, "thin_walled": true, "normal_scale": 0.35}, {"name": "glassy", "alpha": 0.5}, {"name": "plain"}]})");
    ASSERT_EQ(scene.materials.size(), 3u);
    EXPECT_EQ(scene.material_names[0], "all");
    const Material& m = scene.materials[0];
    EXPECT_EQ(m.base_color, Vec3(0.1f, 0.2f, 0.3f));
    EXPECT_EQ(m.alpha, 0.4f);
    EXPECT_EQ(m.alpha_mode, AlphaMode::Mask);
    EXPECT_EQ(m.alpha_cutoff, 0.6f);
    EXPECT_EQ(m.emission, Vec3(1, 2, 3));
    EXPECT_EQ(m.metallic, 0.7f);
    EXPECT_EQ(m.roughness, 0.8f);
    EXPECT_EQ(m.ior, 1.9f);
    EXPECT_EQ(m.specular, 0.15f);
    EXPECT_EQ(m.specular_color, Vec3(0.9f, 0.8f, 0.7f));
    EXPECT_EQ(m.transmission, 0.25f);
    EXPECT_EQ(m.absorption, Vec3(2.0f));
    EXPECT_TRUE(m.thin_walled);
    EXPECT_EQ(m.normal_scale, 0.35f);
    EXPECT_EQ(scene.materials[1].alpha_mode, AlphaMode::Blend) << "alpha alone means coverage";
    EXPECT_EQ(scene.materials[2].alpha_mode, AlphaMode::Opaque);
    EXPECT_EQ(scene.materials[2].base_color, Material{}.base_color);
}

TEST(json_scene, reads_texture_options_and_warns_of_missing_files) {
    const SceneFolder folder;
    folder.write("checker.ppm", "P6 2 1 255\n\xFF\x01\x01\x01\xFF\x01");
    const Scene scene = folder.load(R"({"materials": [{"name": "m", "textures": {
        "base_color": "checker.ppm", "normal": null, "emission": "gone.png",
        "roughness": {"file": "checker.ppm", "channel": "g", "wrap": "mirror", "filter": "nearest", "invert": true,
                      "uv_set": 1, "scale": [2, 3], "offset": [0.5, 0.25]},
        "metallic": {"file": "checker.ppm", "color_space": "srgb"}}}]})");
    const Material& m = scene.materials[0];
    ASSERT_TRUE(m.base_color_tex.valid() && m.roughness_tex.valid() && m.emission_tex.valid() &&
                m.metallic_tex.valid());
    EXPECT_FALSE(m.normal_tex.valid());
    EXPECT_TRUE(scene.textures[m.base_color_tex.texture].srgb);
    EXPECT_FALSE(scene.textures[m.roughness_tex.texture].srgb);
    EXPECT_EQ(m.metallic_tex.texture, m.base_color_tex.texture) << "one file and use is one texture";
    EXPECT_EQ(m.roughness_tex.channel, 1);
    EXPECT_EQ(m.roughness_tex.wrap_u, WrapMode::Mirror);
    EXPECT_EQ(m.roughness_tex.wrap_v, WrapMode::Mirror);
    EXPECT_TRUE(m.roughness_tex.nearest && m.roughness_tex.invert);
    EXPECT_EQ(m.roughness_tex.uv_set, 1);
    EXPECT_EQ(m.roughness_tex.m00, 2.0f);
    EXPECT_EQ(m.roughness_tex.m11, 3.0f);
    EXPECT_EQ(m.roughness_tex.offset, Vec2(0.5f, 0.25f));
    ASSERT_EQ(scene.warnings.size(), 1u);
    EXPECT_NE(scene.warnings[0].find("gone.png"), std::string::npos);
}

TEST(json_transform, scales_then_turns_then_moves) {
    expect_near(moved(R"({"translate": [10, 0, 0], "rotate_deg": [0, 0, 90], "scale": [2, 1, 1]})", {1, 0, 0}),
                {10, 2, 0});
}

TEST(json_transform, turns_about_x_then_y_then_z) {
    expect_near(moved(R"({"rotate_deg": [90, 90, 0]})", {0, 1, 0}), {1, 0, 0});  // x: +y to +z; y: +z to +x
    expect_near(moved(R"({"rotate_deg": [0, 90, 90]})", {1, 0, 0}), {0, 0, -1});
}

TEST(json_transform, turns_about_an_axis) {
    expect_near(moved(R"({"rotate_deg": {"axis": [1, 1, 1], "angle": 120}})", {1, 0, 0}), {0, 1, 0});
}

TEST(json_transform, reads_matrices_by_rows) {
    expect_near(moved(R"({"matrix": [[1, 0, 0, 5], [0, 2, 0, 6], [1, 0, 1, 7]]})", {1, 1, 1}), {6, 8, 9});
}

TEST(json_transform, applies_steps_one_after_the_other) {
    expect_near(moved(R"([{"translate": [1, 0, 0]}, {"scale": 3}])", {0, 0, 0}), {3, 0, 0});
}

}  // namespace
}  // namespace warpath
