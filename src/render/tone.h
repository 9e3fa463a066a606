#pragma once

#include "core/math.h"

/// From linear radiance to bytes on a screen. The same bits on both backends, and the same bytes in a PNG.
namespace warpath {

/// A display value in 0..1, before the sRGB transfer curve. `scale`: 2 to the power of the exposure in stops. NaN becomes 0, infinity what the
/// largest value does.
/// Source:  Narkowicz, "ACES Filmic Tone Mapping Curve", 2016; else values above 1 are cut off.
WARPATH_HD inline float tone_mapped(float x, float scale, bool filmic) {
    constexpr float largest = 1e6f;  // far above where both curves end, and its square is finite
    const float v = x * scale;
    const float bounded = v > 0.0f ? min_of(v, largest) : 0.0f;  // false for NaN
    if (!filmic) return min_of(bounded, 1.0f);
    return min_of(divide(bounded * (2.51f * bounded + 0.03f), bounded * (2.43f * bounded + 0.59f) + 0.14f), 1.0f);
}

/// The sRGB byte of a value in 0..1: how many of `steps` are not above it. steps[i] is the smallest float whose byte is i + 1 or more, so that no
/// power needs to be taken, which libraries round differently.
WARPATH_HD inline uint32_t srgb_byte(float linear, const float* steps) {
    uint32_t below = 0;  // entries known to be not above `linear`
    for (uint32_t half = 128; half > 0; half /= 2)
        if (steps[below + half - 1] <= linear) below += half;
    return below;
}
inline constexpr uint32_t num_srgb_steps = 255;

/// A colour scale from dark blue over green to dark red; x in 0..1, NaN counts as 0. Channels in 0..1.
/// Source:  Mikhailov, "Turbo, An Improved Rainbow Colormap for Visualization", Google AI blog, 2019; the polynomial that Ruofei Du fitted to it.
WARPATH_HD inline Vec3 turbo(float x) {
    const float t = x > 0.0f ? min_of(x, 1.0f) : 0.0f;
    const auto at = [t](float c0, float c1, float c2, float c3, float c4, float c5) {
        return saturate(c0 + t * (c1 + t * (c2 + t * (c3 + t * (c4 + t * c5)))));
    };
    return {at(0.13572138f, 4.61539260f, -42.66032258f, 132.13108234f, -152.94239396f, 59.28637943f),
            at(0.09140261f, 2.19418839f, 4.84296658f, -14.18503333f, 4.27729857f, 2.82956604f),
            at(0.10667330f, 12.64194608f, -60.58204836f, 110.36276771f, -89.90310912f, 27.34824973f)};
}

/// A value in 0..1 as a byte, without a transfer curve.
WARPATH_HD inline uint32_t linear_byte(float x) { return static_cast<uint32_t>(saturate(x) * 255.0f + 0.5f); }

}  // namespace warpath
