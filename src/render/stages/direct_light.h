#pragma once

#include "lights/list.h"
#include "render/frame.h"
#include "render/medium.h"
#include "render/sampler.h"
#include "render/scatter.h"

/// Next-event estimation: one light sample per surface point.
namespace warpath {

/// A light sample made ready for a surface point: what arrives along `wi`, and the shadow ray that asks for it.
struct DirectLight {
    Vec3 wi{0.0f};        ///< unit, towards the light; (0,0,0): none can arrive
    Vec3 radiance{0.0f};  ///< arriving, if nothing is in the way but the medium
    float pdf = 0.0f;     ///< as in LightSample
    bool alone = false;   ///< no other technique counts this light, so it needs no weight
    Vec3 origin{0.0f}, direction{0.0f};
    float t_max = 0.0f;

    /// The light scattered back, weighted; `bsdf` is the surface's value and density of `wi`.
    WARPATH_HD Vec3 scattered(const BsdfValue& bsdf) const {
        if (is_zero(bsdf.value)) return Vec3(0.0f);
        const float weight = alone ? 1.0f : power_heuristic(pdf, bsdf.pdf);
        return bsdf.value * radiance * (weight / pdf);
    }
};

/// `medium` is the one on wo's side of the surface. `depth`: scattering events before this one.
WARPATH_HD inline DirectLight draw_light(const FrameView& frame, const SurfacePoint& at, const MaterialParams& params,
                                         const Sampler& sampler, uint32_t depth, uint32_t medium) {
    const SceneView& scene = frame.scene;
    const LightStrategy strategy = frame.constants.light_strategy;
    DirectLight direct;
    if (strategy == LightStrategy::BsdfOnly || !has_lights(scene) || !has_non_delta(params)) return direct;
    const SampleGroup random = sampler.get_group(bounce_dimension(depth) + dimension_light_uv);
    const LightSample light = sample_light(scene, at.position, {random.bits.z, random.fourth(), random.pair()});
    if (!(light.pdf > 0.0f) || is_zero(light.radiance)) return direct;
    const bool transmitted = dot(light.wi, at.geometric_normal) <= 0.0f;
    if (transmitted && !has_transmission(params)) return direct;

    direct.origin = at.origin(transmitted);
    direct.direction = light.wi;
    direct.t_max = light.distance;
    if (is_finite(light.distance)) {
        const Vec3 to_target = light.target - direct.origin;
        const float distance = length(to_target);
        if (!(distance > 0.0f)) return direct;
        direct.direction = to_target * (1.0f / distance);
        direct.t_max = distance * (1.0f - 0x1p-20f);  // far lights: what rounding the direction does to t
    }
    const uint32_t beyond = transmitted ? medium_beyond(scene, at, medium) : medium;
    direct.wi = light.wi;
    direct.radiance = light.radiance * transmittance(scene, beyond, light.distance);
    direct.pdf = light.pdf;
    direct.alone = light.delta || strategy == LightStrategy::NextEventOnly;
    return direct;
}

}  // namespace warpath
