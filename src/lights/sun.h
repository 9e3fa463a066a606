#pragma once

#include "core/sampling.h"
#include "lights/light_sample.h"
#include "scene/scene_data.h"

/// The sun: a disc of uniform radiance, infinitely far away, sampled uniformly in solid angle.
/// These functions leave out the probability of choosing this kind of light; list.h multiplies it in.
namespace warpath {

/// Radiance arriving from `direction` (unit): the disc's, or 0 beside it. The distance of the two unit vectors decides,
/// since their cosine in single precision cannot tell angles as small as the sun's apart.
WARPATH_HD inline Vec3 sun_radiance_along(const SceneConstants& scene, Vec3 direction) {
    if (!scene.has_sun) return Vec3(0.0f);
    const float one_minus_cos = 0.5f * length_squared(direction - scene.sun_direction);
    return one_minus_cos <= scene.sun_solid_angle * (0.5f * inv_pi) ? scene.sun_radiance : Vec3(0.0f);
}

/// Density per solid angle of sample_sun, within the disc.
WARPATH_HD inline float sun_pdf(const SceneConstants& scene) { return 1.0f / scene.sun_solid_angle; }

WARPATH_HD inline LightSample sample_sun(const SceneConstants& scene, const LightRandom& random) {
    const Vec3 local = sample_cone(random.uv, scene.sun_solid_angle * (0.5f * inv_pi));
    LightSample sample;
    sample.wi = normalize(Frame::from_normal(scene.sun_direction).to_world(local));
    sample.distance = infinity;
    sample.radiance = scene.sun_radiance;
    sample.pdf = sun_pdf(scene);
    return sample;
}

}  // namespace warpath
