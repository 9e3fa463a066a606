#include <bit>

#include "api/image_srgb.h"
#include "render/tone.h"

namespace warpath {

std::vector<float> make_srgb_steps() {
    std::vector<float> steps(num_srgb_steps);
    uint32_t first = 0;  // bits of floats that are not negative are ordered as the floats are
    for (uint32_t i = 0; i < num_srgb_steps; ++i) {
        uint32_t count = std::bit_cast<uint32_t>(1.0f) - first;
        while (count > 0) {
            const uint32_t half = count / 2, middle = first + half;
            if (srgb_byte(std::bit_cast<float>(middle)) > i)
                count = half;
            else
                first = middle + 1, count -= half + 1;
        }
        steps[i] = std::bit_cast<float>(first);
    }
    return steps;
}

}  // namespace warpath
