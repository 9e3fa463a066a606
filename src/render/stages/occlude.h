#pragma once

#include "render/stages/trace.h"

namespace warpath {

/// Traces a slot's shadow ray and adds its radiance if nothing is in the way. Finishes the path if it was only waiting
/// for that.
struct Occlude {
    static constexpr StageId id = StageId::Occlude;
    const FrameView& frame;

    template <class Ctx>
    WARPATH_HD StageId operator()(Ctx& ctx, uint32_t slot) const {
        const SlotsView& slots = frame.slots;
        Ray ray;
        ray.origin = slots.shadow_origin[slot];
        ray.dir = slots.shadow_direction[slot];
        ray.t_max = slots.shadow_t_max[slot];
        TraversalCost cost;
        const bool occluded = any_hit(frame.bvh, ray, SlotAlphaTest{frame, slot, RayKind::Shadow}, cost);
        if (!occluded) slots.radiance[slot] += slots.shadow_radiance[slot];

        ctx.count(Counter::ShadowRays, 1);
        ctx.count_ray(RayKind::Shadow, slots.depth[slot] - 1);  // Shade has counted the scattering already
        count_traversal(ctx, slots, slot, cost);
        const StageId next = slots.after_shadow[slot];
        if (next == StageId::Generate)
            frame.film.add_sample(ctx, slots.pixel[slot], slots.radiance[slot], slots.cost[slot]);
        return next;
    }
};

}  // namespace warpath
