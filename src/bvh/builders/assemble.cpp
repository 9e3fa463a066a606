#include "bvh/builders/assemble.h"

#include <tbb/parallel_invoke.h>

#include <algorithm>

#include "bvh/builders/huge_pages.h"
#include "bvh/builders/leaf_contents.h"
#include "bvh/node.h"

namespace warpath {
namespace {

constexpr uint32_t task_size = 1u << 10;

struct SubtreeStatistics {
    uint64_t num_leaves = 0;
    uint32_t depth = 0;  ///< levels below the node
    double cost = 0.0;   ///< half area times (1 per inner node, or number of triangles)
};

class Assembler {
  public:
    Assembler(const BuildMesh& mesh, const SparseTree& tree, Bvh& bvh) : mesh_(mesh), tree_(tree), bvh_(bvh) {}

    /// Copies the subtree at `slot` to nodes from `node_index` and triangles from `first` on.
    SubtreeStatistics copy(uint32_t slot, uint32_t node_index, uint32_t first) {
        const BvhNode& source = tree_.nodes[slot];
        BvhNode& node = bvh_.columns.nodes[node_index];
        node = source;
        node.pad_[0] = node.pad_[1] = 0;
        if (source.child[0] == source.child[1]) return copy_only_leaf(node);
        // Depth first, the larger child at once: it is the more likely to be visited next.
        const int near = half_area(node, 1) > half_area(node, 0), far = 1 - near;
        const int32_t next = source.child[near];
        const uint32_t num_nodes = is_leaf(next) ? 0 : tree_.nodes[next].pad_[0];
        const uint32_t num_references = is_leaf(next) ? num_triangles(decode_leaf(next)) : tree_.nodes[next].pad_[1];
        SubtreeStatistics below[2];
        const auto copy_near = [&] { below[0] = copy_child(node, near, node_index + 1, first); };
        const auto copy_far = [&] {
            below[1] = copy_child(node, far, node_index + 1 + num_nodes, first + num_references);
        };
        if (source.pad_[0] >= task_size) {
            tbb::parallel_invoke(copy_near, copy_far);
        } else {
            copy_near();
            copy_far();
        }
        return {below[0].num_leaves + below[1].num_leaves, 1 + std::max(below[0].depth, below[1].depth),
                below[0].cost + below[1].cost};
    }

  private:
    /// A tree of one leaf: its root names it twice, the second time with an empty box.
    SubtreeStatistics copy_only_leaf(BvhNode& node) {
        SubtreeStatistics s = copy_child(node, 0, 0, 0);
        node.child[1] = node.child[0];
        s.depth = 1;
        return s;
    }

    SubtreeStatistics copy_child(BvhNode& node, int i, uint32_t node_index, uint32_t first) {
        const double area = half_area(node, i);
        const int32_t child = node.child[i];
        if (is_leaf(child) || tree_.nodes[child].pad_[0] == 0) {
            LeafContents leaf;
            leaf.add(tree_, child);
            if (mesh_.is_instance(leaf.prim_ids[0])) {
                node.child[i] = encode_leaf(tree_.nodes[0].pad_[1] + leaf.prim_ids[0] - mesh_.triangles.size, 1);
                return {1, 0, area};
            }
            node.child[i] = encode_leaf(first, leaf.count);
            for (uint32_t k = 0; k < leaf.count; ++k) set_triangle(first + k, leaf.prim_ids[k]);
            return {1, 0, area * leaf.count};
        }
        node.child[i] = static_cast<int32_t>(node_index);
        SubtreeStatistics s = copy(static_cast<uint32_t>(child), node_index, first);
        s.cost += area;
        return s;
    }

    uint32_t num_triangles(const LeafRange& leaf) const {
        return mesh_.is_instance(tree_.prim_ids[leaf.first]) ? 0 : leaf.count;
    }

    static double half_area(const BvhNode& n, int i) {
        const double x = double(n.hi_x[i]) - n.lo_x[i], y = double(n.hi_y[i]) - n.lo_y[i],
                     z = double(n.hi_z[i]) - n.lo_z[i];
        return x * y + y * z + z * x;
    }

    void set_triangle(uint32_t index, uint32_t prim_id) {
        BvhTriangle& t = bvh_.columns.triangles[index];
        for (uint32_t v = 0; v < 3; ++v) {
            const Vec3 p = mesh_.vertex(prim_id, v);
            for (int axis = 0; axis < 3; ++axis) t.axis[axis].vertex[v] = p[axis];
        }
        t.axis[0].word = mesh_.first_prim_id + prim_id;
        t.axis[1].word = mesh_.triangles[prim_id].flags;
        t.axis[2].word = 0;
    }

    const BuildMesh& mesh_;
    const SparseTree& tree_;
    Bvh& bvh_;
};

}  // namespace

Bvh assemble(const BuildMesh& mesh, const SparseTree& tree) {
    Bvh bvh;
    const BvhNode& root = tree.nodes[0];
    resize_on_huge_pages(bvh.columns.nodes, root.pad_[0]);
    resize_on_huge_pages(bvh.columns.triangles, root.pad_[1]);
    const SubtreeStatistics below = Assembler(mesh, tree, bvh).copy(0, 0, 0);
    BvhStatistics& s = bvh.statistics;
    s.num_nodes = bvh.columns.nodes.size();
    s.num_leaves = below.num_leaves;
    s.num_references = bvh.columns.triangles.size();
    s.num_triangles = mesh.triangles.size;
    s.max_depth = below.depth;
    s.sah_cost = 1.0 + (tree.root_half_area > 0.0 ? below.cost / tree.root_half_area : 0.0);
    s.size_bytes = s.num_nodes * sizeof(BvhNode) + s.num_references * sizeof(BvhTriangle);
    return bvh;
}

}  // namespace warpath
