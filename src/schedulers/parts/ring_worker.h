#pragma once

#include "schedulers/parts/grab.h"
#include "schedulers/parts/lane_tracer.h"
#include "schedulers/parts/stage_rings.h"
#include "schedulers/schedule.h"

namespace warpath {

/// One group of several that work on a pool of slots through its rings until the frame's paths are used up and every slot is free again.
///
/// A group keeps its lanes tracing. When fewer than refill_below rays are under way it hands on what is done and takes waiting rays; if too
/// few wait, it shades a batch of waiting hits, or starts a batch of paths, while its live rays wait in registers, and keeps their rays itself
/// where it has idle lanes. Rays of new paths are taken by the group that started them, so first hits are traced side by side.
/// Full batches are waited for only so long (`patience`), since slots may be spread over the lanes of all groups; at the end, when no path is left
/// to start, batches of any size run, and no group holds more than its share of the slots still in flight.
/// Ends: a path's rays are finite in number and in steps, so slots become free; a group without work leaves once all slots of the pool are free
///       and it cannot start paths. Nobody waits for a group that has not been started. A wait has a limit all the same (Wait).
/// Source: Aila and Laine 2009 (persistent threads); Laine, Karras and Aila 2013 (wavefront); Tzeng, Patney and Owens, "Task Management for
///         Irregular-Parallel Workloads on the GPU", HPG 2010 (queues that resident groups share).
template <class Ctx, class Stages, class Rings>
class RingWorker {
  public:
    /// num_workers: groups that share the rings. last_grab: a word of this group's own for the report of a stall; may be null.
    WARPATH_HD RingWorker(Ctx& ctx, const Stages& stages, const Rings& rings, uint32_t first_slot, uint32_t num_workers, SharedCounter counter,
                          uint32_t refill_below, uint64_t* last_grab, typename Stages::CursorStack& stack)
        : ctx_(ctx), stages_(stages), rings_(rings), first_slot_(first_slot), num_workers_(num_workers), counter_(counter),
          refill_below_(refill_below), last_grab_(last_grab), tracer_(stages.trace_cursor(stack)),
          wait_(num_workers < 64 ? 400 : 6 * num_workers) {}

    /// False after an abort.
    WARPATH_HD bool run() {
        uint32_t rounds_left = 0xffffffffu, threshold = refill_below_;
        for (uint32_t round = 0;; ++round) {
            if (round % rounds_between_polls == 0) {
                if (ctx_.stop_level() == StopLevel::Abort) return false;
                look_for_progress();
                if (ctx_.has_timeline()) record_depths();
            }
            tracer_.run(ctx_, threshold, rounds_left);
            hand_on();
            const uint32_t enough = refill();
            tracer_.start();
            const uint32_t held = tracer_.num_held(ctx_);
            threshold = held < enough ? 1 : enough;
            rounds_left = held < enough ? rounds_when_starved : 0xffffffffu;
            if (held > 0) {
                found_work();
                continue;
            }
            ctx_.begin_idle();
            if (keeps_accounts && ctx_.lane() == 0) ctx_.count(Counter::EmptyPolls, 1);
            if (!more_paths_ && num_free() == rings_.num_slots()) return true;
            Wait wait = wait_;  // a copy, so that the worker itself need not lie in memory
            const bool goes_on = ctx_.ballot(!wait.pause(ctx_, wait_for_work)) == 0;  // clocks of lanes may differ
            wait_ = wait;
            if (!goes_on) return false;
            if (patience_ > 0) --patience_;
        }
    }

  private:
    static constexpr uint32_t rounds_between_polls = 64, rounds_when_starved = 4, polls_of_patience = 8;

    /// A group may find no work for long while others have all of it: its limit counts from the last push of any group.
    WARPATH_HD void look_for_progress() {
        const uint32_t pushes = rings_.num_pushes(ctx_);
        if (pushes != pushes_seen_) wait_.restart();
        pushes_seen_ = pushes;
    }
    WARPATH_HD void found_work() {
        if (wait_.waits()) ctx_.end_idle();
        wait_.progress();
    }
    /// For the timeline: one group of the first pool looks at its rings.
    WARPATH_HD void record_depths() {
        if (ctx_.group() != 0 || ctx_.lane() != 0) return;
        ctx_.record_depth(QueueId::Trace, rings_.ring(trace_ring).size_seen(ctx_));
        ctx_.record_depth(QueueId::Shade, rings_.ring(shade_ring).size_seen(ctx_));
        ctx_.record_depth(QueueId::Free, rings_.ring(free_ring).size_seen(ctx_));
    }
    WARPATH_HD uint32_t num_free() { return rings_.ring(free_ring).size(ctx_); }
    WARPATH_HD uint32_t least_batch() const { return more_paths_ && patience_ > 0 ? ctx_.group_size() : 1; }

