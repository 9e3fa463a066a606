#pragma once

#include <algorithm>

#include "bvh/builders/tree_builder.h"
#include "bvh/node.h"

namespace warpath {

/// The triangles of a leaf, each once, or the fact that they are too many for one. Two parts of a triangle that a
/// spatial split cut may meet again below one node.
struct LeafContents {
    uint32_t prim_ids[max_leaf_size];
    uint32_t count = 0;  ///< above max_leaf_size: too many

    bool fits() const { return count <= max_leaf_size; }

    void add(uint32_t prim_id) {
        if (!fits() || std::find(prim_ids, prim_ids + count, prim_id) != prim_ids + count) return;
        if (count < max_leaf_size) prim_ids[count] = prim_id;
        ++count;
    }
    void add(const LeafContents& other) {
        if (!other.fits()) count = other.count;
        for (uint32_t k = 0; fits() && k < other.count; ++k) add(other.prim_ids[k]);
    }
    /// Everything below a child of the tree, which must fit.
    void add(const SparseTree& tree, int32_t child) {
        if (is_leaf(child)) {
            const LeafRange leaf = decode_leaf(child);
            for (uint32_t k = 0; k < leaf.count; ++k) add(tree.prim_ids[leaf.first + k]);
        } else {
            for (const int32_t below : tree.nodes[child].child) add(tree, below);
        }
    }
};

}  // namespace warpath
