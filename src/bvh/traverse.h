#pragma once

#include "bvh/intersect_children.h"
#include "bvh/intersect_triangle.h"
#include "bvh/node.h"
#include "core/active_lanes.h"
#include "scene/scene_data.h"

/// Ray traversal, one code for both backends. "Accept" is asked `accept(prim_id, u, v) -> bool` about hits on triangles
/// that have triangle_has_alpha, and only about those; a hit that it refuses does not count. Source:  Aila and Laine,
/// "Understanding the Efficiency of Ray Traversal on GPUs", HPG 2009: the while-while loop over
///          two-child nodes, nearer child first.
namespace warpath {

/// What rays cost. Adds up over calls. The group's numbers go to one of the lanes that step side by side.
struct TraversalCost {
    uint32_t node_steps = 0, triangle_tests = 0, alpha_tests = 0;
    uint32_t node_group_steps = 0, triangle_group_tests = 0;
};

/// Accepts every hit: for opaque scenes and for geometry alone.
struct AcceptAll {
    WARPATH_HD bool operator()(uint32_t, float, float) const { return true; }
};

/// The intersection tests in plain C++, for any compiler and device.
struct ScalarTests {
    using Boxes = ScalarBoxes;
    using Triangles = ScalarTriangles;
};
#if WARPATH_SSE
/// The same tests for host code. They round alike operation by operation, so they give the same bits. The choice is a
/// template argument of everything below, so that .cu and .cpp files never disagree about what a name means.
struct SseTests {
    using Boxes = SseBoxes;
    using Triangles = SseTriangles;
};
using NativeTests = SseTests;
#else
using NativeTests = ScalarTests;
#endif

/// What a ray asks for. The two questions differ in the order of visits and in when they end; the code is one, and a query that is
/// known when compiling costs nothing.
struct NearestQuery {
    static constexpr bool any = false;
};
struct AnyQuery {
    static constexpr bool any = true;
};
/// Decided by each ray, so that a warp may trace both kinds side by side.
struct EitherQuery {
    bool any = false;
};

/// Nodes put aside by one ray, and what it needs at the border between two levels. Apart from the walk, since these need to lie in memory or
/// are seldom asked for: everything else of a ray can then stay in registers.
struct TraversalStack {
    struct alignas(8) Pending {
        int32_t node;
        float near;
    };
    /// Never overflows: a node k levels below the root is reached with at most k entries, one for each level above, and
    /// inner nodes lie at most max_bvh_depth - 1 below the root, so the entry written there has index below
    /// max_bvh_depth. An instance is a leaf at most max_top_depth below the upper tree's root; with the way back that makes
    /// max_top_depth + 1 entries, and as many more as levels in the mesh's tree.
    Pending pending[max_stack_size];
    uint32_t id_offset;              ///< of the instance that the ray is in; 0 in the world
    Vec3 world_origin, world_dir;    ///< written only where there are instances
};

/// A place in the tree and what is still to be visited.
template <class Boxes>
class TreeWalk {
  public:
    WARPATH_HD explicit TreeWalk(TraversalStack& stack) : stack_(&stack) {}

    WARPATH_HD void begin(const BvhView& bvh, const Ray& ray) {
        num_pending_ = 0;
        boxes_.begin(ray, bvh.origin_slack);
        current_ = bvh.nodes.empty() || !is_traceable(ray) ? no_node : 0;
        stack_->id_offset = 0;
        if (!bvh.instances.empty()) stack_->world_origin = ray.origin, stack_->world_dir = ray.dir;
    }

    WARPATH_HD bool done() const { return current_ == no_node; }

    /// Goes on with another stack, where what was put aside is copied to.
    WARPATH_HD void move_to(TraversalStack& stack) {
        for (uint32_t i = 0; i < num_pending_; ++i) stack.pending[i] = stack_->pending[i];
        stack.id_offset = stack_->id_offset;
        stack.world_origin = stack_->world_origin, stack.world_dir = stack_->world_dir;
        stack_ = &stack;
    }

    WARPATH_HD uint32_t id_offset() const { return stack_->id_offset; }

