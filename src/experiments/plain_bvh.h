#pragma once

#include <vector>

#include "bvh/traverse.h"

/// The plainest good ray tracer there is, to measure warpath's against: a binary tree by binned SAH without spatial splits, boxes without padding, triangles as a vertex
/// and two edges, and a while-while loop that keeps no distances on its stack.
/// Source:  Aila and Laine, "Understanding the Efficiency of Ray Traversal on GPUs", HPG 2009; Moeller and Trumbore, "Fast, Minimum Storage Ray/Triangle
///          Intersection", JGT 2(1), 1997.
namespace warpath::experiments {

/// In leaf order. Rows are 16 bytes, so that three loads bring it.
struct alignas(16) PlainTriangle {
    Vec3 vertex;
    uint32_t prim_id;
    Vec3 edge_1;
    uint32_t pad_1;
    Vec3 edge_2;
    uint32_t pad_2;
};
static_assert(sizeof(PlainTriangle) == 48);

/// Nodes as warpath has them (bvh/node.h), so that the plain loop can also walk warpath's trees.
struct PlainView {
    const BvhNode* nodes;
    const PlainTriangle* triangles;
};

struct PlainTree {
    std::vector<BvhNode> nodes;
    std::vector<PlainTriangle> triangles;
    uint32_t max_depth = 0;
    double sah_cost = 0;  ///< of a random ray that hits the root: a node step and a triangle test cost 1 each
    PlainView view() const { return {nodes.data(), triangles.data()}; }
};

inline PlainTriangle plain_triangle(const std::vector<Vec3>& soup, uint32_t prim_id) {
    const Vec3* v = &soup[size_t{3} * prim_id];
    return {v[0], prim_id, v[1] - v[0], 0, v[2] - v[0], 0};
}

/// Shapes:  three vertices a triangle, at least one triangle.
/// Threads: uses oneTBB; the same bytes whatever the number of threads.
PlainTree build_plain_tree(const std::vector<Vec3>& soup);

/// A walk never needs more: build_plain_tree leaves no leaf deeper, nor does warpath's builder.
struct PlainStack {
    int32_t pending[max_bvh_depth];
};

/// A plain query in pieces, used as RayCursor is: begin(), step() to the next leaf, result(). A missing hit is Hit{}; `any` ends at the first hit.
template <bool any>
class PlainCursor {
  public:
    WARPATH_HD explicit PlainCursor(PlainStack& stack) : stack_(stack.pending) {}

    WARPATH_HD void begin(const PlainView&, const Ray& ray) {
        origin_ = ray.origin, dir_ = ray.dir, t_min_ = ray.t_min;
        inv_dir_ = {inverse(ray.dir.x), inverse(ray.dir.y), inverse(ray.dir.z)};
        offset_ = ray.origin * inv_dir_;
        best_ = Hit{};
        best_.t = ray.t_max;
        place_ = 0, num_pending_ = 0;
    }
    WARPATH_HD bool done() const { return place_ == nowhere; }
    /// Walks to the next leaf and tests its triangles, and those of leaves right behind it on the stack.
    WARPATH_HD void step(const PlainView& tree, TraversalCost& cost) {
        while (static_cast<uint32_t>(place_) < static_cast<uint32_t>(nowhere)) visit(tree.nodes[place_], cost);
        while (place_ < 0) {
            const LeafRange leaf = decode_leaf(place_);
            pop();
            for (uint32_t i = leaf.first; i < leaf.first + leaf.count; ++i) {
                ++cost.triangle_tests;
                cost.triangle_group_tests += leads_active_lanes();
                if (!test(tree.triangles + i) || !any) continue;
                place_ = nowhere;
                break;
            }
        }
    }
    WARPATH_HD bool found() const { return best_.prim_id != invalid_id; }
    WARPATH_HD Hit result() const { return found() ? best_ : Hit{}; }

  private:
    static constexpr int32_t nowhere = INT32_MAX;
    /// The planes of both children on one axis, as they lie in BvhNode.
    struct alignas(16) Planes {
        float lo[2], hi[2];
    };
    struct alignas(16) Row {
        Vec3 v;
        uint32_t word;
    };

