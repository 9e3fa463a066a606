#pragma once

#include "core/math.h"

namespace warpath {

/// (cos, sin) of 2 pi u, for u in [-1, 1]; within 1e-7.
/// Only fused multiply-adds, so that both backends get the same bits; on CUDA, sinf and cosf would also need a stack
/// frame for arguments that never occur here. Taylor series over an eighth of a turn: the first term left out of the
/// cosine is 2.5e-8.
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

}  // namespace warpath
