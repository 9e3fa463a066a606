#pragma once

#include <memory>

#include "bvh/build.h"
#include "bvh/builders/build_mesh.h"
#include "bvh/builders/reference.h"

/// Top-down construction. Host only.
namespace warpath {

/// A finished tree with gaps. A subtree over n references that may still grow by b owns node slots [s, s + n + b - 1)
/// and reference slots [r, r + n + b), wherever it is built and by whom, so subtrees need no common counter and the
/// layout does not depend on threads. pad_[0] and pad_[1] of a node hold the numbers of nodes and references below it,
/// itself included; no nodes: what is below it is to become one leaf. Instances are not counted as references.
struct SparseTree {
    std::unique_ptr<BvhNode[]> nodes;      ///< depth first
    std::unique_ptr<uint32_t[]> prim_ids;  ///< by reference slot; leaves encode slots
    uint64_t size_bytes = 0;
    double root_half_area = 0.0;
    uint32_t max_depth = 0;                ///< that it may have
};

/// Reorders `root.references`. Requires root.count >= 1 and room for root.count + the spatial budget in max_references.
SparseTree build_tree(const BuildMesh& mesh, const BuildRange& root, const BvhOptions& options);

/// References that spatial splits may add to a tree over `count` triangles.
uint32_t spatial_budget(uint32_t count, const BvhOptions& options);

}  // namespace warpath
