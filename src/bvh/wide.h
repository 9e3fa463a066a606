#pragma once

#include "bvh/bvh.h"
#include "bvh/node.h"
#include "scene/scene_data.h"

/// The tree as the CPU walks it: up to eight children to a node, made from the finished two-child tree.
namespace warpath {

inline constexpr uint32_t wide_width = 8;
inline constexpr uint32_t packet_width = max_leaf_size;  ///< triangles that are tested at once

/// Node of 256 bytes, four cache lines, found by a shift: the boxes of its children, plane by plane, and the children as
/// BvhNode names them, but that a leaf of triangles is the first ones of a packet, of which there are no more than triangles.
/// Unused places have an empty box. They name a leaf that is there all the same, so that a
/// ray whose bounds have overflowed meets no other triangle than those of the tree.
struct alignas(64) WideNode {
    float planes[6][wide_width];  ///< lo_x, hi_x, lo_y, hi_y, lo_z, hi_z
    int32_t child[wide_width];
    uint32_t pad_[8];  ///< zero
};

/// The triangles of a leaf, lane by lane, so that none needs to be put together from others' places when it is tested.
/// Lanes that no triangle has repeat the last one.
struct alignas(64) WidePacket {
    static constexpr uint32_t has_alpha = 1u << 31;

    float vertex[3][3][packet_width];  ///< [axis][vertex]
    uint32_t word[packet_width];       ///< prim_id, and has_alpha

    uint32_t prim_id(uint32_t i) const { return word[i] & ~has_alpha; }
    BvhTriangle triangle(uint32_t i) const {
        BvhTriangle t;
        for (uint32_t axis = 0; axis < 3; ++axis)
            for (uint32_t v = 0; v < 3; ++v) t.axis[axis].vertex[v] = vertex[axis][v][i];
        t.axis[0].word = prim_id(i);
        t.axis[1].word = word[i] & has_alpha ? uint32_t{triangle_has_alpha} : 0u;
        t.axis[2].word = 0;
        return t;
    }
};
static_assert(max_references <= WidePacket::has_alpha);

struct WideBvh {
    std::vector<WideNode> nodes;       ///< nodes[0] is the root; empty for an empty scene
    std::vector<WidePacket> packets;   ///< each tree's follow each other
    std::vector<uint32_t> mesh_roots;  ///< by BvhInstance::mesh

    uint64_t size_bytes() const {
        return nodes.size() * sizeof(WideNode) + packets.size() * sizeof(WidePacket) + mesh_roots.size() * sizeof(uint32_t);
    }
    /// Makes it known to a view of the trees that it was made from. Lives on.
    void show_to(BvhView& bvh) const {
        bvh.wide_nodes = {nodes.data(), static_cast<uint32_t>(nodes.size())};
        bvh.wide_packets = packets.data(), bvh.wide_roots = mesh_roots.data();
    }
};

/// Makes wide trees, one of each, out of the boxes and triangles of finished ones: the cheapest by the surface-area
/// heuristic. Neighbouring leaves become one where that is cheaper. The children of a node are in the order in which rays
/// that end at any hit should try them: by chance of a hit for the work.
/// Threads: uses oneTBB, with all cores for num_threads = 0; the result has the same bytes whatever their number.
/// Source:  Ylitie, Karras and Laine, "Efficient Incoherent Ray Traversal on GPUs Through Compressed Wide BVHs", HPG
///          2017, section 3.1. Ours counts a leaf as one test, whose triangles are tested together.
WideBvh collapse(const BvhView& bvh, uint32_t num_threads = 0);

}  // namespace warpath
