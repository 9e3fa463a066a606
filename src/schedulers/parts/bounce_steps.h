#pragma once

#include <string>
#include <vector>

#include "render/stage_id.h"
#include "schedulers/parts/drain.h"
#include "schedulers/parts/lane_tracer.h"
#include "schedulers/parts/slot_list.h"
#include "schedulers/schedule.h"

/// The three steps of a bounce over a pool that all groups share: start new paths in free slots, trace what waits for a ray, shade what
/// was hit. Schedulers that work bounce by bounce differ only in who starts the steps. Sizes stay in device memory; the last block out of
/// a step sets them for the next one, so a step may be started with any number of groups, and a step with nothing to do changes nothing.
/// Source:  Laine, Karras and Aila, "Megakernels Considered Harmful: Wavefront Path Tracing on GPUs", HPG 2013.
namespace warpath {

/// Control words. All start at zero.
enum BounceWord : uint32_t {
    trace_count,    ///< entries that wait for a ray
    shade_count,    ///< slots that wait for Shade
    free_count,     ///< slots whose path has ended
    used_slots,     ///< slots that ever held a path; those from here on are free too
    next_path,      ///< paths started
    no_new_paths,   ///< 1 after the host's wish to stop
    aborted,        ///< 1 after an abort: all steps do nothing
    trace_head,     ///< entries handed out while tracing, beyond each group's first batch
    step_ticket,    ///< blocks that are through with the step
    num_bounces,    ///< bounces done
    narrow,         ///< 1: fewer than BouncePool::least_wide rays wait and no path is left to start in this pass; steps do nothing
    num_narrow,     ///< passes that have become narrow
    pool_finished,  ///< 1 when a bounce has ended with nothing left to do
    num_bounce_words
};
/// Mailbox words that the last step of a bounce writes for the host.
enum BounceMail : uint32_t { bounces_done, paths_started, all_done, passes_narrow, num_bounce_mail };

/// What the steps work on.
struct BouncePool {
    uint32_t *trace, *shade, *free;
    uint64_t* control;   ///< BounceWord
    uint64_t* mailbox;   ///< BounceMail
    uint32_t num_slots, batch, refill_below;
    uint64_t least_wide;  ///< of the plan

    static constexpr uint32_t num_queues = 3;
    BouncePool(const ScheduleBuffers& buffers, const SchedulePlan& plan)
        : trace(buffers.queues), shade(trace + plan.num_slots), free(shade + plan.num_slots), control(buffers.control),
          mailbox(buffers.mailbox), num_slots(plan.num_slots), batch(plan.batch), refill_below(plan.refill_below), least_wide(plan.least_wide) {}

    /// Entries that a trace or shade step works on.
    WARPATH_HD uint64_t num_items(BounceWord list) const { return control[aborted] || control[narrow] ? 0 : control[list]; }
    WARPATH_HD SlotList trace_list() const { return {trace, control + trace_count}; }
    WARPATH_HD SlotList shade_list() const { return {shade, control + shade_count}; }
    WARPATH_HD SlotList free_list() const { return {free, control + free_count}; }
    /// Paths that the next generate step starts. Only the end of a step changes what this depends on.
    WARPATH_HD uint64_t num_starts(uint64_t num_paths) const {
        if (control[no_new_paths] || control[aborted] || control[narrow]) return 0;
        const uint64_t num_free = control[free_count] + num_slots - control[used_slots], left = num_paths - control[next_path];
        return num_free < left ? num_free : left;
    }
    /// True when no ray waits and no path is left to start; to be asked between bounces.
    WARPATH_HD bool finished(uint64_t num_paths) const {
        return control[aborted] || (control[trace_count] == 0 && num_starts(num_paths) == 0);
    }
    /// Passes a free slot or one that waits for a ray on to its list. All lanes call together.
    template <class Ctx>
    WARPATH_HD void pass_on(Ctx& ctx, uint32_t slot, StageId next, bool active) const {
        trace_list().push(ctx, trace_entry(slot, next), active && is_ray_stage(next));
        free_list().push(ctx, slot, active && next == StageId::Generate);
    }
};

/// Starts paths in free slots, in order of path index, so that neighbours in the list start close together.
template <class Stages>
struct GenerateStep {
    Stages stages;
    BouncePool pool;

