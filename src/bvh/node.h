#pragma once

#include "bvh/bvh.h"

/// How a node's `child` words name leaves, and the limits that builders keep and traversal relies on.
namespace warpath {

inline constexpr uint32_t max_leaf_size = 8;    ///< triangles
inline constexpr uint32_t leaf_count_bits = 3;  ///< holds count - 1
/// Triangles of all leaves and instances together. The last two numbers that a leaf's code could name mean something else.
inline constexpr uint32_t max_references = (1u << (31 - leaf_count_bits)) - 2;
/// No leaf lies deeper than this many nodes below the root of its tree: of one that holds all there is, of the upper one
/// where there are instances, of a mesh that they share.
inline constexpr uint32_t max_bvh_depth = 64, max_top_depth = 40, max_mesh_depth = 55;
/// A ray's stack never holds more entries (traverse.h): a way down through both levels, and the way back between them.
inline constexpr uint32_t max_stack_size = 96;
static_assert(max_bvh_depth <= max_stack_size && max_top_depth + 1 + max_mesh_depth <= max_stack_size);

struct LeafRange {
    uint32_t first, count;  ///< in BvhColumns::triangles; or, with `first` beyond them, the instance (first - their number) alone
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

/// Among what a ray has put aside: the way back from an instance to the world. Its range begins beyond all that leaves name.
inline constexpr int32_t leave_instance = ~static_cast<int32_t>(max_references << leaf_count_bits);

}  // namespace warpath
