#pragma once

#include "core/circle.h"

/// Isotropic GGX microfacets with height-correlated Smith masking. Directions are local, z is the shading normal, wo.z
/// > 0. Source: Walter et al., "Microfacet Models for Refraction through Rough Surfaces", EGSR 2007; Heitz,
/// "Understanding the Masking-Shadowing Function in Microfacet-Based BRDFs", JCGT 3(2), 2014. Everything is written
/// with s(w) = sqrt(alpha^2 sin^2 + cos^2), where Lambda(w) = (s / cos - 1) / 2, so that nothing is divided by a cosine
/// that may vanish.
namespace warpath {

/// Directions closer to the horizon than this carry no light in a rough lobe.
inline constexpr float min_lobe_cosine = 1e-7f;

WARPATH_HD inline float ggx_stretch(Vec3 w, float alpha) {
    return sqrtf(fmaf(alpha * alpha, fmaf(w.x, w.x, w.y * w.y), w.z * w.z));
}

/// Density of microfacet normals, per unit of solid angle and projected area.
WARPATH_HD inline float ggx_density(Vec3 h, float alpha) {
    const float a2 = alpha * alpha;
    return inv_pi * a2 / sqr(fmaf(h.x, h.x, fmaf(h.y, h.y, a2 * (h.z * h.z))));
}

/// A microfacet normal as seen from wo. Density per unit of solid angle of h:
/// ggx_density(h, alpha) * 2 wo.h / (wo.z + ggx_stretch(wo, alpha)).
/// Source: Dupuy and Benyoub, "Sampling Visible GGX Normals with Spherical Caps", HPG 2023.
WARPATH_HD inline Vec3 sample_visible_normal(Vec3 wo, float alpha, Vec2 u) {
    const Vec3 w = normalize(Vec3(alpha * wo.x, alpha * wo.y, wo.z));
    const Vec2 around = unit_circle(u.x);
    const float height = (1.0f - u.y) * (1.0f + w.z);  // of the half vector, so the cap's z is height - w.z
    const float z = height - w.z;
    const float radius = safe_sqrt(1.0f - z * z);
    const Vec3 h{alpha * fmaf(radius, around.x, w.x), alpha * fmaf(radius, around.y, w.y), max_of(height, 1e-6f)};
    return normalize(h);
}

/// G2 / G1(wo): what is left of a visible-normal sample after shadowing of wi, which may be on either side.
/// stretch: ggx_stretch(wo, alpha).
WARPATH_HD inline float shadowing_ratio(Vec3 wo, Vec3 wi, float alpha, float stretch) {
    const float cos_i = fabsf(wi.z);
    return cos_i * (wo.z + stretch) / fmaf(wo.z, ggx_stretch(wi, alpha), cos_i * stretch);
}

/// d omega_h / d omega_i of a refraction; eta: index of wi's side over the index of wo's side.
WARPATH_HD inline float refraction_jacobian(float cos_oh, float cos_ih, float eta) {
    return eta * eta * fabsf(cos_ih) / sqr(fmaf(eta, cos_ih, cos_oh));
}

}  // namespace warpath