    template <class Ctx>
    WARPATH_HD void operator()(Ctx& ctx) const {
        const uint64_t starts = pool.num_starts(stages.num_paths());
        const uint64_t old_free = pool.control[free_count], from_list = starts < old_free ? starts : old_free;
        const uint64_t first_path = pool.control[next_path], first_fresh = pool.control[used_slots], first_entry = pool.control[trace_count];
        const auto start_path = [&](Ctx& c, uint64_t item, bool active) {
            if (active) {
                const uint64_t slot = item < from_list ? pool.free[old_free - from_list + item] : first_fresh + (item - from_list);
                const StageId next = stages.generate(c, static_cast<uint32_t>(slot), first_path + item);
                pool.trace[first_entry + item] = trace_entry(static_cast<uint32_t>(slot), next);
            }
            c.count_batch(StageId::Generate, active);
        };
        drain(ctx, GroupStride::for_group(ctx, pool.batch), starts, start_path);
        if (!last_block_out(ctx, pool.control + step_ticket) || ctx.lane() != 0) return;
        pool.control[free_count] = old_free - from_list;
        pool.control[used_slots] = first_fresh + (starts - from_list);
        pool.control[next_path] = first_path + starts;
        pool.control[trace_count] = first_entry + starts;
    }
};

/// Traces everything in the trace list. Groups have a batch of it each and grab others from a counter, and lanes that are done take new rays.
template <class Stages>
struct TraceStep {
    Stages stages;
    BouncePool pool;

    template <class Ctx>
    WARPATH_HD void operator()(Ctx& ctx) const {
        const uint64_t num_items = pool.num_items(trace_count);
        typename Stages::CursorStack stack;
        LaneTracer<typename Stages::Cursor> tracer(stages.trace_cursor(stack));
        OwnThenShared source{pool.control + trace_head, pool.batch};
        WorkRange range;
        // Rays that leave the camera stay together: a lane that waits for its neighbours costs less than one that goes another way.
        const uint32_t refill_below = pool.control[num_bounces] == 0 ? 1 : pool.refill_below;
        bool more = num_items > 0;
        while (more || tracer.num_held(ctx) > 0) {
            tracer.run(ctx, more ? refill_below : 1);
            const StageId next = tracer.finish(ctx);
            pool.shade_list().push(ctx, tracer.slot(), next == StageId::Shade);
            pool.free_list().push(ctx, tracer.slot(), next == StageId::Generate);
            more = more && take(ctx, tracer, source, range, num_items);
            tracer.start();
        }
        if (!last_block_out(ctx, pool.control + step_ticket) || ctx.lane() != 0 || pool.control[narrow]) return;
        pool.control[trace_count] = 0;
        pool.control[trace_head] = 0;
    }

  private:
    /// Idle lanes take entries. False when there are none left to grab.
    template <class Ctx, class Tracer>
    WARPATH_HD bool take(Ctx& ctx, Tracer& tracer, OwnThenShared& source, WorkRange& range, uint64_t num_items) const {
        const uint32_t idle = ctx.ballot(tracer.idle());
        if (idle == 0) return true;
        if (range.empty()) range = source.grab(ctx, num_items);
        if (range.empty()) return false;
        const uint64_t item = range.begin + rank_of_lane(idle, ctx.lane());
        if (tracer.idle() && item < range.end) {
            const uint32_t entry = pool.trace[item];
            tracer.take(slot_of_entry(entry), stage_of_entry(entry));
        }
        range.begin += count_lanes(idle);
        return true;
    }
};

/// Shades everything in the shade list, and closes the bounce.
template <class Stages>
struct ShadeStep {
    Stages stages;
    BouncePool pool;

