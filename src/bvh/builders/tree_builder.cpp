#include "bvh/builders/tree_builder.h"

#include <tbb/parallel_invoke.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "bvh/builders/object_split.h"
#include "bvh/builders/spatial_split.h"
#include "bvh/node.h"
#include "scene/load_watch.h"

namespace warpath {
namespace {

constexpr uint32_t task_size = 1u << 10;

/// A subtree to be built, and the slots that are its own.
struct Subtree {
    BuildRange range;
    uint32_t budget;  ///< references that spatial splits may still add
    uint32_t depth;   ///< of its root
    uint32_t node_slot, reference_slot;
    std::vector<BuildReference>* store = nullptr;  ///< where the references lie, if no others lie there
};

/// What a parent stores about a subtree.
struct Child {
    int32_t code;
    uint32_t num_nodes, num_references;
    float surface;  ///< area of its triangles
};

class TreeBuilder {
  public:
    TreeBuilder(const BuildMesh& mesh, SparseTree& tree, float root_half_area, const BvhOptions& options)
        : mesh_(mesh), tree_(tree), least_overlap_(options.split_alpha * root_half_area),
          triangle_cost_(options.triangle_cost), leaf_size_(options.single_leaves ? 1 : max_leaf_size), stop_(options.stop) {}

    Child build(const Subtree& subtree) {
        const BuildRange& range = subtree.range;
        if (range.count >= task_size) LoadWatch::throw_if_set(stop_);  // comes out of all tasks
        if (range.count == 1) return make_leaf(subtree);
        BuildRange parts[2];
        if (must_halve(subtree)) {
            if (range.count <= max_leaf_size && !holds_instance(range)) return make_leaf(subtree);
            split_at_median(range, parts[0], parts[1]);
            return build_children(subtree, parts);
        }
        const ObjectSplit split = find_object_split(range);
        if (subtree.budget > 0 && overlaps(range, split)) {
            const SpatialSplit spatial = find_spatial_split(mesh_, range);
            if (spatial.cost < split.cost && !prefers_leaf(range, spatial.cost)) {
                SpatialParts cut = split_spatially(mesh_, range, spatial, subtree.budget);
                // Both sides must shrink, or the depth would know no bound.
                if (std::max(cut.ranges[0].count, cut.ranges[1].count) < range.count) {
                    if (subtree.store != nullptr) *subtree.store = {};
                    return build_children(subtree, cut.ranges, &cut.references);
                }
            }
        }
        if (prefers_leaf(range, split.cost)) return make_leaf(subtree);
        if (split.axis < 0) {
            split_at_median(range, parts[0], parts[1]);
        } else {
            partition(range, split, parts[0], parts[1]);
        }
        return build_children(subtree, parts);
    }

    /// The root is a node even if one leaf would do.
    void build_root(const Subtree& root) {
        const Child child = build(root);
        if (!is_leaf(child.code)) return;
        BvhNode& node = tree_.nodes[0];
        store(node, 0, child, root.range.box);
        store(node, 1, child, BuildBox{});
        node.pad_[0] = 1;
        node.pad_[1] = child.num_references;
    }

  private:
    /// From here on only halving keeps leaves within the tree's depth: halving n references down to single ones takes
    /// ceil(log2 n) levels. At the root there are at most 28 to go, and each level below takes one of the depth
    /// away but may leave n as it was, so this holds from some level on, with that level's need still met, to the
    /// bottom.
    bool must_halve(const Subtree& subtree) const {
        return subtree.depth + static_cast<uint32_t>(std::bit_width(subtree.range.count - 1)) >= mesh_.max_depth;
    }

    /// Of ranges that could be a leaf: whether an instance is among them, which must be one by itself.
    bool holds_instance(const BuildRange& range) const {
        return mesh_.instances.size > 0 && std::any_of(range.begin(), range.end(), [&](const BuildReference& r) {
                   return mesh_.is_instance(r.prim_id);
               });
    }

    bool prefers_leaf(const BuildRange& range, float split_cost) const {
        if (range.count > leaf_size_ || holds_instance(range)) return false;
        const float area = range.box.half_area();
        const float leaf_cost = triangle_cost_ * area * static_cast<float>(range.count);
        return !(area + triangle_cost_ * split_cost < leaf_cost);
    }

