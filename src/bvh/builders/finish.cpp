#include "bvh/builders/finish.h"

#include <tbb/parallel_invoke.h>

#include <algorithm>

#include "bvh/builders/leaf_contents.h"
#include "bvh/node.h"

namespace warpath {
namespace {

/// Subtrees at least this high are finished by tasks of their own.
constexpr uint32_t task_height = 14;

/// What a parent needs to know of a subtree.
struct Finished {
    uint32_t num_nodes = 0, num_references = 0;
    float surface = 0.0f;   ///< area of its triangles
    float cost = 0.0f;      ///< half area times (1 per inner node, triangle_cost per triangle)
    LeafContents contents;  ///< as long as it could be one leaf
};

class Finisher {
  public:
    Finisher(const BuildMesh& mesh, SparseTree& tree, float triangle_cost)
        : mesh_(mesh), tree_(tree), triangle_cost_(triangle_cost) {}

    Finished node(uint32_t index, float half_area) {
        BvhNode& n = tree_.nodes[index];
        Finished below[2];
        const auto finish_child = [&](int i) { below[i] = child(n, i); };
        if (n.pad_[1] >= task_height) {
            tbb::parallel_invoke([&] { finish_child(0); }, [&] { finish_child(1); });
        } else {
            finish_child(0);
            finish_child(1);
        }
        if (below[1].surface > below[0].surface) swap_children(n);
        return joined(n, half_area, below[0], below[1]);
    }

  private:
    Finished child(const BvhNode& parent, int i) {
        const Bounds box{{parent.lo_x[i], parent.lo_y[i], parent.lo_z[i]},
                         {parent.hi_x[i], parent.hi_y[i], parent.hi_z[i]}};
        const int32_t code = parent.child[i];
        return is_leaf(code) ? leaf(code, box) : node(static_cast<uint32_t>(code), box.half_area());
    }

    Finished leaf(int32_t code, const Bounds& box) const {
        Finished f;
        f.contents.add(tree_, code);
        if (mesh_.is_instance(f.contents.prim_ids[0])) {
            f.surface = box.half_area(), f.cost = triangle_cost_ * box.half_area();
            f.contents.count = max_leaf_size + 1;  // with nothing else in one leaf
            return f;
        }
        f.num_references = f.contents.count;
        for (uint32_t k = 0; k < f.contents.count; ++k) {
            Bounds part = mesh_.padded_bounds(f.contents.prim_ids[k]);
            part.lo = glm::max(part.lo, box.lo), part.hi = glm::min(part.hi, box.hi);
            f.surface += mesh_.double_area(f.contents.prim_ids[k], part);
        }
        f.cost = triangle_cost_ * box.half_area() * static_cast<float>(f.num_references);
        return f;
    }

    Finished joined(BvhNode& n, float half_area, const Finished& a, const Finished& b) {
        Finished f{1 + a.num_nodes + b.num_nodes, a.num_references + b.num_references, a.surface + b.surface,
                   half_area + a.cost + b.cost, a.contents};
        f.contents.add(b.contents);
        const float leaf_cost = triangle_cost_ * half_area * static_cast<float>(f.contents.count);
        const bool is_root = &n == tree_.nodes.get();
        if (!is_root && f.contents.fits() && !(f.cost < leaf_cost)) {
            f.num_nodes = 0, f.num_references = f.contents.count, f.cost = leaf_cost;
        }
        n.pad_[0] = f.num_nodes, n.pad_[1] = f.num_references;
        return f;
    }

    static void swap_children(BvhNode& n) {
        std::swap(n.child[0], n.child[1]);
        std::swap(n.lo_x[0], n.lo_x[1]), std::swap(n.lo_y[0], n.lo_y[1]), std::swap(n.lo_z[0], n.lo_z[1]);
        std::swap(n.hi_x[0], n.hi_x[1]), std::swap(n.hi_y[0], n.hi_y[1]), std::swap(n.hi_z[0], n.hi_z[1]);
    }

    const BuildMesh& mesh_;
    SparseTree& tree_;
    float triangle_cost_;
};

}  // namespace

void finish(const BuildMesh& mesh, SparseTree& tree, const BvhOptions& options) {
    Finisher(mesh, tree, options.triangle_cost).node(0, static_cast<float>(tree.root_half_area));
}

}  // namespace warpath
