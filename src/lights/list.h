#pragma once

#include "lights/emissive_triangle.h"
#include "lights/environment.h"
#include "lights/punctual.h"
#include "lights/sun.h"

/// All kinds of lights: choosing one for next-event estimation, and the densities that bsdf samples which reach a light
/// are weighted against. A new kind is its own file, one case here, and its share in light_tables.cpp.
namespace warpath {

/// Is there anything for next-event estimation to sample?
WARPATH_HD inline bool has_lights(const SceneConstants& scene) {
    return scene.select_emitters + scene.select_environment + scene.select_sun + scene.select_lights > 0.0f;
}

namespace detail {

/// If `random.kind` falls into the first `probability` of the unit interval, stretches what is left of it to [0, 1).
/// Otherwise moves on by `probability`.
WARPATH_HD inline bool take_kind(float probability, LightRandom& random) {
    if (random.kind < probability) {
        random.kind = min_of(random.kind / probability, 0x1.fffffep-1f);
        return true;
    }
    random.kind -= probability;
    return false;
}

WARPATH_HD inline LightSample picked(LightSample sample, float probability) {
    sample.pdf *= probability;
    return sample;
}

}  // namespace detail

/// One light sample towards `point`. pdf includes every choice made; 0 when nothing can arrive.
WARPATH_HD inline LightSample sample_light(const SceneView& scene, Vec3 point, LightRandom random) {
    if (detail::take_kind(scene.select_emitters, random))
        return detail::picked(sample_emitter(scene, point, random), scene.select_emitters);
    if (detail::take_kind(scene.select_environment, random))
        return detail::picked(sample_environment(scene, random), scene.select_environment);
    if (detail::take_kind(scene.select_sun, random)) return detail::picked(sample_sun(scene, random), scene.select_sun);
    if (detail::take_kind(scene.select_lights, random))
        return detail::picked(sample_punctual(scene, point, random), scene.select_lights);
    return {};
}

/// Density per solid angle with which sample_light finds the point of emitter `light_id` at `distance` under
/// `cos_light`.
WARPATH_HD inline float light_pdf_emitter(const SceneView& scene, uint32_t light_id, float distance, float cos_light) {
    return scene.select_emitters * emitter_pdf(scene.emitters[light_id], distance, cos_light);
}
WARPATH_HD inline float light_pdf_environment(const SceneView& scene, Vec3 direction) {
    return scene.select_environment * environment_pdf(scene, direction);
}
/// For directions within the sun's disc.
WARPATH_HD inline float light_pdf_sun(const SceneView& scene) { return scene.select_sun * sun_pdf(scene); }

}  // namespace warpath
