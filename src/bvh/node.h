#pragma once

#include "bvh/bvh.h"

/// How a node's `child` words name leaves, and the limits that builders keep and traversal relies on.
namespace warpath {

inline constexpr uint32_t max_leaf_size = 8;    ///< triangles
inline constexpr uint32_t leaf_count_bits = 3;  ///< holds count - 1
inline constexpr uint32_t max_references = 1u << (31 - leaf_count_bits);
/// No leaf lies deeper than this many nodes below the root; a ray's stack never holds more entries (traverse.h).
inline constexpr uint32_t max_bvh_depth = 64;

struct LeafRange {
    uint32_t first, count;  ///< in BvhColumns::triangles
};

/// Requires 1 <= count <= max_leaf_size and first + count <= max_references.
WARPATH_HD inline int32_t encode_leaf(uint32_t first, uint32_t count) {
    return ~static_cast<int32_t>(first << leaf_count_bits | (count - 1));
}
WARPATH_HD inline bool is_leaf(int32_t child) { return child < 0; }
WARPATH_HD inline LeafRange decode_leaf(int32_t child) {
    const uint32_t word = static_cast<uint32_t>(~child);
    return {word >> leaf_count_bits, (word & (max_leaf_size - 1)) + 1};
}

}  // namespace warpath
