#pragma once

#include "bvh/builders/build_mesh.h"
#include "bvh/builders/tree_builder.h"

namespace warpath {

/// Makes a leaf of every subtree that costs less as one, puts the child with more surface first, and counts anew.
/// Restores what SparseTree says of `pad_`, which must be as `reinsert` leaves it. Needs a root with two children.
/// Threads: uses oneTBB; the result has the same bytes whatever the number of threads.
void finish(const BuildMesh& mesh, SparseTree& tree, const BvhOptions& options);

}  // namespace warpath
