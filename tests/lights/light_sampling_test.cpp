#include <gtest/gtest.h>

#include <functional>

#include "lights/light_tables.h"
#include "lights/list.h"
#include "render/sampler.h"
#include "scene/flatten.h"
#include "support/small_scenes.h"
#include "support/statistics.h"

namespace warpath {
namespace {

SceneData ready(Scene scene) {
    if (scene.meshes.empty()) add(scene, quad({0, 0, 0}, {1, 0, 0}, {0, 1, 0}), lambert(Vec3(1)));
    SceneData data = flatten(std::move(scene));
    build_light_tables(data.columns, data.constants, data.environment, data.sun);
    return data;
}

LightRandom random_of(uint32_t i) {
    const Sampler sampler(SamplerKind::Independent, 11, i, 0);
    return {sampler.get_bits(2), sampler.get_1d(3), sampler.get_2d(0)};
}

constexpr int rows = 24, columns = 48;
int cell_of(Vec3 w) {
    const int row = std::min(rows - 1, static_cast<int>((0.5 - 0.5 * w.y) * rows));
    const int column = static_cast<int>((std::atan2(w.z, w.x) / (2 * M_PI) + 0.5) * columns) % columns;
    return row * columns + column;
}

/// Chi-square of directions drawn by sample_light against the integral of `pdf` over cells of equal solid angle.
double deviations(const SceneView& view, Vec3 point, const std::function<double(Vec3)>& pdf, uint32_t n = 400000) {
    std::vector<double> counts(rows * columns), expected(rows * columns);
    for (uint32_t i = 0; i < n; ++i) {
        const LightSample s = sample_light(view, point, random_of(i));
        if (s.pdf > 0) counts[cell_of(s.wi)] += 1;
    }
    constexpr int sub = 24;
    const double solid_angle = 4 * M_PI / (rows * columns * sub * sub);
    for (int j = 0; j < rows * sub; ++j)
        for (int i = 0; i < columns * sub; ++i) {
            const double y = 1 - 2 * (j + 0.5) / (rows * sub), phi = ((i + 0.5) / (columns * sub) - 0.5) * 2 * M_PI;
            const double r = std::sqrt(1 - y * y);
            const Vec3 w(static_cast<float>(r * std::cos(phi)), static_cast<float>(y),
                         static_cast<float>(r * std::sin(phi)));
            expected[(j / sub) * columns + i / sub] += pdf(w) * solid_angle * n;
        }
    ChiSquare chi;
    for (int i = 0; i < rows * columns; ++i) chi.add(counts[i], expected[i]);
    return chi.deviations();
}

Environment bumpy_map() {
    Environment environment;
    environment.name = "map";
    environment.width = 16, environment.height = 8;
    environment.rotation_deg = 30;
    for (uint32_t i = 0; i < 128; ++i)
        environment.texels.push_back(Vec3(0.1f + (i * 37 % 11) * (i % 5 == 0 ? 3.0f : 0.2f)));
    return environment;
}

TEST(LightSampling, environment_directions_follow_their_density) {
    Scene scene;
    scene.environment = bumpy_map();
    const SceneData data = ready(std::move(scene));
    const SceneView view = data.view();
    EXPECT_LT(deviations(view, Vec3(0), [&](Vec3 w) { return light_pdf_environment(view, w); }), 4.0);
}

TEST(LightSampling, constant_sky_directions_are_uniform) {
    Scene scene;
    scene.environment = white_sky();
    const SceneData data = ready(std::move(scene));
    EXPECT_LT(deviations(data.view(), Vec3(0), [](Vec3) { return 0.25 / M_PI; }), 4.0);
}

TEST(LightSampling, a_wide_sun_is_uniform_over_its_disc) {
    Scene scene;
    Sun sun;
    sun.direction = normalize(Vec3(1, 2, -1)), sun.angle_deg = 90;
    scene.sun = sun;
    const SceneData data = ready(std::move(scene));
    const SceneView view = data.view();
    const double density = 1 / (2 * M_PI * (1 - std::cos(M_PI / 4)));
    EXPECT_NEAR(light_pdf_sun(view), density, 1e-6);
    EXPECT_LT(deviations(view, Vec3(0), [&](Vec3 w) { return is_zero(sun_radiance_along(view, w)) ? 0 : density; }),
              4.0);
}

TEST(LightSampling, every_direction_drawn_in_the_sun_of_half_a_degree_is_seen_in_it_and_its_power_is_right) {
    Scene scene;
    Sun sun;
    sun.direction = normalize(Vec3(-0.3f, 0.8f, 0.1f));
    scene.sun = sun;
    const SceneData data = ready(std::move(scene));
    const SceneView view = data.view();
    int inside = 0;
    for (uint32_t i = 0; i < 10000; ++i) {
        const LightSample s = sample_light(view, Vec3(0), random_of(i));
        inside += !is_zero(sun_radiance_along(view, s.wi));
    }
    EXPECT_GE(inside, 9990);
    // Seen from outside in: the share of a slightly wider cone that lies in the disc.
    const double half_angle = 0.265 * M_PI / 180, wider = 0.4 * M_PI / 180;
    int hits = 0;
    constexpr int n = 400;
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
            const Vec3 w = sample_cone({(j + 0.5f) / n, (i + 0.5f) / n}, static_cast<float>(1 - std::cos(wider)));
            hits += !is_zero(sun_radiance_along(view, normalize(Frame::from_normal(sun.direction).to_world(w))));
        }
    const double solid_angle = hits / double(n * n) * 2 * M_PI * (1 - std::cos(wider));
    EXPECT_NEAR(solid_angle, 2 * M_PI * (1 - std::cos(half_angle)), 0.003 * solid_angle);
    EXPECT_NEAR(view.sun_solid_angle, 2 * M_PI * (1 - std::cos(half_angle)), 1e-6 * solid_angle);
}

/// Distance along `w` from the origin to the quad z = depth, |x|, |y| < half; 0 if it misses.
double distance_to_quad(Vec3 w, double depth, double half) {
    const double t = depth / w.z;
    return t > 0 && std::abs(w.x * t) < half && std::abs(w.y * t) < half ? t : 0;
}

TEST(LightSampling, points_on_emissive_triangles_follow_the_density_per_solid_angle) {
    Scene scene;  // two squares, above and below; the nearer one is dimmer
    add(scene, quad({-2, -2, 3}, {4, 0, 0}, {0, 4, 0}), lamp(Vec3(1)));
    add(scene, quad({-1, -1, -1}, {2, 0, 0}, {0, 2, 0}), lamp(Vec3(0.5f)));
    const SceneData data = ready(std::move(scene));
    const SceneView view = data.view();
    const double far_share = 16.0 / (16 + 0.5 * 4);
    EXPECT_LT(deviations(view, Vec3(0),
                         [&](Vec3 w) {
                             const double far = distance_to_quad(w, 3, 2), near = distance_to_quad(w, -1, 1);
                             if (far > 0) return far_share * far * far / (16 * std::abs(w.z));
                             return near > 0 ? (1 - far_share) * near * near / (4 * std::abs(w.z)) : 0;
                         }),
              4.0);
}

TEST(LightSampling, density_of_a_sample_equals_the_density_a_bsdf_ray_would_be_weighted_with) {
    Scene scene;
    add(scene, quad({-2, -2, 3}, {4, 0, 0}, {0, 4, 0}), lamp(Vec3(1)));
    add(scene, quad({-1, -1, -1}, {2, 0, 0}, {0, 2, 0.5f}), lamp(Vec3(0.5f)));
    scene.environment = bumpy_map();
    scene.sun = Sun{};
    const SceneData data = ready(std::move(scene));
    const SceneView view = data.view();
    int kinds[3] = {};
    for (uint32_t i = 0; i < 20000; ++i) {
        const LightSample s = sample_light(view, {0.1f, 0.2f, 0.3f}, random_of(i));
        if (is_finite(s.distance)) {
            const double cos_light =
                std::abs(dot(view.triangles[0].light_id == 0 && s.wi.z > 0 ? Vec3(0, 0, 1) : Vec3(0), s.wi));
            if (cos_light == 0) continue;
            EXPECT_NEAR(light_pdf_emitter(view, 0, s.distance, static_cast<float>(cos_light)) / s.pdf, 1.0, 1e-4);
            ++kinds[0];
        } else if (s.radiance == view.sun_radiance) {
            EXPECT_FLOAT_EQ(s.pdf, light_pdf_sun(view));
            ++kinds[1];
        } else {
            EXPECT_FLOAT_EQ(s.pdf, light_pdf_environment(view, s.wi));
            ++kinds[2];
        }
    }
    for (int n : kinds) EXPECT_GT(n, 500);
}

TEST(LightSampling, coverage_scales_the_light_of_an_emitter) {
    Scene scene;
    Material glow = lamp(Vec3(4));
    glow.alpha_mode = AlphaMode::Blend, glow.alpha = 0.25f;
    add(scene, quad({-2, -2, 3}, {4, 0, 0}, {0, 4, 0}), glow);
    const SceneData data = ready(std::move(scene));
    EXPECT_FLOAT_EQ(sample_light(data.view(), Vec3(0), random_of(1)).radiance.x, 1.0f);
}

TEST(LightSampling, environment_map_has_the_documented_orientation) {
    Environment environment;
    environment.name = "map", environment.width = 64, environment.height = 32;
    for (uint32_t y = 0; y < 32; ++y)
        for (uint32_t x = 0; x < 64; ++x) environment.texels.push_back({x + 0.5f, y + 0.5f, 0});
    Scene scene;
    scene.environment = environment;
    SceneData data = ready(std::move(scene));
    const auto at = [&](Vec3 w) { return environment_radiance(data.view(), w); };
    EXPECT_NEAR(at({0, 0, -1}).x, 32, 1e-3);  // centre column looks along -Z
    EXPECT_NEAR(at({1, 0, 0}).x, 48, 1e-3);   // three quarters: +X
    EXPECT_NEAR(at({-1, 0, 0}).x, 16, 1e-3);
    EXPECT_NEAR(at({0, 1, 0}).y, 0.5, 1e-3);  // row 0 is the zenith
    EXPECT_NEAR(at({0, -1, 0}).y, 31.5, 1e-3);
    EXPECT_NEAR(at({0, 0, -1}).y, 16, 1e-3);
    // Turned to the right by 90 degrees, what was along -Z is along +X.
    environment.rotation_deg = 90;
    build_light_tables(data.columns, data.constants, environment, std::nullopt);
    EXPECT_NEAR(at({1, 0, 0}).x, 32, 1e-3);
    EXPECT_NEAR(at(normalize(Vec3(1, 0, -1))).x, 24, 1e-3);
}

TEST(LightSampling, lookups_wrap_around_the_seam) {
    Environment environment;
    environment.name = "map", environment.width = 4, environment.height = 1;
    environment.texels = {Vec3(1), Vec3(0), Vec3(0), Vec3(3)};
    Scene scene;
    scene.environment = environment;
    const SceneData data = ready(std::move(scene));
    EXPECT_NEAR(environment_radiance(data.view(), {0, 0, 1}).x, 2.0f, 1e-4f);
    EXPECT_NEAR(environment_radiance(data.view(), normalize(Vec3(1e-4f, 0, 1))).x, 2.0f, 1e-3f);
    EXPECT_NEAR(environment_radiance(data.view(), normalize(Vec3(-1e-4f, 0, 1))).x, 2.0f, 1e-3f);
}

TEST(LightSampling, point_and_spot_and_directional_lights_follow_their_laws) {
    Scene scene;
    PunctualLight light;
    light.position = {0, 4, 0}, light.direction = {0, -1, 0}, light.intensity = Vec3(8);
    scene.lights.push_back(light);
    SceneData data = ready(std::move(scene));
    const auto sample = [&](Vec3 p) { return sample_light(data.view(), p, random_of(0)); };
    EXPECT_FLOAT_EQ(sample({0, 0, 0}).radiance.x, 0.5f);
    EXPECT_FLOAT_EQ(sample({0, 0, 0}).pdf, 1.0f);
    EXPECT_TRUE(sample({0, 0, 0}).delta);
    EXPECT_EQ(sample({0, 4, 0}).pdf, 0.0f);

    data.columns.lights[0].range = 8;
    EXPECT_FLOAT_EQ(sample({0, 0, 0}).radiance.x, 0.5f * (1 - 1 / 16.0f));
    EXPECT_EQ(sample({0, -5, 0}).radiance.x, 0.0f);

    data.columns.lights[0].range = infinity;
    data.columns.lights[0].kind = LightKind::Spot;
    data.columns.lights[0].cos_inner = std::cos(pi / 8), data.columns.lights[0].cos_outer = std::cos(pi / 4);
    EXPECT_FLOAT_EQ(sample({1, 0, 0}).radiance.x, 8.0f / 17);
    EXPECT_EQ(sample({5, 0, 0}).radiance.x, 0.0f);
    EXPECT_EQ(sample({0, 6, 0}).radiance.x, 0.0f);
    const float between = sample({4 * std::tan(pi / 6), 0, 0}).radiance.x * (16 / (3.0f / 4)) / 8;
    const float x = (std::cos(pi / 6) - std::cos(pi / 4)) / (std::cos(pi / 8) - std::cos(pi / 4));
    EXPECT_NEAR(between, x * x, 1e-4f);

    data.columns.lights[0].kind = LightKind::Directional;
    EXPECT_FLOAT_EQ(sample({9, 9, 9}).radiance.x, 8.0f);
    EXPECT_EQ(sample({9, 9, 9}).wi, Vec3(0, 1, 0));
}

}  // namespace
}  // namespace warpath
