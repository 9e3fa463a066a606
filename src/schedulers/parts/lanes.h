#pragma once

#include <cstdint>

#include "core/platform.h"

namespace warpath {

/// Number of lanes set in a vote. Compilers know this form and make it one instruction.
WARPATH_HD inline uint32_t count_lanes(uint32_t votes) {
    votes = votes - ((votes >> 1) & 0x55555555u);
    votes = (votes & 0x33333333u) + ((votes >> 2) & 0x33333333u);
    return (((votes + (votes >> 4)) & 0x0f0f0f0fu) * 0x01010101u) >> 24;
}

/// How many lanes below `lane` are set in a vote.
WARPATH_HD inline uint32_t rank_of_lane(uint32_t votes, uint32_t lane) { return count_lanes(votes & ((1u << lane) - 1u)); }

}  // namespace warpath
