#pragma once

#include <cstdint>

namespace warpath {

/// Which stage a slot waits for. A stage returns the id of the slot's next one.
enum class StageId : uint8_t {
    Generate,   ///< the slot is free: a new path may start in it
    Intersect,  ///< extension ray to its nearest hit
    Shade,      ///< miss or hit: emission, next-event estimation, scattering, Russian roulette
    Occlude,    ///< shadow ray: adds its radiance if nothing is in the way
};
inline constexpr int num_stages = 4;

}  // namespace warpath