    /// Whether the object split leaves so much overlap that a spatial one is worth looking for (Stich et al.,
    /// section 4.5).
    bool overlaps(const BuildRange& range, const ObjectSplit& split) const {
        BuildBox common = split.axis < 0 ? range.box : split.left;
        if (split.axis >= 0) common.intersect(split.right);
        return common.half_area() > least_overlap_;
    }

    /// The parts hold the parent's references and those that a spatial split added, which come out of its budget.
    Child build_children(const Subtree& parent, const BuildRange (&parts)[2],
                         std::vector<BuildReference> (*stores)[2] = nullptr) {
        const uint32_t total = parts[0].count + parts[1].count;
        const uint32_t budget = parent.range.count + parent.budget - total;
        const uint32_t left_budget = static_cast<uint32_t>(uint64_t(budget) * parts[0].count / total);
        Subtree left{parts[0], left_budget, parent.depth + 1, parent.node_slot + 1, parent.reference_slot};
        const uint32_t left_size = parts[0].count + left_budget;
        Subtree right{parts[1], budget - left_budget, parent.depth + 1, parent.node_slot + left_size,
                      parent.reference_slot + left_size};
        if (stores != nullptr) left.store = &(*stores)[0], right.store = &(*stores)[1];
        Child children[2];
        if (total >= task_size) {
            tbb::parallel_invoke([&] { children[0] = build(left); }, [&] { children[1] = build(right); });
        } else {
            children[0] = build(left);
            children[1] = build(right);
        }
        BvhNode& node = tree_.nodes[parent.node_slot];
        // Occlusion rays try child 0 first, wherever they come from: the one with more surface to stop them.
        const int larger = children[1].surface > children[0].surface;
        store(node, 0, children[larger], parts[larger].box);
        store(node, 1, children[1 - larger], parts[1 - larger].box);
        node.pad_[0] = 1 + children[0].num_nodes + children[1].num_nodes;
        node.pad_[1] = children[0].num_references + children[1].num_references;
        return {static_cast<int32_t>(parent.node_slot), node.pad_[0], node.pad_[1],
                children[0].surface + children[1].surface};
    }

    Child make_leaf(const Subtree& subtree) {
        uint32_t slot = subtree.reference_slot;
        float surface = 0.0f;
        for (const BuildReference& r : subtree.range) {
            tree_.prim_ids[slot++] = r.prim_id;
            surface += mesh_.double_area(r.prim_id, r.box().bounds());
        }
        const uint32_t num_references = mesh_.is_instance(subtree.range.begin()->prim_id) ? 0 : subtree.range.count;
        return {encode_leaf(subtree.reference_slot, subtree.range.count), 0, num_references, surface};
    }

    static void store(BvhNode& node, int i, const Child& child, const BuildBox& box) {
        const Bounds b = box.bounds();
        node.lo_x[i] = b.lo.x, node.lo_y[i] = b.lo.y, node.lo_z[i] = b.lo.z;
        node.hi_x[i] = b.hi.x, node.hi_y[i] = b.hi.y, node.hi_z[i] = b.hi.z;
        node.child[i] = child.code;
    }

    const BuildMesh& mesh_;
    SparseTree& tree_;
    float least_overlap_;  ///< half area
    float triangle_cost_;
    uint32_t leaf_size_;  ///< largest
    const std::atomic<bool>* stop_;
};

}  // namespace

uint32_t spatial_budget(uint32_t count, const BvhOptions& options) {
    if (!options.spatial_splits || !(options.max_reference_growth > 0.0f)) return 0;
    const double wanted = double(count) * std::min(options.max_reference_growth, 8.0f);
    return static_cast<uint32_t>(std::min(wanted, double(max_references - count)));
}

SparseTree build_tree(const BuildMesh& mesh, const BuildRange& root, const BvhOptions& options) {
    const uint32_t budget = spatial_budget(root.count, options);
    const size_t num_slots = size_t(root.count) + budget;
    SparseTree tree;
    tree.nodes = std::make_unique_for_overwrite<BvhNode[]>(num_slots);
    tree.prim_ids = std::make_unique_for_overwrite<uint32_t[]>(num_slots);
    tree.size_bytes = num_slots * (sizeof(BvhNode) + sizeof(uint32_t));
    tree.root_half_area = root.box.half_area();
    tree.max_depth = mesh.max_depth;
    TreeBuilder(mesh, tree, root.box.half_area(), options).build_root({root, budget, 0, 0, 0});
    return tree;
}

}  // namespace warpath
