#pragma once

#include "schedulers/parts/bounce_steps.h"
#include "schedulers/parts/lane_paths.h"

/// `hybrid`: kernels of full width as long as rays fill the device; then one launch of resident groups finishes every path, a path per lane. So the
/// long tail of bounces costs no launches and no lists, and nothing waits for anything but its own ray. Needs a slot per path; more paths than
/// slots go in passes.
/// Source:  the device is full as long as every lane of the finishing kernel has a path; with fewer, a bounce takes as long as its longest ray, and
///          bounces that wait for each other add these up (docs/measurements/2026-11-30-h200-schedulers.md).
namespace warpath {

/// Finishes every path of the trace list and empties the pool for the next pass.
template <class Stages>
struct FinishPathsKernel {
    Stages stages;
    BouncePool pool;

    template <class Ctx>
    WARPATH_HD void operator()(Ctx& ctx) const {
        const uint64_t num_paths = pool.control[aborted] ? 0 : pool.control[trace_count], share = num_paths / ctx.num_groups() + 1;
        const uint32_t batch = share < pool.batch ? static_cast<uint32_t>(share) : pool.batch;  // few paths are spread over all groups
        ListedPaths paths{{{pool.control + trace_head, batch}, num_paths}, pool.trace};
        run_lane_paths(ctx, stages, paths, pool.refill_below);
        if (!last_block_out(ctx, pool.control + step_ticket) || ctx.lane() != 0) return;
        pool.control[trace_count] = pool.control[trace_head] = pool.control[free_count] = pool.control[used_slots] = pool.control[narrow] = 0;
        ctx.template store<Scope::System>(pool.mailbox + paths_started, pool.control[next_path]);
    }
};

struct HybridScheduler : BounceSchedule {
    static constexpr const char* name = "hybrid";
    static constexpr const char* summary = "kernels of full width while rays fill the device, then one launch finishes every path";
    static constexpr uint32_t bounces_ahead = 2;

    template <class Stages>
    using Kernel = FinishPathsKernel<Stages>;

    static SchedulePlan plan(const DeviceLimits& limits, const ScheduleOptions& options, uint64_t num_paths) {
        SchedulePlan plan = BounceSchedule::plan(limits, options, num_paths);
        plan.least_wide = uint64_t{plan.num_groups} * limits.group_size;
        return plan;
    }
    template <class Backend, class Stages>
    static ScheduleOutcome run(Backend& backend, const Stages& stages, const SchedulePlan& plan, const ScheduleBuffers& buffers) {
        const BouncePool pool(buffers, plan);
        for (uint64_t pass = 0; pass * plan.num_slots < stages.num_paths(); ++pass) {
            enqueue_wide_bounces(backend, stages, pool, pass);
            backend.launch("finish", FinishPathsKernel<Stages>{stages, pool}, plan.num_groups);
            const StopLevel stop = backend.poll(pass);
            if (stop == StopLevel::Abort) return {backend.num_launches(), true};
            if (stop == StopLevel::NoNewPaths) break;
        }
        return {backend.num_launches(), backend.wait(buffers.mailbox + paths_started) == StopLevel::Abort};
    }

  private:
    /// Ends when a bounce says that it left few rays, or after an abort; each bounce shortens every path in flight.
    template <class Backend, class Stages>
    static void enqueue_wide_bounces(Backend& backend, const Stages& stages, const BouncePool& pool, uint64_t pass) {
        const auto goes_on = [&] { return backend.mail(passes_narrow) <= pass && !backend.mail(all_done); };
        const uint64_t done_before = pass == 0 ? 0 : backend.mail(bounces_done);
        for (uint64_t bounce = 0; bounce == 0 || goes_on(); ++bounce) {
            enqueue_bounce(backend, stages, pool, bounce == 0);
            while (goes_on() && backend.mail(bounces_done) + bounces_ahead <= done_before + bounce)
                if (backend.poll(backend.mail(bounces_done)) == StopLevel::Abort) return;
        }
    }
};

}  // namespace warpath
