// Light with a known answer: direct light on a Lambert plane, and lights without area.

#include <gtest/gtest.h>

#include "support/path_loop.h"
#include "support/small_scenes.h"

namespace warpath {
namespace {

constexpr float albedo = 0.6f;
Mesh floor_quad() { return quad({-5, 0, 5}, {10, 0, 0}, {0, 0, -10}); }  // outside along +y

/// The floor around the origin, seen from the side.
Estimate floor_radiance(Scene scene, LightStrategy strategy = LightStrategy::Mis, uint32_t spp = 64,
                        uint32_t max_depth = 1) {
    add(scene, floor_quad(), lambert(Vec3(albedo)));
    const LoopScene loop(std::move(scene));
    FrameConstants frame = loop_frame(narrow_camera({3, 1.5f, 1}, Vec3(0)), 2, 2, spp);
    frame.max_depth = max_depth;
    frame.light_strategy = strategy;
    return estimate_mean(loop, frame);
}
void expect_value(const Estimate& estimate, double expected) {
    EXPECT_NEAR(estimate.mean, expected, 4.5 * estimate.error + 1e-4 * expected);
    EXPECT_LT(estimate.error, 0.02 * expected) << "the estimate itself must be good";
}

/// Form factor from a point to a rectangle a x b at distance d, parallel, with one corner above the point.
double corner_form_factor(double a, double b, double d) {
    const double A = a / d, B = b / d, ra = std::sqrt(1 + A * A), rb = std::sqrt(1 + B * B);
    return (A / ra * std::atan(B / ra) + B / rb * std::atan(A / rb)) / (2 * M_PI);
}

TEST(DirectLight, a_rectangle_lights_the_floor_as_its_form_factor_says) {
    for (LightStrategy strategy : {LightStrategy::Mis, LightStrategy::NextEventOnly, LightStrategy::BsdfOnly}) {
        Scene scene;
        add(scene, quad({-0.5f, 2, -1}, {1.5f, 0, 0}, {0, 0, 3}), lamp(Vec3(5)));  // x from -0.5 to 1, z from -1 to 2
        const double f = corner_form_factor(0.5, 1, 2) + corner_form_factor(0.5, 2, 2) + corner_form_factor(1, 1, 2) +
                         corner_form_factor(1, 2, 2);
        expect_value(floor_radiance(std::move(scene), strategy), albedo * 5 * f);
    }
}

TEST(DirectLight, a_disc_lights_the_floor_as_its_form_factor_says) {
    for (LightStrategy strategy : {LightStrategy::Mis, LightStrategy::NextEventOnly, LightStrategy::BsdfOnly}) {
        Scene scene;
        add(scene, disc({0, 2, 0}, {0, -1, 0}, 1, 1024), lamp(Vec3(5)));
        expect_value(floor_radiance(std::move(scene), strategy), albedo * 5 * (1.0 / (1 + 4)));
    }
}

TEST(DirectLight, a_lamp_shines_from_both_sides) {
    Scene scene;
    add(scene, disc({0, 2, 0}, {0, 1, 0}, 1, 1024), lamp(Vec3(5)));
    expect_value(floor_radiance(std::move(scene)), albedo * 5 * (1.0 / (1 + 4)));
}

TEST(DirectLight, nineteen_thousand_lamps_give_the_light_of_one) {
    Scene scene;
    Mesh mesh = quad({-1, 1, -1}, {0, 0, 2.0f / 98}, {2.0f / 98, 0, 0});
    const Mesh tile = mesh;
    for (int i = 1; i < 98 * 98; ++i) {
        const auto first = static_cast<uint32_t>(mesh.positions.size());
        for (Vec3 p : tile.positions) mesh.positions.push_back(p + Vec3(i % 98, 0, i / 98) * (2.0f / 98));
        for (Vec2 uv : tile.uvs) mesh.uvs.push_back(uv);
        for (UVec3 t : tile.triangles) mesh.triangles.push_back(t + UVec3(first));
    }
    add(scene, std::move(mesh), lamp(Vec3(1)));
    expect_value(floor_radiance(std::move(scene)), albedo * 4 * corner_form_factor(1, 1, 1));
}

TEST(DirectLight, a_constant_sky_gives_its_radiance_times_the_albedo) {
    Scene scene;
    scene.environment = white_sky(3);
    expect_value(floor_radiance(std::move(scene)), albedo * 3);
}

TEST(DirectLight, a_cap_of_45_degrees_of_sky_gives_half_of_it) {
    Environment environment;
    environment.name = "cap", environment.width = 8, environment.height = 256;
    for (int y = 0; y < 256; ++y) environment.texels.insert(environment.texels.end(), 8, Vec3(y < 64 ? 2.0f : 0.0f));
    Scene scene;
    scene.environment = environment;
    const Estimate estimate = floor_radiance(std::move(scene));
    EXPECT_NEAR(estimate.mean, albedo * 2 * 0.5, 4.5 * estimate.error + 5e-4);  // the edge is a texel wide
}

TEST(DirectLight, the_sun_gives_its_radiance_times_its_projected_solid_angle) {
    for (float angle_deg : {0.53f, 40.0f}) {
        Scene scene;
        Sun sun;
        sun.direction = normalize(Vec3(0.3f, 1, -0.4f));
        sun.angle_deg = angle_deg;
        sun.radiance = Vec3(1 / std::pow(std::sin(angle_deg * pi / 360), 2.0f));
        scene.sun = sun;
        // The projected solid angle of a cone that lies above the horizon: pi sin^2(half angle) cos(elevation).
        expect_value(floor_radiance(std::move(scene)), albedo * sun.direction.y);
    }
}

TEST(DirectLight, point_and_directional_lights_follow_cosine_and_distance) {
    Scene scene;
    PunctualLight light;
    light.position = {3, 4, 0}, light.intensity = Vec3(100);
    scene.lights.push_back(light);
    expect_value(floor_radiance(scene), albedo / M_PI * 100 / 25 * 0.8);
    scene.lights[0].kind = LightKind::Directional;
    scene.lights[0].direction = normalize(Vec3(3, -4, 0));
    expect_value(floor_radiance(scene), albedo / M_PI * 100 * 0.8);
    scene.lights.push_back(light);
    expect_value(floor_radiance(std::move(scene)), albedo / M_PI * (100 / 25 * 0.8 + 100 * 0.8));
}

TEST(DirectLight, what_stands_between_throws_a_shadow) {
    Scene scene;
    PunctualLight light;
    light.position = {0, 4, 0}, light.intensity = Vec3(100);
    scene.lights.push_back(light);
    add(scene, quad({-1, 1, -1}, {0, 0, 2}, {2, 0, 0}), lambert(Vec3(0)));
    EXPECT_EQ(floor_radiance(scene).mean, 0.0);
    scene.materials[0].alpha_mode = AlphaMode::Blend;
    scene.materials[0].alpha = 0.25f;
    const Estimate estimate = floor_radiance(scene, LightStrategy::Mis, 256);
    EXPECT_NEAR(estimate.mean, 0.75 * albedo / M_PI * 100 / 16, 4.5 * estimate.error);
    scene.materials[0].alpha_mode = AlphaMode::Mask;
    expect_value(floor_radiance(scene), albedo / M_PI * 100 / 16);
}

TEST(DirectLight, depth_0_shows_emitters_only_and_depth_1_no_interreflection) {
    Scene scene;
    add(scene, quad({-50, 2, -50}, {100, 0, 0}, {0, 0, 100}), [] {
        Material glowing = lambert(Vec3(1));
        glowing.emission = Vec3(1);
        return glowing;
    }());
    EXPECT_EQ(floor_radiance(scene, LightStrategy::Mis, 4, 0).mean, 0.0);
    const double once = floor_radiance(scene, LightStrategy::Mis, 64, 1).mean;
    EXPECT_NEAR(once, albedo, 2e-3 * albedo + 1e-3);
    EXPECT_GT(floor_radiance(scene, LightStrategy::Mis, 64, 3).mean, 1.2 * once);
}

}  // namespace
}  // namespace warpath
