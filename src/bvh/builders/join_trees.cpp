#include "bvh/builders/join_trees.h"

#include <algorithm>

#include "bvh/builders/huge_pages.h"
#include "bvh/node.h"

namespace warpath {
namespace {

double half_area(const Bounds& b) {
    const double x = double(b.hi.x) - b.lo.x, y = double(b.hi.y) - b.lo.y, z = double(b.hi.z) - b.lo.z;
    return x * y + y * z + z * x;
}

double root_half_area(const Bvh& tree) {
    const BvhNode& n = tree.columns.nodes[0];
    Bounds box;
    for (int i = 0; i < 2; ++i) {
        if (!(n.lo_x[i] <= n.hi_x[i])) continue;
        box.grow(Vec3(n.lo_x[i], n.lo_y[i], n.lo_z[i]));
        box.grow(Vec3(n.hi_x[i], n.hi_y[i], n.hi_z[i]));
    }
    return half_area(box);
}

class Joiner {
  public:
    Joiner(size_t num_nodes, size_t num_triangles) : num_triangles_(static_cast<uint32_t>(num_triangles)) {
        resize_on_huge_pages(bvh_.columns.nodes, num_nodes);
        resize_on_huge_pages(bvh_.columns.triangles, num_triangles);
    }

    /// Returns where the tree's root lies.
    uint32_t add(Bvh tree) {
        const uint32_t root = next_node_, own = static_cast<uint32_t>(tree.columns.triangles.size());
        for (BvhNode& node : tree.columns.nodes)
            for (int32_t& child : node.child) child = moved(child, own);
        std::copy(tree.columns.nodes.begin(), tree.columns.nodes.end(), bvh_.columns.nodes.begin() + next_node_);
        std::copy(tree.columns.triangles.begin(), tree.columns.triangles.end(), bvh_.columns.triangles.begin() + next_triangle_);
        next_node_ += static_cast<uint32_t>(tree.columns.nodes.size());
        next_triangle_ += own;
        const BvhStatistics& t = tree.statistics;
        BvhStatistics& s = bvh_.statistics;
        s.num_nodes += t.num_nodes, s.num_leaves += t.num_leaves, s.num_references += t.num_references;
        s.num_triangles += t.num_triangles, s.size_bytes += t.size_bytes;
        s.peak_build_bytes += t.peak_build_bytes;
        return root;
    }
    Bvh& bvh() { return bvh_; }

  private:
    int32_t moved(int32_t child, uint32_t num_own) const {
        if (!is_leaf(child)) return child + static_cast<int32_t>(next_node_);
        const LeafRange leaf = decode_leaf(child);
        if (leaf.first >= num_own) return encode_leaf(leaf.first - num_own + num_triangles_, leaf.count);
        return encode_leaf(leaf.first + next_triangle_, leaf.count);
    }

    Bvh bvh_;
    uint32_t num_triangles_, next_node_ = 0, next_triangle_ = 0;
};

}  // namespace

Bvh join_trees(Bvh top, std::vector<Bvh> meshes, const BvhGeometry& geometry, const std::vector<Bounds>& boxes) {
    size_t num_nodes = top.columns.nodes.size(), num_triangles = top.columns.triangles.size();
    for (const Bvh& mesh : meshes) num_nodes += mesh.columns.nodes.size(), num_triangles += mesh.columns.triangles.size();
    Joiner joiner(num_nodes, num_triangles);
    double cost = top.statistics.sah_cost;
    const double root_area = std::max(root_half_area(top), 1e-300);
    for (size_t i = 0; i < boxes.size(); ++i)
        cost += half_area(boxes[i]) / root_area * meshes[geometry.instances[i].mesh].statistics.sah_cost;
    uint32_t depth = 0;
    for (const Bvh& mesh : meshes) depth = std::max(depth, mesh.statistics.max_depth);
    Bvh& bvh = joiner.bvh();
    bvh.statistics.max_depth = top.statistics.max_depth + depth;
    bvh.statistics.sah_cost = cost;
    joiner.add(std::move(top));
    for (Bvh& mesh : meshes) {
        const uint32_t root = joiner.add(std::move(mesh));
        bvh.mesh_roots.push_back(root);
    }
    return std::move(bvh);
}

}  // namespace warpath