    /// At a leaf that names no triangles: goes into the instance; or back to the world, and from there at once into the next instance if that is what
    /// comes next; or does nothing where the walk has ended. The shear is made anew with the ray.
    WARPATH_HD void change_space(const BvhView& bvh, float t_min, float t_limit, RayShear& shear) {
        if (done()) return;
        if (instance_index(bvh) >= bvh.instances.size) {
            stack_->id_offset = 0;
            pop(t_limit);
            if (done()) return;
        }
        Ray ray{stack_->world_origin, t_min, stack_->world_dir, infinity};
        float slack = bvh.origin_slack;
        const uint32_t index = is_leaf(current_) ? instance_index(bvh) : invalid_id;
        if (index < bvh.instances.size) {
            const BvhInstance& instance = bvh.instances[index];
            const Ray own{instance.to_object.point(ray.origin), t_min, instance.to_object.vector(ray.dir), infinity};
            if (is_traceable(own)) {
                push(true, {leave_instance, 0.0f});  // at no distance, so that no hit lets it be passed over
                stack_->id_offset = instance.id_offset;
                current_ = static_cast<int32_t>(instance.root);
                ray = own, slack = origin_slack;
            } else {
                pop(t_limit);
            }
        }
        set_up(ray, slack, shear);
    }

    WARPATH_HD bool at_node() const { return !is_leaf(current_); }

    /// Visits the inner node that the walk is at and goes on to the first of its children whose box meets the ray before t_limit; the nearer child
    /// first, or (`any`) the one that the builder stored first, which has more surface. Without one, goes on to what was put aside.
    template <class Query>
    WARPATH_HD void visit(const BvhView& bvh, Query query, float t_limit, TraversalCost& cost) {
        ++cost.node_steps;
        const BvhNode& node = bvh.nodes[static_cast<uint32_t>(current_)];
        NodeChildren children = load_constant(reinterpret_cast<const NodeChildren*>(node.child));
#if defined(__CUDA_ARCH__)
        // Fetched with the boxes: after the test it would be a second wait for memory in every step.
        asm volatile("" : "+r"(children.child[0]), "+r"(children.child[1]));
#endif
        const ChildHits hits = boxes_.intersect(node, query.any, t_limit);
        // A branch on purpose: guessing the way ahead hides the latency of the test, and guesses are right often
        // enough.
        if (!hits.any) return pop(t_limit);
        const int32_t child_0 = children.child[0], child_1 = children.child[1];
        const int32_t first = hits.second_first ? child_1 : child_0;
        push(hits.both, {child_0 ^ child_1 ^ first, hits.far_entry});
        current_ = first;
    }

    WARPATH_HD int32_t leaf() const { return current_; }
    WARPATH_HD void end() { current_ = no_node; }

    /// Leaves the current place for the last one put aside that is not beyond t_limit.
    WARPATH_HD void pop(float t_limit) {
        current_ = no_node;
        while (num_pending_ > 0) {
            const TraversalStack::Pending next = stack_->pending[--num_pending_];
            if (next.near <= t_limit) {
                current_ = next.node;
                return;
            }
        }
    }

  private:
    /// Of the leaf that the walk is at; no instance's where it names triangles, or none.
    WARPATH_HD uint32_t instance_index(const BvhView& bvh) const { return decode_leaf(current_).first - bvh.triangles.size; }

    WARPATH_HD void push(bool kept, TraversalStack::Pending entry) {
#if defined(__CUDA_ARCH__)
        // Lanes differ in the place they write to, and each such store goes through to the second-level cache on its own.
        if (kept) stack_->pending[num_pending_] = entry;
#else
        stack_->pending[num_pending_] = entry;  // always, and kept only if so: here a wrong guess would gain nothing
#endif
        num_pending_ += kept;
    }

    /// Out of line: what a ray precomputes is long, and scenes without instances never come here.
    struct SetUp {
        Boxes boxes;
        RayShear shear;
    };
    WARPATH_HD_CALL static SetUp made_ready(const Ray& ray, float relative_slack) {
        SetUp s;
        s.boxes.begin(ray, relative_slack);
        s.shear = make_shear(ray);
        return s;
    }
    WARPATH_HD void set_up(const Ray& ray, float relative_slack, RayShear& shear) {
        const SetUp s = made_ready(ray, relative_slack);
        boxes_ = s.boxes;
        shear = s.shear;
    }

    /// Decodes to a leaf beyond max_references, so no builder makes it.
    static constexpr int32_t no_node = INT32_MIN;

    TraversalStack* stack_;
    Boxes boxes_;
    int32_t current_ = no_node;
    uint32_t num_pending_ = 0;
};

/// A query that can be put aside between leaves:
///     cursor.begin(bvh, ray);  while (!cursor.done()) cursor.step(bvh, accept, cost);  hit = cursor.result();
/// EitherQuery is passed to every step, so that its owner need not keep it twice.
/// At exactly equal t the hit with the lower prim_id wins, so ties do not depend on the shape of the tree. `any` ends at the first hit.
template <class Query = NearestQuery, class Tests = NativeTests>
class RayCursor {
  public:
    /// `stack` is this ray's own as long as the cursor is used.
    WARPATH_HD explicit RayCursor(TraversalStack& stack) : walk_(stack) {}

