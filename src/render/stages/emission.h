#pragma once

#include "lights/list.h"
#include "render/frame.h"
#include "render/surface.h"

/// Emission that an extension ray reaches, weighted against next-event estimation having found it one bounce earlier.
namespace warpath {

/// Weight of light found by a ray that was drawn with density `bsdf_pdf` (negative: camera ray or delta lobe, which
/// next-event estimation cannot replace). `light_pdf` is 0 where next-event estimation cannot find it.
WARPATH_HD inline float emission_weight(LightStrategy strategy, float bsdf_pdf, float light_pdf) {
    if (strategy == LightStrategy::BsdfOnly || bsdf_pdf < 0.0f || light_pdf == 0.0f) return 1.0f;
    return strategy == LightStrategy::NextEventOnly ? 0.0f : power_heuristic(bsdf_pdf, light_pdf);
}

/// Radiance of what lies beyond the scene: environment and sun.
WARPATH_HD inline Vec3 escaped_radiance(const FrameView& frame, Vec3 direction, float bsdf_pdf) {
    const SceneView& scene = frame.scene;
    const LightStrategy strategy = frame.constants.light_strategy;
    Vec3 sum{0.0f};
    if (scene.has_environment) {
        const float light_pdf = bsdf_pdf < 0.0f ? 0.0f : light_pdf_environment(scene, direction);
        sum = environment_radiance(scene, direction) * emission_weight(strategy, bsdf_pdf, light_pdf);
    }
    const Vec3 sun = sun_radiance_along(scene, direction);
    if (is_zero(sun)) return sum;
    return sum + sun * emission_weight(strategy, bsdf_pdf, light_pdf_sun(scene));
}

/// Radiance that the surface itself sends back along the ray, which came over `distance`.
WARPATH_HD inline Vec3 surface_radiance(const FrameView& frame, const SurfacePoint& at, Vec3 emission, Vec3 direction,
                                        float distance, float bsdf_pdf) {
    if (is_zero(emission)) return emission;
    const float light_pdf = at.light_id == invalid_id ? 0.0f
                                                      : light_pdf_emitter(frame.scene, at.light_id, distance,
                                                                          dot(at.geometric_normal, direction));
    return emission * emission_weight(frame.constants.light_strategy, bsdf_pdf, light_pdf);
}

}  // namespace warpath
