#pragma once

#include "bvh/builders/tree_builder.h"

namespace warpath {

/// Lowers the SAH cost of a tree by taking subtrees out and putting each back where it costs least.
/// Shapes:  overwrites both words of `pad_` of every node; the links keep boxes that fit exactly. Leaves stay as they
/// are. Threads: uses oneTBB; the result has the same bytes whatever the number of threads. Errors:  Stopped. Source:
/// Meister and Bittner, "Parallel Reinsertion for Bounding Volume Hierarchy Optimization", Computer Graphics
///          Forum 37(2), 2018, section 4.1: the search for a place. We differ in what follows: moves are carried out
///          one after another, the most promising first, and each is undone unless the cost really falls by it. So
///          there are no locks, no conflicts to detect, and the cost never rises.
void reinsert(SparseTree& tree, const BvhOptions& options);

}  // namespace warpath
