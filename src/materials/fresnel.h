#pragma once

#include "core/math.h"

namespace warpath {

/// Relative indices are kept within [1 / max_ior, max_ior].
inline constexpr float max_ior = 50.0f;

/// Signed amplitude of reflection at normal incidence, (eta - 1) / (eta + 1), in (-1, 1). Negative when leaving the
/// denser side.
WARPATH_HD inline float fresnel_amplitude(float eta) { return (eta - 1.0f) / (eta + 1.0f); }
WARPATH_HD inline float fresnel_at_normal(float eta) { return sqr(fresnel_amplitude(eta)); }

/// Cosine of the refracted direction, or 0 under total reflection.
/// Written with eta^2 - 1 + cos^2, so that eta = 1 gives back cos_i to the bit.
WARPATH_HD inline float refracted_cosine(float cos_i, float eta) {
    return safe_sqrt(fmaf(cos_i, cos_i, (eta - 1.0f) * (eta + 1.0f))) / eta;
}

/// Reflectance of a smooth dielectric for unpolarised light; exactly 0 for eta = 1, exactly 1 under total reflection.
/// cos_i in [0, 1]; eta: index of the other side over the index of the incident side.
WARPATH_HD inline float fresnel_dielectric(float cos_i, float eta) {
    if (eta == 1.0f) return 0.0f;
    const float squared = fmaf(cos_i, cos_i, (eta - 1.0f) * (eta + 1.0f));
    if (squared <= 0.0f) return 1.0f;
    const float scaled_t = sqrtf(squared), scaled_i = eta * eta * cos_i;  // eta times the cosine of the other side
    const float above = scaled_i + scaled_t, beside = cos_i + scaled_t;
    const float parallel = (scaled_i - scaled_t) * beside, perpendicular = (cos_i - scaled_t) * above;
    return 0.5f * fmaf(parallel, parallel, perpendicular * perpendicular) / sqr(above * beside);
}

/// Source: Schlick, "An Inexpensive BRDF Model for Physically-based Rendering", Computer Graphics Forum 13(3), 1994.
WARPATH_HD inline Vec3 fresnel_schlick(Vec3 f0, float cos_i) {
    const float x = saturate(1.0f - cos_i);
    return lerp(f0, Vec3(1.0f), sqr(sqr(x)) * x);
}

/// Reflectance of a dielectric whose value at normal incidence is tinted: `f0` there, 1 at grazing angles, in between
/// along the exact curve. An untinted f0 gives fresnel_dielectric back.
WARPATH_HD inline Vec3 tinted_fresnel(Vec3 f0, float exact, float eta) {
    // (exact - exact_f0) / (1 - exact_f0); can be a little negative for large eta.
    const float rise = fmaf(exact, sqr(eta + 1.0f), -sqr(eta - 1.0f)) / (4.0f * eta);
    return {max_of(lerp(f0.x, 1.0f, rise), 0.0f), max_of(lerp(f0.y, 1.0f, rise), 0.0f),
            max_of(lerp(f0.z, 1.0f, rise), 0.0f)};
}

}  // namespace warpath
