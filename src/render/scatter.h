#pragma once

#include "materials/bsdf.h"
#include "render/surface.h"

/// Scattering in world space, where the shading normal may lean away from the geometric one.
///
/// The lobes live around the shading normal, and part of a lobe can lie beyond the geometric surface: reflected light
/// would enter it, transmitted light would leave on the wrong side. Dropping those directions loses energy (a plate
/// whose normals lean by 60 degrees would keep three quarters). Here they are mirrored at the geometric plane instead:
///
///       shading normal                a direction `wi` that the bsdf calls reflected (transmitted) goes to `wi` if it
///       is above
///          \   |  geometric           (below) the plane, else to its mirror image. So no light leaks, a white surface
///          stays
///     wi'   \  |                      white, and the value and density of a direction are sums over itself and its
///     image,
///       `.   \ |                      each counted if the bsdf puts it on the side where the plane then sends it.
///         `.  \|
///     -----------------
///         .'   wi: below the plane, above the shading horizon
namespace warpath {

namespace detail {

WARPATH_HD inline Vec3 mirror_image(Vec3 wi, Vec3 normal) { return madd(normal, -2.0f * dot(wi, normal), wi); }

/// Value and density that the bsdf gives to `wi` (world), if it has `wi` on the side `above` of the shading plane.
WARPATH_HD inline BsdfValue value_on_side(const SceneView& scene, const SurfacePoint& at, const MaterialParams& params,
                                          Vec3 wi, bool above) {
    const Vec3 local = at.shading.to_local(wi);
    if ((local.z > 0.0f) != above) return {};
    return evaluate_bsdf(scene, params, at.wo, local);
}

}  // namespace detail

/// Bsdf times |cos|, and density per solid angle, of the unit direction `wi` in world space, without delta lobes.
WARPATH_HD inline BsdfValue evaluate_surface(const SceneView& scene, const SurfacePoint& at,
                                             const MaterialParams& params, Vec3 wi) {
    const bool above = dot(wi, at.geometric_normal) > 0.0f;
    BsdfValue sum;
    for (int image = 0; image < 2; ++image) {
        sum = sum + detail::value_on_side(scene, at, params, wi, above);
        wi = detail::mirror_image(wi, at.geometric_normal);
    }
    return sum;
}

/// One scattered direction in world space; fields as in BsdfSample.
WARPATH_HD inline BsdfSample sample_surface(const SceneView& scene, const SurfacePoint& at,
                                            const MaterialParams& params, float u_lobe, Vec2 u) {
    BsdfSample sample = sample_bsdf(scene, params, at.wo, u_lobe, u);
    if (!sample.valid) return sample;
    const bool reflected = sample.wi.z > 0.0f;
    const Vec3 wi = at.shading.to_world(sample.wi);
    const Vec3 image = detail::mirror_image(wi, at.geometric_normal);
    // The weight is that of the direction drawn, whose average over draws is right; only the density must be the sum.
    if (!sample.delta) sample.pdf += detail::value_on_side(scene, at, params, image, reflected).pdf;
    sample.wi = normalize((dot(wi, at.geometric_normal) > 0.0f) == reflected ? wi : image);
    sample.transmitted = !reflected;
    return sample;
}

}  // namespace warpath
