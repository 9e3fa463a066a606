#pragma once

#include "schedulers/parts/bounce_steps.h"
#include "schedulers/parts/lane_paths.h"

/// `hybrid`: the first bounces as full-width kernels, where rays are many and coherent; then one launch of resident groups finishes every path, a
/// path per lane, so that the long tail of bounces costs no launches and no lists. Needs a slot per path; more paths than slots go in passes.
namespace warpath {

/// Paths under way, from the list of what waits for a ray.
struct ListedPaths {
    SharedCounter counter;
    const uint32_t* entries;
    uint64_t num_entries;
    WorkRange range = {};
    bool none_left = false;

    WARPATH_HD bool spent() const { return none_left; }
    template <class Ctx>
    WARPATH_HD bool take(Ctx& ctx, bool want, LaneStart& start) {
        const uint32_t votes = ctx.ballot(want);
        if (votes == 0) return false;
        if (range.empty()) {
            range = counter.grab(ctx, num_entries);
            none_left = range.empty();
        }
        const uint64_t item = range.begin + rank_of_lane(votes, ctx.lane());
        const bool got = want && item < range.end;
        if (got) start = {slot_of_entry(entries[item]), stage_of_entry(entries[item]), 0};
        range.begin += count_lanes(votes);
        return got;
    }
};

/// Finishes every path of the trace list and empties the pool for the next pass.
template <class Stages>
struct FinishPathsKernel {
    Stages stages;
    BouncePool pool;

    template <class Ctx>
    WARPATH_HD void operator()(Ctx& ctx) const {
        ListedPaths paths{{pool.control + trace_head, pool.batch}, pool.trace, pool.control[aborted] ? 0 : pool.control[trace_count]};
        run_lane_paths(ctx, stages, paths, pool.refill_below);
        if (!last_group_out(ctx, pool.control + step_ticket, ctx.num_groups()) || ctx.lane() != 0) return;
        pool.control[trace_count] = pool.control[trace_head] = pool.control[free_count] = pool.control[used_slots] = 0;
        ctx.template store<Scope::System>(pool.mailbox + paths_started, pool.control[next_path]);
    }
};

struct HybridScheduler : BounceSchedule {
    static constexpr const char* name = "hybrid";
    static constexpr const char* summary = "kernels for the first bounces, then one launch finishes every path";
    static constexpr uint32_t num_wide_bounces = 2;

    template <class Stages>
    using Kernel = FinishPathsKernel<Stages>;

    template <class Backend, class Stages>
    static ScheduleOutcome run(Backend& backend, const Stages& stages, const SchedulePlan& plan, const ScheduleBuffers& buffers) {
        const BouncePool pool(buffers, plan);
        for (uint64_t first = 0; first < stages.num_paths(); first += plan.num_slots) {
            for (uint32_t bounce = 0; bounce < num_wide_bounces; ++bounce) enqueue_bounce(backend, stages, pool, bounce == 0);
            backend.launch("finish", FinishPathsKernel<Stages>{stages, pool}, plan.num_groups);
            const StopLevel stop = backend.poll(first);
            if (stop == StopLevel::Abort) return {backend.num_launches(), true};
            if (stop == StopLevel::NoNewPaths) break;
        }
        return {backend.num_launches(), backend.wait(buffers.mailbox + paths_started) == StopLevel::Abort};
    }
};

}  // namespace warpath
