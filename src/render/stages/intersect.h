#pragma once

#include "render/stages/trace.h"

namespace warpath {

/// Traces a slot's extension ray to its nearest hit.
struct Intersect {
    static constexpr StageId id = StageId::Intersect;
    const FrameView& frame;

    template <class Ctx>
    WARPATH_HD StageId operator()(Ctx& ctx, uint32_t slot) const {
        const SlotsView& slots = frame.slots;
        Ray ray;
        ray.origin = slots.origin[slot];
        ray.dir = slots.direction[slot];
        TraversalCost cost;
        slots.hit[slot] = closest_hit(frame.bvh, ray, SlotAlphaTest{frame, slot, RayKind::Extension}, cost);

        const uint32_t depth = slots.depth[slot];
        ctx.count(depth == 0 ? Counter::CameraRays : Counter::ExtensionRays, 1);
        ctx.count_ray(RayKind::Extension, depth);
        count_traversal(ctx, slots, slot, cost);
        return StageId::Shade;
    }
};

}  // namespace warpath
