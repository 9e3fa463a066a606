#pragma once

#include "core/math.h"

namespace warpath {

/// The random numbers of one light sample.
struct LightRandom {
    uint32_t index;  ///< 32 bits: which light of its kind, which texel
    float kind;      ///< [0,1): which kind of light; what is left of it decides between alias and index
    Vec2 uv;         ///< [0,1)^2: where on the light
};

/// Light that may arrive at a point from one direction. pdf == 0: there is none.
struct LightSample {
    Vec3 wi{0.0f};          ///< unit, towards the light
    float distance = 0.0f;  ///< world units; infinity for lights without a place
    Vec3 target{0.0f};    ///< the point to aim a shadow ray at, just before the light; unused when distance is infinite
    Vec3 radiance{0.0f};  ///< arriving along wi; from a delta light: irradiance on a surface that faces it
    float pdf =
        0.0f;  ///< per solid angle at the point; of a delta light: the probability of being picked. Picking included
    bool delta = false;  ///< no other technique can find this light, so it needs no weight
};

}  // namespace warpath
