#pragma once

#include "render/stage_id.h"
#include "schedulers/parts/lanes.h"
#include "schedulers/parts/slot_list.h"

namespace warpath {

/// The rays that a group's lanes hold in registers: some under way, some done and not yet handed on. A lane runs its slot's shadow ray and
/// then its extension ray before it lets go of the slot. One round is
///     run(ctx, ...);  next = finish(ctx);  ... hand on the slots let go of, take() others ...  start();
/// Source:  Aila and Laine, "Understanding the Efficiency of Ray Traversal on GPUs", HPG 2009 (lanes that are done take new rays while others
///          go on); the threshold after Ylitie, Karras and Laine, HPG 2017.
template <class Cursor>
class LaneTracer {
  public:
    WARPATH_HD explicit LaneTracer(const Cursor& cursor) : cursor_(cursor) {}
    /// Goes on with a stack of the place that it was copied to.
    template <class Stack>
    WARPATH_HD void move_to(Stack& stack) {
        cursor_.move_to(stack);
    }

    WARPATH_HD bool idle() const { return !held_; }     ///< this lane can take a slot
    WARPATH_HD uint32_t slot() const { return slot_; }  ///< of this lane: the one it holds, or the last one

    /// Steps the group's rays until fewer than `refill_below` (at least 1) are under way, or for max_rounds. Ends: rays are finite.
    template <class Ctx>
    WARPATH_HD void run(Ctx& ctx, uint32_t refill_below, uint32_t max_rounds = 0xffffffffu) {
        for (uint32_t round = 0; round < max_rounds && num_live(ctx) >= refill_below; ++round)
            if (live()) cursor_.step(slot_, stage_);
    }
    /// Lanes whose ray is done write its result. Gives the stage that this lane's slot, which the lane has now let go of, waits for:
    /// Shade or Generate; Intersect for lanes that let go of none. A lane whose shadow ray is done goes on with the extension ray.
    template <class Ctx>
    WARPATH_HD StageId finish(Ctx& ctx) {
        StageId next = StageId::Intersect;
        const bool done = held_ && cursor_.done();
        ctx.count_batch(StageId::Intersect, done && stage_ == StageId::Intersect);
        ctx.count_batch(StageId::Occlude, done && stage_ == StageId::Occlude);
        if (done) {
            next = cursor_.finish(ctx, slot_, stage_);
            held_ = waiting_ = next == StageId::Intersect;
            stage_ = StageId::Intersect;
        }
        return next;
    }
    /// This lane, which is idle, takes a slot that waits for Intersect or Occlude.
    WARPATH_HD void take(uint32_t slot, StageId stage) {
        slot_ = slot;
        stage_ = stage;
        held_ = waiting_ = true;
    }
    /// Sets the rays off that were taken.
    WARPATH_HD void start() {
        if (!waiting_) return;
        cursor_.begin(slot_, stage_);
        waiting_ = false;
    }
    /// Of the extension ray that this lane has just finished.
    WARPATH_HD HitClass hit_class() const { return cursor_.hit_class(); }
    template <class Ctx>
    WARPATH_HD uint32_t num_live(Ctx& ctx) const {
        return count_lanes(ctx.ballot(live()));
    }
    template <class Ctx>
    WARPATH_HD uint32_t num_held(Ctx& ctx) const {
        return count_lanes(ctx.ballot(held_));
    }

  private:
    WARPATH_HD bool live() const { return held_ && !cursor_.done(); }

    Cursor cursor_;
    uint32_t slot_ = 0;
    StageId stage_ = StageId::Intersect;
    bool held_ = false, waiting_ = false;  ///< waiting_: held, and not yet begun
};

}  // namespace warpath
