#pragma once

#include "render/surface.h"

/// Absorption inside bodies. A path carries at most one medium: entering a body through its front sets it, leaving any
/// body through its back clears it. Bodies that overlap are therefore not told apart.
namespace warpath {

WARPATH_HD inline bool has_inside(const Material& material) {
    return material.transmission > 0.0f && !material.thin_walled;
}

/// The medium that a path is in after it crosses the surface; thin walls have none inside.
WARPATH_HD inline uint32_t medium_beyond(const SceneView& scene, const SurfacePoint& at, uint32_t medium) {
    if (!has_inside(scene.materials[at.material_id])) return medium;
    return at.front_side ? at.material_id : invalid_id;
}

/// The medium of the segment that ends at `at`. A path that started inside a body carries none, yet arrives at the
/// body's back.
WARPATH_HD inline uint32_t medium_before(const SceneView& scene, const SurfacePoint& at, uint32_t medium) {
    if (medium != invalid_id || at.front_side) return medium;
    return has_inside(scene.materials[at.material_id]) ? at.material_id : invalid_id;
}

/// What is left of light after `distance` in the medium. An endless segment absorbs nothing: only a body that is not
/// closed, or light from afar whose shadow ray its boundary will stop, has one. Source:  Beer and Lambert's law.
WARPATH_HD inline Vec3 transmittance(const SceneView& scene, uint32_t medium, float distance) {
    if (medium == invalid_id || !is_finite(distance)) return Vec3(1.0f);
    const Vec3 a = scene.materials[medium].absorption;
    return {::expf(-a.x * distance), ::expf(-a.y * distance), ::expf(-a.z * distance)};
}

}  // namespace warpath
