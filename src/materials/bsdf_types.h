#pragma once

#include "core/sampling.h"

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
WARPATH_HD inline Vec3 sample_cosine(Vec2 u) {
    const Vec2 p = sample_disc(u);
    return {p.x, p.y, sqrtf(max_of(1.0f - p.x * p.x - p.y * p.y, 1e-12f))};
}

}  // namespace warpath
