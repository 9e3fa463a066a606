#pragma once

#include "render/stages/trace.h"

namespace warpath {

/// A slot's extension ray under way: Intersect in pieces, so that a scheduler may hold rays in registers, give a lane that is done the next
/// ray, and go on. Use: begin(slot); while (!done()) step(); next = finish(ctx).
class IntersectCursor {
  public:
    WARPATH_HD explicit IntersectCursor(const FrameView& frame) : frame_(frame) {}

    WARPATH_HD void begin(uint32_t slot) {
        slot_ = slot;
        cost_ = {};
        Ray ray;
        ray.origin = frame_.slots.origin[slot];
        ray.dir = frame_.slots.direction[slot];
        walk_.begin(frame_.bvh, ray);
    }
    WARPATH_HD bool done() const { return walk_.done(); }
    /// Walks to the next leaf and tests its triangles.
    WARPATH_HD void step() { walk_.step(frame_.bvh, SlotAlphaTest{frame_, slot_, RayKind::Extension}, cost_); }

    template <class Ctx>
    WARPATH_HD StageId finish(Ctx& ctx) const {
        const SlotsView& slots = frame_.slots;
        slots.hit[slot_] = walk_.result();
        const uint32_t depth = slots.depth[slot_];
        ctx.count(depth == 0 ? Counter::CameraRays : Counter::ExtensionRays, 1);
        ctx.count_ray(RayKind::Extension, depth);
        count_traversal(ctx, slots, slot_, cost_);
        return StageId::Shade;
    }

  private:
    const FrameView& frame_;
    ClosestCursor<> walk_;
    TraversalCost cost_;
    uint32_t slot_ = 0;
};

/// Traces a slot's extension ray to its nearest hit.
struct Intersect {
    static constexpr StageId id = StageId::Intersect;
    const FrameView& frame;

    template <class Ctx>
    WARPATH_HD StageId operator()(Ctx& ctx, uint32_t slot) const {
        IntersectCursor cursor(frame);
        cursor.begin(slot);
        while (!cursor.done()) cursor.step();
        return cursor.finish(ctx);
    }
};

}  // namespace warpath
