#pragma once

#include "bvh/build.h"

namespace warpath {

/// Puts the upper tree and those of the meshes behind one another, with nodes, leaves and instances numbered anew, and adds
/// up their statistics: the cost of a mesh counts with its instances' boxes, by the surface-area heuristic.
/// Shapes:  meshes[geometry.meshes.size], boxes[geometry.instances.size].
Bvh join_trees(Bvh top, std::vector<Bvh> meshes, const BvhGeometry& geometry, const std::vector<Bounds>& boxes);

}  // namespace warpath
