#pragma once

#include "bvh/bvh.h"
#include "bvh/node.h"

/// The tree as the CPU walks it: up to eight children to a node, made from the finished two-child tree.
namespace warpath {

inline constexpr uint32_t wide_width = 8;
inline constexpr uint32_t packet_width = 4;  ///< triangles of a leaf that are tested at once

/// Node of 224 bytes: the boxes of its children, plane by plane, and the children as BvhNode names them; leaves are
/// ranges of BvhColumns::triangles. Unused places have an empty box. They name a leaf that is there all the same, so
/// that a ray whose bounds have overflowed meets no other triangle than those of the tree.
struct alignas(32) WideNode {
    float planes[6][wide_width];  ///< lo_x, hi_x, lo_y, hi_y, lo_z, hi_z
    int32_t child[wide_width];
};

struct WideBvh {
    std::vector<WideNode> nodes;       ///< nodes[0] is the root; empty for an empty scene
    std::vector<uint32_t> mesh_roots;  ///< by BvhInstance::mesh

    uint64_t size_bytes() const { return nodes.size() * sizeof(WideNode) + mesh_roots.size() * sizeof(uint32_t); }
    ArrayView<WideNode> view() const { return {nodes.data(), static_cast<uint32_t>(nodes.size())}; }
    ArrayView<uint32_t> roots() const { return {mesh_roots.data(), static_cast<uint32_t>(mesh_roots.size())}; }
};

/// Makes wide trees, one of each, out of the boxes and triangles of a finished one: the cheapest by the surface-area heuristic.
/// Neighbouring leaves become one where that is cheaper. Threads: uses oneTBB, with all cores for num_threads = 0; the
/// result has the same bytes whatever the number of threads. Source:  Ylitie, Karras and Laine, "Efficient Incoherent
/// Ray Traversal on GPUs Through Compressed Wide BVHs", HPG 2017, section 3.1. Ours
///          counts a leaf by packets of triangles, since those of one are tested together, and keeps the children's
///          order, which the builder has chosen for rays that end at any hit.
WideBvh collapse(const BvhView& bvh, uint32_t num_threads = 0);

}  // namespace warpath
