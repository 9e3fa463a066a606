#pragma once

#include "core/circle.h"

/// Warps from the unit square to the shapes that cameras, lights and tests draw from.
namespace warpath {

/// Uniform on the unit disc; maps neighbouring points to neighbouring points.
/// Source:  Shirley and Chiu, "A Low Distortion Map Between Disk and Square", JGT 2(3), 1997.
WARPATH_HD inline Vec2 sample_disc(Vec2 u) {
    const float a = fmaf(2.0f, u.x, -1.0f), b = fmaf(2.0f, u.y, -1.0f);
    if (a == 0.0f && b == 0.0f) return Vec2(0.0f);
    const bool wide = ::fabsf(a) > ::fabsf(b);
    const float r = wide ? a : b;
    return unit_circle(wide ? 0.125f * (b / a) : 0.25f - 0.125f * (a / b)) * r;
}

/// Barycentric weights of vertices 1 and 2 of a uniform point of a triangle.
/// Source:  Heitz, "A Low-Distortion Map Between Triangle and Square", 2019.
WARPATH_HD inline Vec2 sample_triangle(Vec2 u) {
    return u.y > u.x ? Vec2(u.x * 0.5f, u.y - u.x * 0.5f) : Vec2(u.x - u.y * 0.5f, u.y * 0.5f);
}

/// Uniform in solid angle in the cone around +z whose half angle has 1 - cos = `one_minus_cos`.
/// The cosine's complement is the parameter, because a float near 1 cannot hold the cosine of a small angle.
WARPATH_HD inline Vec3 sample_cone(Vec2 u, float one_minus_cos) {
    const float h = u.x * one_minus_cos;
    const float sin_theta = safe_sqrt(h * (2.0f - h));
    const Vec2 around = unit_circle(u.y) * sin_theta;
    return {around.x, around.y, 1.0f - h};
}

/// Weight of the sampling method with density `pdf` against one with density `other`. Either may be infinite, not both.
/// Source:  Veach and Guibas, "Optimally Combining Sampling Techniques for Monte Carlo Rendering", SIGGRAPH 1995:
///          the power heuristic with exponent 2.
WARPATH_HD inline float power_heuristic(float pdf, float other) {
    const float ratio = other / pdf;
    return 1.0f / (1.0f + ratio * ratio);
}

}  // namespace warpath