    WARPATH_HD void hand_on() {
        const StageId next = tracer_.finish(ctx_);
        rings_.ring(shade_ring).push(ctx_, tracer_.slot() - first_slot_, next == StageId::Shade);
        rings_.ring(free_ring).push(ctx_, tracer_.slot() - first_slot_, next == StageId::Generate);
    }
    /// Fills idle lanes. Gives the number of rays that would have been enough.
    WARPATH_HD uint32_t refill() {
        const uint32_t share = more_paths_ ? ctx_.group_size() : even_share();
        const uint32_t enough = refill_below_ < share ? refill_below_ : share;
        take_rays(share);
        while (tracer_.num_held(ctx_) < enough) {
            if (!shade_batch() && !generate_batch()) break;
            patience_ = polls_of_patience;
            take_rays(share);
        }
        return enough;
    }
    /// The drain: slots in flight, dealt out evenly.
    WARPATH_HD uint32_t even_share() {
        const uint32_t in_flight = rings_.num_slots() - num_free();
        const uint32_t share = (in_flight + num_workers_ - 1) / num_workers_;
        return share < 1 ? 1 : share < ctx_.group_size() ? share : ctx_.group_size();
    }
    WARPATH_HD void take_rays(uint32_t share) {
        const uint32_t held = tracer_.num_held(ctx_);
        if (held >= share) return;
        uint32_t entry = 0;
        if (rings_.ring(trace_ring).pop(ctx_, tracer_.idle(), 1, share - held, entry))
            tracer_.take(first_slot_ + slot_of_entry(entry), stage_of_entry(entry));
    }
    /// Lanes that are idle keep the ray of the slot they worked on; the others pass it on.
    WARPATH_HD void keep_or_pass_on(uint32_t slot, StageId next, bool active) {
        const bool is_ray = active && is_ray_stage(next), keeps = is_ray && tracer_.idle();
        if (keeps) tracer_.take(slot, next);
        rings_.ring(trace_ring).push(ctx_, trace_entry(slot - first_slot_, next), is_ray && !keeps);
        rings_.ring(free_ring).push(ctx_, slot - first_slot_, active && next == StageId::Generate);
    }
    WARPATH_HD bool shade_batch() {
        uint32_t slot = 0;
        const bool active = rings_.ring(shade_ring).pop(ctx_, true, least_batch(), ctx_.group_size(), slot);
        if (ctx_.ballot(active) == 0) return false;
        found_work();
        slot += first_slot_;
        const StageId next = active ? stages_.template run<StageId::Shade>(ctx_, slot) : StageId::Shade;
        ctx_.count_batch(StageId::Shade, active);
        keep_or_pass_on(slot, next, active);
        return true;
    }
    WARPATH_HD bool generate_batch() {
        if (!more_paths_) return false;
        if (paths_.empty()) grab_paths();
        const uint32_t most = paths_.size() < ctx_.group_size() ? static_cast<uint32_t>(paths_.size()) : ctx_.group_size();
        if (most == 0) return false;
        uint32_t slot = 0;
        const uint32_t least = least_batch() < most ? least_batch() : most;
        const bool active = rings_.ring(free_ring).pop(ctx_, ctx_.lane() < most, least, most, slot);
        const uint32_t num_started = count_lanes(ctx_.ballot(active));
        if (num_started == 0) return false;
        found_work();
        slot += first_slot_;
        const StageId next = active ? stages_.generate(ctx_, slot, paths_.begin + ctx_.lane()) : StageId::Generate;
        paths_.begin += num_started;
        ctx_.count_batch(StageId::Generate, active);
        keep_or_pass_on(slot, next, active);
        return true;
    }
    WARPATH_HD void grab_paths() {
        if (ctx_.stop_level() == StopLevel::Run) paths_ = counter_.grab(ctx_, stages_.num_paths());
        more_paths_ = !paths_.empty();
        if (last_grab_ && more_paths_ && ctx_.lane() == 0) *last_grab_ = paths_.begin + 1;
    }

    Ctx& ctx_;
    const Stages& stages_;
    Rings rings_;
    uint32_t first_slot_, num_workers_;
    SharedCounter counter_;
    uint32_t refill_below_;
    uint64_t* last_grab_;
    LaneTracer<typename Stages::Cursor> tracer_;
    Wait wait_;
    WorkRange paths_;
    bool more_paths_ = true;
    uint32_t patience_ = polls_of_patience, pushes_seen_ = 0;
};

}  // namespace warpath
