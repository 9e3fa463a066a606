#pragma once

#include <vector>

#include "bvh/builders/reference.h"
#include "bvh/builders/tree_builder.h"
#include "bvh/node.h"

namespace warpath {

/// A tree whose subtrees can be moved. A *link* is the place of a child: link 2 n + i is child i of node n, with its
/// box. While the tree is linked, pad_[0] of a node other than the root is the link that leads to it, and pad_[1] its
/// height: the most nodes on a way down from it, itself included.
class LinkedTree {
  public:
    /// Both words of `pad_` must hold what SparseTree says; makes the boxes fit exactly.
    explicit LinkedTree(SparseTree& tree);

    uint32_t num_nodes() const { return static_cast<uint32_t>(live_.size()); }
    /// Nodes in the order of the tree as it was first, depth first.
    uint32_t node_index(uint32_t i) const { return live_[i]; }
    const BvhNode& node(uint32_t index) const { return nodes_[index]; }

    int32_t child(uint32_t link) const { return nodes_[link / 2].child[link % 2]; }
    uint32_t parent_link(uint32_t node_index) const { return nodes_[node_index].pad_[0]; }
    BuildBox box(uint32_t link) const {
        const BvhNode& n = nodes_[link / 2];
        const uint32_t i = link % 2;
        return {_mm_setr_ps(n.lo_x[i], n.lo_y[i], n.lo_z[i], 0.0f), _mm_setr_ps(n.hi_x[i], n.hi_y[i], n.hi_z[i], 0.0f)};
    }

    /// Sum over inner nodes but the root of half their area: what the shape of the tree decides about its cost.
    double cost() const;

    /// Takes the subtree at `link`, and the node that holds the link, out of the tree, and puts that node back at
    /// `target`, above what is there. Returns by how much cost() falls; what does not let it fall, cannot be done or
    /// makes the tree too deep is not done: 0.
    double move(uint32_t link, uint32_t target);

  private:
    uint32_t height(int32_t child) const { return is_leaf(child) ? 0 : nodes_[child].pad_[1]; }
    void connect(uint32_t node_index, uint32_t parent_link, uint32_t position);
    void set_box(uint32_t link, const BuildBox& box);
    void put(uint32_t to, uint32_t from);
    bool may_move(uint32_t link, uint32_t target) const;
    double relink(uint32_t link, uint32_t target);
    double refit(uint32_t node_index);

    BvhNode* nodes_;
    std::vector<uint32_t> live_;
    uint32_t max_depth_;
};

}  // namespace warpath