    template <class Ctx>
    WARPATH_HD void operator()(Ctx& ctx) const {
        const uint64_t num_items = pool.num_items(shade_count);
        const auto shade = [&](Ctx& c, uint64_t item, bool active) {
            const uint32_t slot = active ? pool.shade[item] : 0u;
            const StageId next = active ? stages.template run<StageId::Shade>(c, slot) : StageId::Shade;
            c.count_batch(StageId::Shade, active);
            pool.pass_on(c, slot, next, active);
        };
        drain_together(ctx, pool.batch, num_items, shade);
        const bool last = last_block_out(ctx, pool.control + step_ticket);
        if (!last || pool.control[narrow]) return;
        const StopLevel stop = ctx.stop_level();
        if (ctx.lane() == 0) close(ctx, stop);
    }

  private:
    template <class Ctx>
    WARPATH_HD void close(Ctx& ctx, StopLevel stop) const {
        if (ctx.has_timeline()) record_depths(ctx);
        pool.control[shade_count] = 0;
        if (stop != StopLevel::Run) pool.control[no_new_paths] = 1;
        if (stop == StopLevel::Abort) pool.control[aborted] = 1;
        pool.control[num_bounces] += 1;
        ctx.template store<Scope::System>(pool.mailbox + paths_started, pool.control[next_path]);
        ctx.template store<Scope::System>(pool.mailbox + bounces_done, pool.control[num_bounces]);
        const bool done = pool.finished(stages.num_paths());  // of all passes
        if (pool.control[trace_count] < pool.least_wide) narrow_down(ctx);
        if (!done) return;
        pool.control[pool_finished] = 1;
        ctx.template store<Scope::System>(pool.mailbox + all_done, uint64_t{1});
    }
    /// Whoever finishes the paths makes the pool wide again.
    template <class Ctx>
    WARPATH_HD void narrow_down(Ctx& ctx) const {
        pool.control[narrow] = 1;
        pool.control[num_narrow] += 1;
        ctx.template store<Scope::System>(pool.mailbox + passes_narrow, pool.control[num_narrow]);
    }
    /// For the timeline: what this bounce shaded, and what it leaves for the next one.
    template <class Ctx>
    WARPATH_HD void record_depths(Ctx& ctx) const {
        ctx.record_depth(QueueId::Trace, static_cast<uint32_t>(pool.control[trace_count]));
        ctx.record_depth(QueueId::Shade, static_cast<uint32_t>(pool.control[shade_count]));
        ctx.record_depth(QueueId::Free, static_cast<uint32_t>(pool.control[free_count] + pool.num_slots - pool.control[used_slots]));
    }
};

/// What schedulers that work bounce by bounce have in common; each inherits it.
struct BounceSchedule {
    static SchedulePlan plan(const DeviceLimits& limits, const ScheduleOptions& options, uint64_t num_paths) {
        SchedulePlan plan = common_plan(limits, options);
        plan.num_slots = shared_pool_slots(limits, options, num_paths);
        plan.num_queue_words = BouncePool::num_queues * plan.num_slots;
        plan.num_control_words = num_bounce_words;
        return plan;
    }
    /// The report of a stall.
    static std::string describe_stall(const SchedulePlan& plan, const std::vector<uint64_t>& control) {
        const auto word = [&](BounceWord id) { return std::to_string(control[id]); };
        return word(num_bounces) + " bounces done, " + word(next_path) + " paths started; of " + std::to_string(plan.num_slots) + " slots, " +
               word(trace_count) + " wait for a ray (" + word(trace_head) + " handed out), " + word(shade_count) + " for shading, and " +
               word(free_count) + " are free again; " + word(step_ticket) + " blocks are through with the step";
    }
};

/// Enqueues the steps of a bounce, each with a full grid.
template <class Backend, class Stages>
void enqueue_bounce(Backend& backend, const Stages& stages, const BouncePool& pool, bool generates) {
    if (generates) backend.launch("generate", GenerateStep<Stages>{stages, pool});
    backend.launch("trace", TraceStep<Stages>{stages, pool});
    backend.launch("shade", ShadeStep<Stages>{stages, pool});
}

}  // namespace warpath