    WARPATH_HD void begin(const BvhView& bvh, const Ray& ray) {
        walk_.begin(bvh, ray);
        best_ = Hit{};
        best_.t = ray.t_max;
        t_min_ = max_of(ray.t_min, 0.0f);
        shear_ = make_shear(ray);
    }

    WARPATH_HD bool done() const { return walk_.done(); }
    WARPATH_HD void move_to(TraversalStack& stack) { walk_.move_to(stack); }

    /// Walks to the next leaf and tests its triangles, or enters or leaves an instance. Does nothing once done.
    template <class Accept>
    WARPATH_HD void step(const BvhView& bvh, const Accept& accept, TraversalCost& cost, Query query = {}) {
        const uint32_t lanes = lanes_together();
        TraversalCost own;
        advance(bvh, accept, own, query);
        cost.node_steps += own.node_steps, cost.triangle_tests += own.triangle_tests, cost.alpha_tests += own.alpha_tests;
        cost.node_group_steps += most_of_lanes(lanes, own.node_steps);
        cost.triangle_group_tests += most_of_lanes(lanes, own.triangle_tests);
    }

    WARPATH_HD bool found() const { return best_.prim_id != invalid_id; }
    WARPATH_HD Hit result() const { return found() ? best_ : Hit{}; }

  private:
    template <class Accept>
    WARPATH_HD void advance(const BvhView& bvh, const Accept& accept, TraversalCost& cost, Query query) {
        while (walk_.at_node()) walk_.visit(bvh, query, best_.t, cost);
        const LeafRange leaf = decode_leaf(walk_.leaf());
        // Neither an instance, nor the way back from one, nor the end of the walk names triangles that are there.
        if (leaf.first >= bvh.triangles.size) return walk_.change_space(bvh, t_min_, best_.t, shear_);
        for (uint32_t i = leaf.first; i < leaf.first + leaf.count; ++i)
            if (test(bvh.triangles[i], accept, cost) && query.any) return walk_.end();
        walk_.pop(best_.t);
    }
    /// True if the triangle's hit is the best so far.
    template <class Accept>
    WARPATH_HD bool test(const BvhTriangle& triangle, const Accept& accept, TraversalCost& cost) {
        ++cost.triangle_tests;
        Hit hit;
        hit.t = Tests::Triangles::intersect(triangle, shear_, hit.u, hit.v);
        if (!(hit.t >= t_min_ && hit.t <= best_.t)) return false;
        hit.prim_id = triangle.prim_id() + walk_.id_offset();
        // At the end of the ray's interval nothing counts; at the best hit so far a lower id does.
        if (hit.t == best_.t && (best_.prim_id == invalid_id || hit.prim_id >= best_.prim_id)) return false;
        if (triangle.flags() & triangle_has_alpha) {
            ++cost.alpha_tests;
            if (!accept(hit.prim_id, hit.u, hit.v)) return false;
        }
        best_ = hit;
        return true;
    }

    TreeWalk<typename Tests::Boxes> walk_;
    RayShear shear_;
    Hit best_;
    float t_min_;
};

/// What a renderer's stages trace rays with, as a template argument of theirs. The other one is WideTraversal (bvh/wide_traverse.h).
struct TwoChildTraversal {
    using Stack = TraversalStack;
    template <class Query>
    using Cursor = RayCursor<Query>;
};

/// Nearest accepted hit, or a miss.
/// Units:   hits satisfy ray.t_min <= t < ray.t_max, t counted in lengths of ray.dir; a negative t_min is taken as 0.
/// Errors:  none; a ray with NaN or infinity (t_max aside), a zero dir or an empty interval misses.
template <class Accept, class Tests = NativeTests>
WARPATH_HD Hit closest_hit(const BvhView& bvh, const Ray& ray, const Accept& accept, TraversalCost& cost) {
    TraversalStack stack;
    RayCursor<NearestQuery, Tests> cursor(stack);
    cursor.begin(bvh, ray);
    while (!cursor.done()) cursor.step(bvh, accept, cost);
    return cursor.result();
}

/// True exactly if closest_hit would find a hit; stops at the first one.
template <class Accept, class Tests = NativeTests>
WARPATH_HD bool any_hit(const BvhView& bvh, const Ray& ray, const Accept& accept, TraversalCost& cost) {
    TraversalStack stack;
    RayCursor<AnyQuery, Tests> cursor(stack);
    cursor.begin(bvh, ray);
    while (!cursor.done()) cursor.step(bvh, accept, cost);
    return cursor.found();
}

}  // namespace warpath
