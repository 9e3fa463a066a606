#pragma once

#include "core/sampling.h"
#include "lights/alias_table.h"
#include "lights/light_sample.h"
#include "materials/interpolate.h"

/// Emissive triangles: picked by alias table in proportion to power, then a uniform point. They shine from both sides.
/// These functions leave out the probability of choosing this kind of light; list.h multiplies it in.
namespace warpath {

/// Density per solid angle of sampling the point of `emitter` that lies at `distance`, seen under `cos_light`.
WARPATH_HD inline float emitter_pdf(const Emitter& emitter, float distance, float cos_light) {
    return emitter.select_pdf * (distance * distance) / (emitter.area * ::fabsf(cos_light));
}

/// Radiance already contains the emitter's coverage, because the shadow ray ends before it asks the emitter itself.
WARPATH_HD inline LightSample sample_emitter(const SceneView& scene, Vec3 point, const LightRandom& random) {
    const Emitter emitter = scene.emitters[sample_alias(scene.emitter_alias, random.index, random.kind)];
    const Triangle& triangle = scene.triangles[emitter.prim_id];
    const TriangleShape shape = triangle_shape(scene, triangle);
    const Vec2 b = sample_triangle(random.uv);
    const Vec3 position = shape.position(b.x, b.y), normal = shape.normal();

    LightSample sample;
    const Vec3 to_light = position - point;
    sample.distance = length(to_light);
    if (!(sample.distance > 0.0f)) return sample;
    sample.wi = to_light * (1.0f / sample.distance);
    const float cos_light = dot(normal, sample.wi);
    if (cos_light == 0.0f) return sample;
    sample.target = madd(normal, cos_light > 0.0f ? -shape.offset(normal) : shape.offset(normal), position);
    const Material& material = scene.materials[triangle.material_id];
    const SurfaceInputs at = surface_inputs(scene, triangle, b.x, b.y);
    sample.radiance = resolve_emission(scene, material, at) * resolve_alpha(scene, material, at);
    sample.pdf = emitter_pdf(emitter, sample.distance, cos_light);
    return sample;
}

}  // namespace warpath
