#pragma once

#include "bvh/traverse.h"
#include "render/alpha.h"
#include "render/frame.h"

/// What Intersect and Occlude share: the alpha test of a slot's ray, and the bookkeeping of its traversal.
namespace warpath {

/// The alpha test of the ray that a slot traces. What identifies the ray is read only when a candidate has alpha, so
/// that it costs other rays neither time nor registers.
struct SlotAlphaTest {
    const FrameView& frame;
    uint32_t slot;
    RayKind kind;

    WARPATH_HD_CALL bool operator()(uint32_t prim_id, float u, float v) const {
        const SlotsView& slots = frame.slots;
        const AlphaTest test(frame.scene,
                             {frame.constants.seed, slots.pixel[slot], slots.sample[slot], slots.depth[slot], kind});
        return test(prim_id, u, v);
    }
};

template <class Ctx>
WARPATH_HD void count_traversal(Ctx& ctx, const SlotsView& slots, uint32_t slot, const TraversalCost& cost) {
    slots.cost[slot] += cost.node_steps + cost.triangle_tests;
    ctx.count(Counter::NodeSteps, cost.node_steps);
    ctx.count(Counter::TriangleTests, cost.triangle_tests);
    ctx.count(Counter::AlphaTests, cost.alpha_tests);
}

}  // namespace warpath
