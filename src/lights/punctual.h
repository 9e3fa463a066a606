#pragma once

#include "core/random.h"
#include "lights/light_sample.h"
#include "scene/scene_data.h"

/// Point, spot and directional lights: no area, so only next-event estimation finds them. All are picked equally often.
/// Source:  Khronos, "KHR_lights_punctual", glTF 2.0 extension: attenuation by range and spot angle.
namespace warpath {

/// Share of a spot's intensity that goes off at an angle from its axis: 1 inside the inner cone, 0 outside the outer.
WARPATH_HD inline float spot_falloff(const PunctualLight& light, float cos_angle) {
    if (light.kind != LightKind::Spot) return 1.0f;
    const float width = max_of(light.cos_inner - light.cos_outer, 1e-6f);
    const float x = saturate((cos_angle - light.cos_outer) / width);
    return x * x;
}

/// Window that lets the inverse-square law end at `range`.
WARPATH_HD inline float range_window(float distance, float range) {
    const float r = distance / range, r2 = r * r;
    return saturate(1.0f - r2 * r2);
}

/// `radiance` holds the irradiance on a surface that faces the light.
WARPATH_HD inline LightSample sample_punctual(const SceneView& scene, Vec3 point, const LightRandom& random) {
    const PunctualLight& light = scene.lights[scale_to_range(random.index, scene.lights.size)];
    LightSample sample;
    sample.delta = true;
    sample.pdf = 1.0f / static_cast<float>(scene.lights.size);
    if (light.kind == LightKind::Directional) {
        sample.wi = -light.direction;
        sample.distance = infinity;
        sample.radiance = light.intensity;
        return sample;
    }
    const Vec3 to_light = light.position - point;
    sample.distance = length(to_light);
    sample.target = light.position;
    if (!(sample.distance > 0.0f)) {
        sample.pdf = 0.0f;
        return sample;
    }
    sample.wi = to_light * (1.0f / sample.distance);
    const float falloff =
        spot_falloff(light, -dot(sample.wi, light.direction)) * range_window(sample.distance, light.range);
    sample.radiance = light.intensity * (falloff / (sample.distance * sample.distance));
    return sample;
}

}  // namespace warpath
