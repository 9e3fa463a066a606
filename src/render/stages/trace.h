#pragma once

#include "bvh/traverse.h"
#include "render/alpha.h"
#include "render/frame.h"

/// What Intersect and Occlude share: the alpha test of a slot's ray, and the bookkeeping of its traversal.
namespace warpath {

WARPATH_HD inline AlphaTest slot_alpha_test(const FrameView& frame, uint32_t slot, RayKind kind) {
    const SlotsView& slots = frame.slots;
    return AlphaTest(frame.scene,
                     {frame.constants.seed, slots.pixel[slot], slots.sample[slot], slots.depth[slot], kind});
}

template <class Ctx>
WARPATH_HD void count_traversal(Ctx& ctx, const SlotsView& slots, uint32_t slot, const TraversalCost& cost) {
    slots.cost[slot] += cost.node_steps + cost.triangle_tests;
    ctx.count(Counter::NodeSteps, cost.node_steps);
    ctx.count(Counter::TriangleTests, cost.triangle_tests);
    ctx.count(Counter::AlphaTests, cost.alpha_tests);
}

}  // namespace warpath
