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

/// What shading an extension ray's end is like: lanes that shade the same class side by side do the same things.
enum class HitClass : uint8_t { Surface, Miss };
inline constexpr uint32_t num_hit_classes = 2;

}  // namespace warpath
