#pragma once

#include <cstdint>

#include "core/platform.h"

namespace warpath::experiments {

/// What one ray of a path costs, in a word: whether it is a shadow ray, the class of the shading that follows an extension ray, and its steps.
inline constexpr uint32_t num_shading_classes = 16, max_ray_steps = (1u << 27) - 1;

WARPATH_HD inline uint32_t pack_ray(bool is_shadow, uint32_t shading_class, uint32_t steps) {
    return steps << 5 | (shading_class % num_shading_classes) << 1 | (is_shadow ? 1u : 0u);
}
WARPATH_HD inline bool is_shadow_ray(uint32_t ray) { return ray & 1u; }
WARPATH_HD inline uint32_t class_of_ray(uint32_t ray) { return ray >> 1 & (num_shading_classes - 1); }
WARPATH_HD inline uint32_t steps_of_ray(uint32_t ray) { return ray >> 5; }

}  // namespace warpath::experiments
