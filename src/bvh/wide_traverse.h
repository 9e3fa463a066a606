#pragma once

#include <algorithm>
#include <bit>
#include <type_traits>

#include "bvh/traverse.h"
#include "bvh/wide_avx2.h"

/// Traversal of the wide tree, for host code in .cpp files: the same hits as traverse.h, bit for bit, since a hit
/// depends on its triangle and ray alone and of two at the same distance the lower prim_id wins. Source:  Wald, Benthin
/// and Boulos, "Getting Rid of Packets", RT 2008: one ray against the children of a wide node at once.
namespace warpath {

namespace detail {

/// Where a ray enters a child, and which one: as whole numbers they are ordered by distance, since distances are not
/// negative.
using WideEntry = uint64_t;
inline WideEntry make_entry(float near, int32_t child) {
    return uint64_t{std::bit_cast<uint32_t>(near)} << 32 | static_cast<uint32_t>(child);
}
inline float near_of(WideEntry e) { return std::bit_cast<float>(static_cast<uint32_t>(e >> 32)); }
inline int32_t child_of(WideEntry e) { return static_cast<int32_t>(static_cast<uint32_t>(e)); }
inline void put_farther_first(WideEntry& a, WideEntry& b) {
    const WideEntry x = a, y = b;
    a = x < y ? y : x;
    b = x < y ? x : y;
}

/// Children put aside by one ray. Never overflows: a wide node lies at most max_bvh_depth - 1 below the root, each
/// level above has put aside at most all children but one, and a whole node's are written at once.
inline constexpr uint32_t max_wide_pending = (wide_width - 1) * max_stack_size + wide_width;

/// Puts the children of a mask aside, at least two, and gives back the nearest. Of two, the nearer is guessed, which is
/// right often enough and hides the wait for their distances; more are sorted without a branch.
inline int32_t put_aside(const WideNode& node, uint32_t mask, const float* near, WideEntry*& top) {
    const auto take = [&] {
        const int i = std::countr_zero(mask);
        mask &= mask - 1;
        return make_entry(near[i], node.child[i]);
    };
    WideEntry a = take(), b = take();
    if (mask == 0) {
        const bool first_is_nearer = a < b;
        if (first_is_nearer) {
            *top++ = b;
            return child_of(a);
        }
        *top++ = a;
        return child_of(b);
    }
    put_farther_first(a, b);
    *top++ = a;
    WideEntry c = take();
    put_farther_first(a, c);
    put_farther_first(b, c);
    top[-1] = a;
    *top++ = b;
    if (mask == 0) return child_of(c);
    WideEntry d = take();
    put_farther_first(a, d);
    put_farther_first(b, d);
    put_farther_first(c, d);
    top[-2] = a, top[-1] = b;
    *top++ = c;
    if (mask == 0) return child_of(d);
    WideEntry* const first = top - 3;
    *top++ = d;
    do {
        const WideEntry e = take();
        WideEntry* p = top++;
        for (; p > first && p[-1] < e; --p) *p = p[-1];
        *p = e;
    } while (mask != 0);
    return child_of(*--top);
}

template <class Query, class Tests>
class WideWalk {
  public:
    /// `ray` lives as long as the walk.
    WideWalk(const BvhView& bvh, const Ray& ray) : tests_(ray, bvh.origin_slack), ray_(ray) { best_.t = ray.t_max; }

    template <class Accept>
    Hit run(const BvhView& bvh, const Accept& accept, TraversalCost& cost) {
        std::conditional_t<Query::any, int32_t, WideEntry> pending[max_wide_pending];
        auto* top = pending;
        uint32_t num_steps = 0;
        int32_t current = 0;
        const uint32_t num_triangles = bvh.triangles.size;
        do {
            while (!is_leaf(current)) {
                ++num_steps;
                const WideNode& node = bvh.wide_nodes[static_cast<uint32_t>(current)];
                alignas(32) float near[wide_width];
                const uint32_t mask = tests_.children(node, best_.t, near);
                if (mask == 0) {
                    if (!pop(pending, top, current)) break;
                    continue;
                }
                current = node.child[std::countr_zero(mask)];
                if constexpr (Query::any) {
                    Tests::put_children(node, mask, top);  // the first one on top, where the next to be put aside goes
                    top += std::popcount(mask) - 1;
                } else if ((mask & (mask - 1)) != 0) {
                    current = put_aside(node, mask, near, top);
                }
            }
            if (!is_leaf(current)) break;
            const LeafRange leaf = decode_leaf(current);
            if (leaf.first >= num_triangles) [[unlikely]]
                change_space(bvh, leaf.first - num_triangles, pending, top);
            else if (test_leaf(bvh.wide_packets, leaf, accept, cost))
                break;
        } while (pop(pending, top, current));
        cost.node_steps += num_steps;
        cost.node_group_steps += keeps_accounts ? num_steps : 0;
        return best_.prim_id == invalid_id ? Hit{} : best_;
    }

  private:
    template <class Pending>
    bool pop(const Pending* bottom, Pending*& top, int32_t& current) const {
        while (top != bottom) {
            const Pending next = *--top;
            if constexpr (Query::any) {
                current = next;
                return true;
            } else if (near_of(next) <= best_.t) {
                current = child_of(next);
                return true;
            }
        }
        return false;
    }

