#pragma once

#include "core/math.h"
#include "materials/circle.h"

namespace warpath {

/// One scattered direction. Local frame: z is the shading normal, wo.z > 0; transmitted directions have wi.z < 0.
struct BsdfSample {
    Vec3 wi{0.0f};             ///< unit
    Vec3 weight{0.0f};         ///< f |cos| / pdf
    float pdf = 0.0f;          ///< per unit of solid angle; equals pdf_bsdf(wi). 0 for delta lobes
    bool delta = false;        ///< wi came from a delta lobe: light sampling could not have found it
    bool transmitted = false;  ///< wi is on the other side
    bool valid = false;        ///< false: absorbed (wi is meaningless)
};

/// A bsdf for a pair of directions, without its delta lobes.
struct BsdfValue {
    Vec3 value{0.0f};  ///< f |cos wi|
    float pdf = 0.0f;  ///< of sampling wi, per unit of solid angle
};

WARPATH_HD inline BsdfValue operator+(BsdfValue a, BsdfValue b) { return {a.value + b.value, a.pdf + b.pdf}; }

/// A direction with density cos / pi.
/// Source: Shirley and Chiu, "A Low Distortion Map Between Disk and Square", Journal of Graphics Tools 2(3), 1997.
WARPATH_HD inline Vec3 sample_cosine(Vec2 u) {
    const float a = fmaf(2.0f, u.x, -1.0f), b = fmaf(2.0f, u.y, -1.0f);
    if (a == 0.0f && b == 0.0f) return {0.0f, 0.0f, 1.0f};
    const bool wide = fabsf(a) > fabsf(b);
    const float r = wide ? a : b;
    const Vec2 p = unit_circle(wide ? 0.125f * (b / a) : 0.25f - 0.125f * (a / b));
    const float x = r * p.x, y = r * p.y;
    return {x, y, sqrtf(max_of(1.0f - x * x - y * y, 1e-12f))};
}

}  // namespace warpath
