#pragma once

#include "lights/list.h"
#include "render/frame.h"
#include "render/medium.h"
#include "render/sampler.h"
#include "render/scatter.h"

/// Next-event estimation: one light sample per surface point.
namespace warpath {

/// Light that a shadow ray would let in. radiance == 0: no ray is needed.
struct DirectLight {
    Vec3 origin{0.0f}, direction{0.0f};
    float t_max = 0.0f;
    Vec3 radiance{0.0f};  ///< as the camera gets it, if nothing is in the way
};

/// The light sample of a surface point; wi == (0,0,0) if no light can arrive.
WARPATH_HD inline LightSample draw_light(const FrameView& frame, const SurfacePoint& at, const MaterialParams& params,
                                         const Sampler& sampler, uint32_t depth) {
    const SceneView& scene = frame.scene;
    if (frame.constants.light_strategy == LightStrategy::BsdfOnly || !has_lights(scene) || !has_non_delta(params))
        return {};
    const SampleGroup random = sampler.get_group(bounce_dimension(depth) + dimension_light_uv);
    LightSample light = sample_light(scene, at.position, {random.bits.z, random.fourth(), random.pair()});
    if (!(light.pdf > 0.0f) || is_zero(light.radiance)) light.wi = Vec3(0.0f);
    return light;
}

/// What `light` gives, with `bsdf` the surface's value towards it; `medium` is the one on wo's side of the surface.
WARPATH_HD inline DirectLight direct_light(const FrameView& frame, const SurfacePoint& at, const LightSample& light,
                                           const BsdfValue& bsdf, uint32_t medium) {
    const SceneView& scene = frame.scene;
    DirectLight direct;
    if (is_zero(bsdf.value)) return direct;
    const bool alone = light.delta || frame.constants.light_strategy == LightStrategy::NextEventOnly;
    const float weight = alone ? 1.0f : power_heuristic(light.pdf, bsdf.pdf);

    const bool transmitted = dot(light.wi, at.geometric_normal) <= 0.0f;
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
    direct.radiance = bsdf.value * light.radiance * transmittance(scene, beyond, light.distance) * (weight / light.pdf);
    return direct;
}

}  // namespace warpath