    WARPATH_HD static float inverse(float d) { return reciprocal(fabsf(d) > 1e-20f ? d : copysignf(1e-20f, d)); }
    WARPATH_HD static float near_of(float lo, float hi, float inv, float offset) { return lesser(fmaf(lo, inv, -offset), fmaf(hi, inv, -offset)); }
    WARPATH_HD static float far_of(float lo, float hi, float inv, float offset) { return greater(fmaf(lo, inv, -offset), fmaf(hi, inv, -offset)); }
    /// One instruction on either side; where there is NaN, which only flat boxes at a ray's origin give, the two sides may differ.
    WARPATH_HD static float lesser(float a, float b) {
#if defined(__CUDA_ARCH__)
        return fminf(a, b);
#else
        return min_of(a, b);
#endif
    }
    WARPATH_HD static float greater(float a, float b) {
#if defined(__CUDA_ARCH__)
        return fmaxf(a, b);
#else
        return max_of(a, b);
#endif
    }

    WARPATH_HD void pop() { place_ = num_pending_ > 0 ? stack_[--num_pending_] : nowhere; }

    WARPATH_HD void visit(const BvhNode& node, TraversalCost& cost) {
        ++cost.node_steps;
        cost.node_group_steps += leads_active_lanes();
        const Planes x = load_constant(reinterpret_cast<const Planes*>(node.lo_x)), y = load_constant(reinterpret_cast<const Planes*>(node.lo_y)),
                     z = load_constant(reinterpret_cast<const Planes*>(node.lo_z));
        const NodeChildren children = load_constant(reinterpret_cast<const NodeChildren*>(node.child));
        float near[2];
        bool hit[2];
        for (int i = 0; i < 2; ++i) {
            near[i] = greater(greater(near_of(x.lo[i], x.hi[i], inv_dir_.x, offset_.x), near_of(y.lo[i], y.hi[i], inv_dir_.y, offset_.y)),
                              greater(near_of(z.lo[i], z.hi[i], inv_dir_.z, offset_.z), t_min_));
            const float far = lesser(lesser(far_of(x.lo[i], x.hi[i], inv_dir_.x, offset_.x), far_of(y.lo[i], y.hi[i], inv_dir_.y, offset_.y)),
                                     lesser(far_of(z.lo[i], z.hi[i], inv_dir_.z, offset_.z), best_.t));
            hit[i] = near[i] <= far;
        }
        if (!hit[0] && !hit[1]) return pop();
        // Picked between values: picked by index, they would be written to memory first.
        const int32_t child_0 = children.child[0], child_1 = children.child[1];
        const bool both = hit[0] && hit[1], second_first = both ? near[1] < near[0] : !hit[0];
        place_ = second_first ? child_1 : child_0;
        if (both) stack_[num_pending_++] = second_first ? child_0 : child_1;
    }

    WARPATH_HD bool test(const PlainTriangle* triangle) {
        const Row* rows = reinterpret_cast<const Row*>(triangle);
        const Row a = load_constant(rows), e1 = load_constant(rows + 1), e2 = load_constant(rows + 2);
        const Vec3 p = cross(dir_, e2.v);
        const float inv_det = reciprocal(dot(e1.v, p));
        const Vec3 to_origin = origin_ - a.v;
        const float u = dot(to_origin, p) * inv_det;
        const Vec3 q = cross(to_origin, e1.v);
        const float v = dot(dir_, q) * inv_det, t = dot(e2.v, q) * inv_det;
        if (!(u >= 0 && v >= 0 && u + v <= 1 && t > t_min_ && t < best_.t)) return false;
        best_ = {t, u, v, a.word};
        return true;
    }

    int32_t* stack_;
    Vec3 origin_, dir_, inv_dir_, offset_;
    float t_min_ = 0;
    Hit best_;
    int32_t place_ = nowhere;
    uint32_t num_pending_ = 0;
};

}  // namespace warpath::experiments