    /// Goes into the instance with that index, by putting its tree on top of the way back; or back to the world, or, if an
    /// instance comes next there, only so far that it can be entered.
    template <class Pending>
    void change_space(const BvhView& bvh, uint32_t index, const Pending* bottom, Pending*& top) {
        id_offset_ = 0;
        if (index >= bvh.instances.size) {
            int32_t next = 0;
            if (!pop(bottom, top, next)) return;
            ++top;  // what comes next is still there
            if (is_leaf(next) && decode_leaf(next).first - bvh.triangles.size < bvh.instances.size) return;
            tests_ = Tests(ray_, bvh.origin_slack);
            return;
        }
        const BvhInstance& instance = bvh.instances[index];
        const Ray ray{instance.to_object.point(ray_.origin), ray_.t_min, instance.to_object.vector(ray_.dir), infinity};
        if (!is_traceable(ray)) {
            tests_ = Tests(ray_, bvh.origin_slack);
            return;
        }
        id_offset_ = instance.id_offset;
        tests_ = Tests(ray);
        for (const int32_t child : {leave_instance, static_cast<int32_t>(bvh.wide_roots[instance.mesh])}) {
            if constexpr (Query::any)
                *top++ = child;
            else
                *top++ = make_entry(0.0f, child);  // at no distance, so that no hit lets it be passed over
        }
    }
    /// True if the walk ends here.
    template <class Accept>
    bool test_leaf(const WidePacket* packets, const LeafRange& leaf, const Accept& accept, TraversalCost& cost) {
        cost.triangle_tests += leaf.count;
        cost.triangle_group_tests += keeps_accounts ? leaf.count : 0;
        const WidePacket& packet = packets[leaf.first];
        PacketHits hits;
        for (uint32_t mask = tests_.triangles(packet, leaf.count, best_.t, hits); mask != 0; mask &= mask - 1) {
            const uint32_t i = static_cast<uint32_t>(std::countr_zero(mask)), prim_id = packet.prim_id(i) + id_offset_;
            const float t = hits.t[i];
            // As in RayCursor: at the end of the ray's interval nothing counts; at the best hit so far a lower id does.
            if (t > best_.t || (t == best_.t && (best_.prim_id == invalid_id || prim_id >= best_.prim_id))) continue;
            const Hit hit = hits.hit(i, prim_id);
            if (packet.word[i] & WidePacket::has_alpha) {
                ++cost.alpha_tests;
                if (!accept(prim_id, hit.u, hit.v)) continue;
            }
            best_ = hit;
            if constexpr (Query::any) return true;
        }
        return false;
    }

    Tests tests_;
    const Ray& ray_;
    Hit best_;
    uint32_t id_offset_ = 0;  ///< of the instance that the ray is in
};

template <class Query, class Tests, class Accept>
Hit walk_wide(const BvhView& bvh, const Ray& ray, const Accept& accept, TraversalCost& cost) {
    return WideWalk<Query, Tests>(bvh, ray).run(bvh, accept, cost);
}
#if WARPATH_HAS_AVX2_TESTS
/// Compiled for AVX2 as a whole, with everything that it calls.
template <class Query, class Accept>
WARPATH_AVX2_WHOLE Hit walk_wide_avx2(const BvhView& bvh, const Ray& ray, const Accept& accept, TraversalCost& cost) {
    return walk_wide<Query, Avx2WideTests>(bvh, ray, accept, cost);
}
#endif

}  // namespace detail

/// Nearest accepted hit (NearestQuery), or whichever is found first (AnyQuery), or a miss; by AVX2 where the processor
/// has it. As closest_hit and any_hit otherwise. Needs: bvh.wide_nodes.
template <class Query, class Accept>
Hit wide_hit(const BvhView& bvh, const Ray& ray, const Accept& accept, TraversalCost& cost) {
    if (bvh.wide_nodes.empty() || !is_traceable(ray)) return {};
#if WARPATH_HAS_AVX2_TESTS
    if (Avx2WideTests::runs_here()) return detail::walk_wide_avx2<Query>(bvh, ray, accept, cost);
#endif
    return detail::walk_wide<Query, PortableWideTests>(bvh, ray, accept, cost);
}

/// What a ray has to be given besides its cursor: nothing.
struct WideStack {};

/// RayCursor's members over the wide tree. A processor's thread has nothing else to step meanwhile, so one step runs
/// the ray to its end, and what is under way never outlives it.
template <class Query>
class WideCursor {
  public:
    explicit WideCursor(WideStack&) {}

    void begin(const BvhView& bvh, const Ray& ray) {
        ray_ = ray;
        best_ = Hit{};
        done_ = bvh.wide_nodes.empty();
    }
    bool done() const { return done_; }
    void move_to(WideStack&) {}
    template <class Accept>
    void step(const BvhView& bvh, const Accept& accept, TraversalCost& cost, Query query = {}) {
        if (done_) return;
        best_ =
            query.any ? wide_hit<AnyQuery>(bvh, ray_, accept, cost) : wide_hit<NearestQuery>(bvh, ray_, accept, cost);
        done_ = true;
    }
    bool found() const { return best_.prim_id != invalid_id; }
    Hit result() const { return best_; }

  private:
    Ray ray_;
    Hit best_;
    bool done_ = true;
};

/// See TwoChildTraversal.
struct WideTraversal {
    template <class Query>
    using Cursor = WideCursor<Query>;
    using Stack = WideStack;
};

}  // namespace warpath
