#pragma once

#include "bvh/builders/tree_builder.h"

namespace warpath {

/// Closes the gaps of a sparse tree, lays the triangles out in leaf order and fills the statistics that follow from the
/// tree's shape. Leaves that are instances name them as bvh/node.h says, as if no other tree came after this one.
Bvh assemble(const BuildMesh& mesh, const SparseTree& tree);

}  // namespace warpath
