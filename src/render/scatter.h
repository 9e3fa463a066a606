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

}  // namespace detail

/// Bsdf times |cos|, and density per solid angle, of the unit direction `wi` in world space, without delta lobes.
/// `lobes` are those of at.wo.
WARPATH_HD inline BsdfValue evaluate_surface(const SurfacePoint& at, const Lobes& lobes, Vec3 wi) {
    const bool above = dot(wi, at.geometric_normal) > 0.0f;
    BsdfValue sum;
    WARPATH_ROLLED
    for (int image = 0; image < 2; ++image) {
        const Vec3 local = at.shading.to_local(wi);
        if ((local.z > 0.0f) == above) sum = sum + evaluate_lobes(lobes, local);
        wi = detail::mirror_image(wi, at.geometric_normal);
    }
    return sum;
}

/// Draws a direction in world space; fields as draw_lobes leaves them.
WARPATH_HD inline BsdfSample draw_surface(const SurfacePoint& at, const Lobes& lobes, float u_lobe, Vec2 u) {
    BsdfSample sample = draw_lobes(lobes, u_lobe, u);
    const bool reflected = sample.wi.z > 0.0f;
    const Vec3 wi = at.shading.to_world(sample.wi);
    const bool kept = (dot(wi, at.geometric_normal) > 0.0f) == reflected;
    sample.wi = normalize(kept ? wi : detail::mirror_image(wi, at.geometric_normal));
    sample.transmitted = !reflected;
    return sample;
}

/// What a hit needs of its bsdf: the values towards a light and along the drawn direction, which it completes. One loop,
/// so that kernels hold the evaluation once.
/// light_wi: (0,0,0) if there is no light to evaluate; the result is then zero.
WARPATH_HD inline BsdfValue evaluate_hit(const SurfacePoint& at, const Lobes& lobes, Vec3 light_wi, BsdfSample& next) {
    BsdfValue toward_light;
    WARPATH_ROLLED
    for (int i = 0; i < 2; ++i) {
        const bool light = i == 0;
        if (light ? is_zero(light_wi) : !next.valid || next.delta) continue;
        const BsdfValue value = evaluate_surface(at, lobes, light ? light_wi : next.wi);
        if (light)
            toward_light = value;
        else
            weigh(next, value);
    }
    return toward_light;
}

}  // namespace warpath
