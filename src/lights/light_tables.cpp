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

/// Returns the power of all emitters, in W per unit of luminance.
double build_emitters(SceneColumns<HostColumn>& columns, SceneConstants& constants) {
    columns.emitters.clear();
    std::vector<double> weights;
    const EmitterPower power(columns);
    for (uint32_t prim_id = 0; prim_id < columns.triangles.size(); ++prim_id) {
        Triangle& triangle = columns.triangles[prim_id];
        triangle.light_id = invalid_id;
        const double area = power.area(prim_id);
        const double weight = area * power.mean_luminance(prim_id);
        const float area_f = static_cast<float>(area);
        if (!(weight > 0.0) || !std::isfinite(weight) || !(area_f > 0.0f) || !std::isfinite(area_f)) continue;
        triangle.light_id = static_cast<uint32_t>(columns.emitters.size());
        columns.emitters.push_back({prim_id, area_f, 0.0f});
        weights.push_back(weight);
    }
    constants.max_radiance = std::max(constants.max_radiance, power.largest_radiance());
    double sum = 0.0;
    for (double w : weights) sum += w;
    for (size_t i = 0; i < weights.size(); ++i) columns.emitters[i].select_pdf = static_cast<float>(weights[i] / sum);
    columns.emitter_alias = weights.empty() ? std::vector<AliasEntry>{} : build_alias_table(weights);
    return 2.0 * pi_d * sum;  // both sides
}

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

void set_selection(SceneConstants& constants, double emitters, double environment, double sun, double lights) {
    const double powers[4] = {emitters, environment, sun, lights};
    float* const shares[4] = {&constants.select_emitters, &constants.select_environment, &constants.select_sun,
                              &constants.select_lights};
    double sum = 0.0;
    int num_kinds = 0;
    for (double p : powers) sum += p, num_kinds += p > 0.0;
    for (int i = 0; i < 4; ++i)
        *shares[i] = powers[i] > 0.0
                         ? static_cast<float>(least_share / num_kinds + (1.0 - least_share) * (powers[i] / sum))
                         : 0.0f;
}

}  // namespace

std::vector<std::string> build_light_tables(SceneColumns<HostColumn>& columns, SceneConstants& constants,
                                            const std::optional<Environment>& environment,
                                            const std::optional<Sun>& sun) {
    std::vector<std::string> warnings;
    const Vec3 extent = constants.bounds.empty() ? Vec3(0.0f) : constants.bounds.extent();
    const double radius = 0.5 * std::hypot(std::hypot<double>(extent.x, extent.y), extent.z);
    const double cross_section = pi_d * std::max(radius * radius, 1e-30);

    constants.max_radiance = 0.0f;
    const double emitters = build_emitters(columns, constants);
    const double sky = build_environment(columns, constants, environment, warnings) * cross_section;
    const double disc = set_sun(constants, sun, cross_section);
    const double lights = add_punctual(columns, constants, radius, cross_section);
    set_selection(constants, emitters, sky, disc, lights);
    return warnings;
}

}  // namespace warpath
