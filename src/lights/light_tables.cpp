#include "lights/light_tables.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "lights/alias_table.h"
#include "lights/emitter_power.h"
#include "lights/environment_table.h"
#include "materials/interpolate.h"
#include "warpath/error.h"

namespace warpath {

namespace {

constexpr double pi_d = 3.14159265358979323846;
constexpr double least_share = 0.25;  // of the samples, spread evenly over the kinds of light that are present

double luminance_of(Vec3 c) { return 0.2126 * c.x + 0.7152 * c.y + 0.0722 * c.z; }

/// Returns the power that crosses the scene's bounding sphere.
double set_sun(SceneConstants& constants, const std::optional<Sun>& sun, double cross_section) {
    constants.has_sun = false;
    constants.sun_radiance = Vec3(0.0f);
    constants.sun_solid_angle = 0.0f;
    if (!sun) return 0.0;
    const double half_angle = sun->angle_deg * (pi_d / 360.0);
    const double solid_angle = 4.0 * pi_d * std::pow(std::sin(0.5 * half_angle), 2.0);
    constants.has_sun = true;
    constants.sun_direction = normalize(sun->direction);
    constants.sun_radiance = sun->radiance;
    constants.sun_cos_angle = static_cast<float>(std::cos(half_angle));
    constants.sun_solid_angle = static_cast<float>(solid_angle);
    constants.max_radiance = std::max(constants.max_radiance, max_component(sun->radiance));
    return luminance_of(sun->radiance) * solid_angle * cross_section;
}

/// Returns the power of the punctual lights. They bound no radiance; what a white surface sends back of them does, at a
/// distance of a hundredth of the scene.
double add_punctual(const SceneColumns<HostColumn>& columns, SceneConstants& constants, double radius,
                    double cross_section) {
    double power = 0.0;
    for (const PunctualLight& light : columns.lights) {
        const double intensity = luminance_of(light.intensity);
        double brightest = max_component(light.intensity) / pi_d;
        switch (light.kind) {
            case LightKind::Directional:
                power += intensity * cross_section;
                break;
            case LightKind::Spot:
                power += intensity * 2.0 * pi_d * (1.0 - light.cos_outer);
                break;
            case LightKind::Point:
                power += intensity * 4.0 * pi_d;
                break;
        }
        if (light.kind != LightKind::Directional) brightest /= std::max(1e-4 * radius * radius, 1e-30);
        constants.max_radiance = std::max(constants.max_radiance, static_cast<float>(std::min(brightest, 1e30)));
    }
    return power;
}

/// Of the scene's bounding sphere: its radius, and the area of the disc that it shows from anywhere.
double bounding_radius(const Bounds& bounds) {
    const Vec3 extent = bounds.empty() ? Vec3(0.0f) : bounds.extent();
    return 0.5 * std::hypot(std::hypot<double>(extent.x, extent.y), extent.z);
}
double cross_section_of(double radius) { return pi_d * std::max(radius * radius, 1e-30); }

/// What `fill` returns and what it makes of the largest radiance.
template <class Fill>
LightShare share_of(SceneConstants& constants, const Fill& fill) {
    constants.max_radiance = 0.0f;
    const double power = fill();
    return {power, constants.max_radiance};
}

}  // namespace

LightShare build_emitters(const SceneView& scene, std::vector<Triangle>& triangles, std::vector<Emitter>& emitters,
                          std::vector<AliasEntry>& alias) {
    emitters.clear();
    std::vector<double> weights;
    const EmitterPower power(scene);
    for (uint32_t prim_id = 0; prim_id < std::min<size_t>(triangles.size(), scene.num_world_triangles); ++prim_id) {
        Triangle& triangle = triangles[prim_id];
        triangle.light_id = invalid_id;
        if (!scene.materials[triangle.material_id].emits()) continue;
        const double area = power.area(prim_id);
        const double weight = area * power.mean_luminance(prim_id);
        const float area_f = static_cast<float>(area);
        if (!(weight > 0.0) || !std::isfinite(weight) || !(area_f > 0.0f) || !std::isfinite(area_f)) continue;
        triangle.light_id = static_cast<uint32_t>(emitters.size());
        emitters.push_back({prim_id, area_f, 0.0f});
        weights.push_back(weight);
    }
    double sum = 0.0;
    for (double w : weights) sum += w;
    for (size_t i = 0; i < weights.size(); ++i) emitters[i].select_pdf = static_cast<float>(weights[i] / sum);
    alias = weights.empty() ? std::vector<AliasEntry>{} : build_alias_table(weights);
    return {2.0 * pi_d * sum, power.largest_radiance()};  // both sides
}

LightShare build_sky(SceneColumns<HostColumn>& columns, SceneConstants& constants,
                     const std::optional<Environment>& environment, std::vector<std::string>& warnings) {
    return share_of(constants, [&] {
        return build_environment(columns, constants, environment, warnings) *
               cross_section_of(bounding_radius(constants.bounds));
    });
}

void set_light_shares(SceneConstants& constants, const LightShares& lights) {
    const LightShare kinds[4] = {lights.emitters, lights.environment, lights.sun, lights.punctual};
    float* const shares[4] = {&constants.select_emitters, &constants.select_environment, &constants.select_sun,
                              &constants.select_lights};
    double sum = 0.0;
    int num_kinds = 0;
    constants.max_radiance = 0.0f;
    for (const LightShare& kind : kinds) {
        sum += kind.power, num_kinds += kind.power > 0.0;
        constants.max_radiance = std::max(constants.max_radiance, kind.max_radiance);
    }
    for (int i = 0; i < 4; ++i) {
        const double power = kinds[i].power;
        *shares[i] =
            power > 0.0 ? static_cast<float>(least_share / num_kinds + (1.0 - least_share) * (power / sum)) : 0.0f;
    }
}

std::vector<std::string> build_light_tables(SceneColumns<HostColumn>& columns, SceneConstants& constants,
                                            const std::optional<Environment>& environment,
                                            const std::optional<Sun>& sun, LightShares* shares) {
    std::vector<std::string> warnings;
    const double radius = bounding_radius(constants.bounds), cross_section = cross_section_of(radius);
    LightShares lights;
    SceneView view = view_of(columns);
    static_cast<SceneConstants&>(view) = constants;
    lights.emitters = build_emitters(view, columns.triangles, columns.emitters, columns.emitter_alias);
    lights.environment = build_sky(columns, constants, environment, warnings);
    lights.sun = share_of(constants, [&] { return set_sun(constants, sun, cross_section); });
    lights.punctual = share_of(constants, [&] { return add_punctual(columns, constants, radius, cross_section); });
    set_light_shares(constants, lights);
    if (shares) *shares = lights;
    return warnings;
}

}  // namespace warpath
