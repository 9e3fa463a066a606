#pragma once

#include "bvh/builders/tree_builder.h"

namespace warpath {

/// Closes the gaps of a sparse tree, lays the triangles out in leaf order and fills the statistics that follow from the
/// tree's shape.
Bvh assemble(const BuildMesh& mesh, const SparseTree& tree);

}  // namespace warpath
