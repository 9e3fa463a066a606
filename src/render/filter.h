#pragma once

#include "core/circle.h"
#include "render/frame.h"

/// Pixel filters by importance sampling: a sample is shifted by a random offset with the filter as its density and then
/// counts with weight 1 in its own pixel alone, so that no sample is splatted and the film needs no weights. Source:
/// Ernst, Stamminger and Greiner, "Filter Importance Sampling", RT 2006.
namespace warpath {

inline constexpr float box_filter_radius = 0.5f;  ///< pixels, as are the others
inline constexpr float gaussian_filter_radius = 1.5f;
inline constexpr float gaussian_filter_sigma = 0.5f;
inline constexpr float blackman_harris_filter_radius = 1.5f;

/// Offset with a Gaussian density of `gaussian_filter_sigma`, cut off at `gaussian_filter_radius` from the centre.
/// Box and Muller's method inverts the radius in closed form, the cut-off included.
WARPATH_HD inline Vec2 sample_gaussian_filter(Vec2 u) {
    constexpr float tail = 0.011108996538242306f;  // exp(-radius^2 / (2 sigma^2))
    const float r = gaussian_filter_sigma * safe_sqrt(-2.0f * ::logf(1.0f - u.x * (1.0f - tail)));
    return unit_circle(u.y) * r;
}

/// Offset in (-radius, radius) with the Blackman-Harris window as its density.
/// Source:  Harris, "On the Use of Windows for Harmonic Analysis with the Discrete Fourier Transform", Proc. IEEE
/// 66(1), 1978:
///          the four-term window of -92 dB. Its cumulative distribution is inverted by three Newton steps from a
///          Gaussian guess; what is left of the error is below 1e-6 in probability.
WARPATH_HD inline float sample_blackman_harris(float u) {
    constexpr float a0 = 0.35875f, r1 = 0.48829f / a0, r2 = 0.14128f / a0, r3 = 0.01168f / a0;
    const float signed_p = 2.0f * u - 1.0f, p = ::fabsf(signed_p);     // probability of lying closer to the centre
    float z = min_of(0.322f * ::sqrtf(-::logf(1.0f - p * p)), 0.95f);  // in radii
    for (int step = 0; step < 3; ++step) {
        const Vec2 turned = unit_circle(0.5f * z);
        const float c = turned.x, s = turned.y, c2 = c * c;
        const float cumulative = z + inv_pi * s * (r1 + r2 * c + r3 / 3.0f * (4.0f * c2 - 1.0f));
        const float density = 1.0f + r1 * c + r2 * (2.0f * c2 - 1.0f) + r3 * c * (4.0f * c2 - 3.0f);
        z = saturate(z + (p - cumulative) / max_of(density, 1e-5f));
    }
    return signed_p < 0.0f ? -z * blackman_harris_filter_radius : z * blackman_harris_filter_radius;
}

/// Offset of a sample from the centre of its pixel, in pixels.
WARPATH_HD inline Vec2 sample_filter(FilterKind kind, Vec2 u) {
    switch (kind) {
        case FilterKind::Box:
            return u - Vec2(box_filter_radius);
        case FilterKind::Gaussian:
            return sample_gaussian_filter(u);
        default:
            return {sample_blackman_harris(u.x), sample_blackman_harris(u.y)};
    }
}

}  // namespace warpath
