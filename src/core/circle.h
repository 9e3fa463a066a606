#pragma once

#include "core/math.h"

/// Points on the unit circle and their angles, in turns. Only fused multiply-adds and a division: short, and free of
/// the slow paths and stack frames that sinf, cosf and atan2f have on CUDA for arguments that never occur here.
namespace warpath {

/// (cos, sin) of 2 pi u, for u in [-1, 1]; within 1e-7.
/// Taylor series over an eighth of a turn: the first term left out of the cosine is 2.5e-8.
WARPATH_HD inline Vec2 unit_circle(float u) {
    const float quarters = floorf(fmaf(4.0f, u, 0.5f));
    const float x = 2.0f * pi * fmaf(-0.25f, quarters, u), x2 = x * x;
    const float s =
        x * fmaf(x2, fmaf(x2, fmaf(x2, fmaf(x2, 1.0f / 362880, -1.0f / 5040), 1.0f / 120), -1.0f / 6), 1.0f);
    const float c = fmaf(x2, fmaf(x2, fmaf(x2, fmaf(x2, 1.0f / 40320, -1.0f / 720), 1.0f / 24), -0.5f), 1.0f);
    const int32_t quadrant = static_cast<int32_t>(quarters) & 3;
    const float a = (quadrant & 1) != 0 ? s : c, b = (quadrant & 1) != 0 ? c : s;
    return {quadrant == 1 || quadrant == 2 ? -a : a, quadrant >= 2 ? -b : b};
}

/// The angle of (x, y) in turns, in [-0.5, 0.5]: atan2(y, x) / (2 pi), within 6e-8; 0 for (0, 0).
/// A minimax polynomial of atan(t) / (2 pi t) in t^2 over [0, 1], of relative error 1e-7.
WARPATH_HD inline float turns_of(float y, float x) {
    const float ax = fabsf(x), ay = fabsf(y), longer = max_of(ax, ay);
    if (!(longer > 0.0f)) return 0.0f;
    const float t = min_of(ax, ay) / longer, t2 = t * t;
    float p = fmaf(t2, -7.469555712e-4f, 3.859881079e-3f);
    p = fmaf(t2, p, -9.467541240e-3f);
    p = fmaf(t2, p, 1.577907801e-2f);
    p = fmaf(t2, p, -2.231269330e-2f);
    p = fmaf(t2, p, 3.178280219e-2f);
    p = fmaf(t2, p, -5.304951221e-2f);
    p = t * fmaf(t2, p, 1.591549218e-1f);
    if (ay > ax) p = 0.25f - p;
    if (x < 0.0f) p = 0.5f - p;
    return y < 0.0f ? -p : p;
}

}  // namespace warpath
