// Next-event estimation alone, bsdf sampling alone, and both weighted: one mean, whatever the scene.

#include <gtest/gtest.h>

#include <functional>

#include "support/path_loop.h"
#include "support/small_scenes.h"

namespace warpath {
namespace {

struct Case {
    const char* name;
    uint32_t spp;
    std::function<Scene()> make;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

Mesh floor_quad() { return quad({-3, 0, 3}, {6, 0, 0}, {0, 0, -6}); }

Material glossy(float roughness, float metallic) {
    Material material;
    material.base_color = {0.7f, 0.6f, 0.5f};
    material.roughness = roughness, material.metallic = metallic;
    return material;
}

Scene room_with_textured_lamp() {
    Scene scene;
    Texture texture;
    texture.name = "glow", texture.width = 8, texture.height = 8;
    for (int i = 0; i < 64; ++i) texture.texels32.push_back(Vec4(Vec3(i % 7 == 0 ? 20.0f : 0.0f), 1));
    scene.textures.push_back(texture);
    Material glow = lamp(Vec3(1, 0.8f, 0.6f));
    glow.emission_tex.texture = 0;
    add(scene, quad({-1, 2, -1}, {2, 0, 0}, {0, 0.3f, 2}), glow);
    add(scene, floor_quad(), lambert(Vec3(0.7f)));
    add(scene, box({0.5f, 0.4f, 0.2f}, 0.3f), lambert({0.8f, 0.3f, 0.2f}));
    add(scene, quad({-3, 0, -3}, {6, 0, 0}, {0, 4, 0}), lambert(Vec3(0.5f)));
    return scene;
}
Scene glossy_floor_under_lamps() {
    Scene scene;
    add(scene, floor_quad(), glossy(0.35f, 1));
    add(scene, disc({-0.5f, 0.8f, -0.5f}, normalize(Vec3(1, -1, 1)), 0.2f, 8), lamp(Vec3(30)));
    add(scene, disc({1, 1.5f, -1}, normalize(Vec3(-1, -1, 0)), 0.7f, 8), lamp(Vec3(2)));
    return scene;
}
Scene plastic_under_bright_spot() {
    Environment environment;
    environment.name = "spot", environment.width = 64, environment.height = 32;
    environment.texels.assign(64 * 32, Vec3(0.2f));
    environment.texels[9 * 64 + 20] = Vec3(300, 200, 100);
    environment.texels[3 * 64] = Vec3(200);  // at the seam
    Scene scene;
    scene.environment = environment;
    add(scene, floor_quad(), glossy(0.5f, 0));
    add(scene, box({0, 0.5f, 0}, 0.3f), lambert(Vec3(0.6f)));
    return scene;
}
Scene satin_under_sun() {
    Scene scene;
    Sun sun;
    sun.direction = normalize(Vec3(0.5f, 1, 0.2f)), sun.angle_deg = 12, sun.radiance = Vec3(20);
    scene.sun = sun;
    scene.environment = white_sky(0.3f);
    add(scene, floor_quad(), glossy(0.6f, 0.5f));
    add(scene, box({0, 0.5f, 0}, 0.3f), glossy(0.3f, 1));
    return scene;
}
Scene leaning_normals() {
    Scene scene;
    Mesh floor = floor_quad();
    floor.normals.assign(4, normalize(Vec3(1.2f, 1, 0.3f)));
    add(scene, std::move(floor), glossy(0.5f, 0));
    add(scene, disc({1, 1, 0}, normalize(Vec3(-1, -1, 0)), 0.7f, 8), lamp(Vec3(3)));
    scene.environment = white_sky(0.5f);
    return scene;
}
Scene frosted_pane_before_lamp() {
    Scene scene;
    Material frosted = clear_glass(1.4f);
    frosted.roughness = 0.5f;
    Mesh pane = box({0, 0.6f, 0}, 0.5f);
    add(scene, std::move(pane), frosted);
    add(scene, floor_quad(), lambert(Vec3(0.6f)));
    add(scene, disc({-1, 2.0f, -1}, normalize(Vec3(1, -1, 1)), 0.8f, 8), lamp(Vec3(4)));
    return scene;
}
Scene lamp_in_absorbing_body() {
    Scene scene;
    Material body = clear_glass(1.0f);
    body.absorption = {0.3f, 0.6f, 1.0f};
    add(scene, box({0, 0, 0}, 1.5f), body);  // the camera is outside: paths enter the body on their way
    add(scene, floor_quad(), lambert(Vec3(0.8f)));
    add(scene, disc({0, 1, 0}, {0, -1, 0}, 0.8f, 8), lamp(Vec3(4)));
    return scene;
}
Scene half_covered_lamp() {
    Scene scene;
    Material glow = lamp(Vec3(4));
    glow.alpha_mode = AlphaMode::Blend, glow.alpha = 0.4f;
    add(scene, disc({0, 1, 0}, {0, -1, 0}, 0.8f, 8), glow);
    add(scene, disc({0, 1.2f, 0}, {0, -1, 0}, 0.8f, 8), glow);
    add(scene, floor_quad(), lambert(Vec3(0.8f)));
    return scene;
}

class Strategies : public ::testing::TestWithParam<Case> {};

TEST_P(Strategies, all_three_have_the_same_mean) {
    const LoopScene scene(GetParam().make());
    FrameConstants frame = loop_frame(narrow_camera({2.2f, 1.7f, 2.4f}, {0, 0.1f, 0}, 25), 4, 4, GetParam().spp);
    frame.max_depth = 6;
    const auto estimate = [&](LightStrategy strategy) {
        frame.light_strategy = strategy;
        return estimate_mean(scene, frame);
    };
    const Estimate mis = estimate(LightStrategy::Mis);
    EXPECT_GT(mis.mean, 0.0);
    EXPECT_LT(mis.error, 0.02 * mis.mean);
    for (LightStrategy strategy : {LightStrategy::NextEventOnly, LightStrategy::BsdfOnly}) {
        const Estimate other = estimate(strategy);
        EXPECT_LT(other.error, 0.05 * mis.mean) << "too noisy to tell";
        EXPECT_LT(std::abs(other.mean - mis.mean), 4 * std::hypot(other.error, mis.error))
            << static_cast<int>(strategy) << ": " << other.mean << " +- " << other.error << ", both: " << mis.mean
            << " +- " << mis.error;
    }
}

INSTANTIATE_TEST_SUITE_P(Scenes, Strategies,
                         ::testing::Values(Case{"room_with_textured_lamp", 128, room_with_textured_lamp},
                                           Case{"glossy_floor_under_lamps", 256, glossy_floor_under_lamps},
                                           Case{"plastic_under_bright_spot", 512, plastic_under_bright_spot},
                                           Case{"satin_under_sun", 128, satin_under_sun},
                                           Case{"leaning_normals", 128, leaning_normals},
                                           Case{"frosted_pane_before_lamp", 256, frosted_pane_before_lamp},
                                           Case{"lamp_in_absorbing_body", 128, lamp_in_absorbing_body},
                                           Case{"half_covered_lamp", 128, half_covered_lamp}),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace warpath
