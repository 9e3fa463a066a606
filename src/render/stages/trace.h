#pragma once

#include <type_traits>

#include "bvh/traverse.h"
#include "render/alpha.h"
#include "render/frame.h"

/// What Intersect and Occlude share: a slot's ray under way, its alpha test and the bookkeeping of its traversal.
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
                             {frame.constants.seed, slots.hit[slot].pixel, slots.shadow[slot].sample, path_depth(slots.sum[slot].progress), kind});
        return test(prim_id, u, v);
    }
};

/// A slot's ray under way, in pieces, so that a scheduler may hold rays in registers, give a lane that is done the next ray, and go on:
///     begin(slot, stage);  while (!done()) step(slot, stage);  next = finish(ctx, slot, stage);
/// with the same slot and stage each time; the caller keeps them, once. `Query` says which stages it can run: Intersect (NearestQuery), Occlude
/// (AnyQuery), or either, ray by ray (EitherQuery). `Traversal` says how: in steps over the two-child tree, or (WideTraversal) in one.
template <class Query, class Traversal = TwoChildTraversal>
class TraceCursor {
  public:
    using Stack = typename Traversal::Stack;
    WARPATH_HD TraceCursor(const FrameView& frame, Stack& stack) : frame_(&frame), walk_(stack) {}

    WARPATH_HD void begin(uint32_t slot, StageId stage) {
        const SlotsView& slots = frame_->slots;
        cost_ = {};
        Ray ray;
        if (is_shadow(stage)) {
            const SlotShadowRay shadow = load_wide(&slots.shadow[slot]);
            ray.origin = shadow.origin;
            ray.dir = shadow.direction;
            ray.t_max = shadow.t_max;
        } else {
            const SlotRay extension = load_wide(&slots.ray[slot]);
            ray.origin = extension.origin;
            ray.dir = extension.direction;
        }
        walk_.begin(frame_->bvh, ray);
    }
    WARPATH_HD bool done() const { return walk_.done(); }
    /// Of an extension ray that is done.
    WARPATH_HD HitClass hit_class() const { return walk_.found() ? HitClass::Surface : HitClass::Miss; }
    /// Goes on with another stack, e.g. in another function.
    WARPATH_HD void move_to(Stack& stack) { walk_.move_to(stack); }
    /// Walks to the next leaf and tests its triangles, or as far as the traversal goes in one step.
    WARPATH_HD void step(uint32_t slot, StageId stage) {
        Query query;
        if constexpr (std::is_same_v<Query, EitherQuery>) query.any = is_shadow(stage);
        const BvhView bvh = frame_->bvh;  // a copy: where the frame is reached by way of memory, its words are read once a step
        walk_.step(bvh, SlotAlphaTest{*frame_, slot, is_shadow(stage) ? RayKind::Shadow : RayKind::Extension}, cost_, query);
    }
    template <class Ctx>
    WARPATH_HD StageId finish(Ctx& ctx, uint32_t slot, StageId stage) const {
        ctx.count(Counter::NodeSteps, cost_.node_steps);
        ctx.count(Counter::TriangleTests, cost_.triangle_tests);
        ctx.count(Counter::AlphaTests, cost_.alpha_tests);
        if constexpr (keeps_accounts) {
            ctx.count(Counter::NodeGroupSteps, cost_.node_group_steps);
            ctx.count(Counter::TriangleGroupTests, cost_.triangle_group_tests);
        }
        return is_shadow(stage) ? finish_shadow_ray(ctx, slot) : finish_extension_ray(ctx, slot);
    }

  private:
    WARPATH_HD static bool is_shadow(StageId stage) {
        if constexpr (std::is_same_v<Query, EitherQuery>)
            return stage == StageId::Occlude;
        else
            return Query::any;
    }
    template <class Ctx>
    WARPATH_HD StageId finish_extension_ray(Ctx& ctx, uint32_t slot) const {
        SlotSum& sum = frame_->slots.sum[slot];
        store_wide(&frame_->slots.hit[slot].hit, walk_.result());
        const uint32_t depth = path_depth(sum.progress);
        sum.cost += frame_->film.ray_cost(cost_.node_steps, cost_.triangle_tests, depth == 0 ? 0 : 1);
        if (depth == 0)
            ctx.count(Counter::CameraRays, 1);
        else
            ctx.count(Counter::ExtensionRays, 1);
        ctx.count_ray(RayKind::Extension, depth);
        return StageId::Shade;
    }
    /// Adds the light's radiance if nothing is in the way. Finishes the path if it was only waiting for that.
    template <class Ctx>
    WARPATH_HD StageId finish_shadow_ray(Ctx& ctx, uint32_t slot) const {
        SlotSum sum = load_wide(&frame_->slots.sum[slot]);
        if (!walk_.found()) sum.radiance += sum.shadow_radiance;
        sum.cost += frame_->film.ray_cost(cost_.node_steps, cost_.triangle_tests, 0);
        ctx.count(Counter::ShadowRays, 1);
        ctx.count_ray(RayKind::Shadow, path_depth(sum.progress) - 1);  // Shade has counted the scattering already
        const StageId next = after_shadow_ray(sum.progress);
        if (next == StageId::Generate) {
            frame_->film.add_sample(ctx, frame_->slots.hit[slot].pixel, sum.radiance, sum.cost);
        } else {
            store_wide(&frame_->slots.sum[slot], sum);
        }
        return next;
    }

    const FrameView* frame_;
    typename Traversal::template Cursor<Query> walk_;
    TraversalCost cost_;
};

template <class Query, class Traversal = TwoChildTraversal, class Ctx>
WARPATH_HD StageId trace_slot(const FrameView& frame, Ctx& ctx, uint32_t slot, StageId stage) {
    typename Traversal::Stack stack;
    TraceCursor<Query, Traversal> cursor(frame, stack);
    cursor.begin(slot, stage);
    while (!cursor.done()) cursor.step(slot, stage);
    return cursor.finish(ctx, slot, stage);
}

}  // namespace warpath
