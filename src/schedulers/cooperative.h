#pragma once

#include "schedulers/parts/bounce_steps.h"

/// `cooperative`: one kernel for the frame, with a barrier over the whole grid between the steps. A grid barrier has no time limit of its own; the
/// host watches, and the launch fails where the grid would not be resident as a whole.
namespace warpath {

template <class Stages>
struct CooperativeKernel {
    Stages stages;
    BouncePool pool;

    /// Every group sees the same sizes after a barrier, so all leave after the same bounce.
    template <class Ctx>
    WARPATH_HD void operator()(Ctx& ctx) const {
        const bool regenerates = pool.num_slots < stages.num_paths();
        for (bool first = true; first || !pool.finished(stages.num_paths()); first = false) {
            if (first || regenerates) {
                ctx.sync_grid();
                GenerateStep<Stages>{stages, pool}(ctx);
            }
            ctx.sync_grid();
            TraceStep<Stages>{stages, pool}(ctx);
            ctx.sync_grid();
            ShadeStep<Stages>{stages, pool}(ctx);
            ctx.sync_grid();
        }
    }
};

struct CooperativeScheduler : BounceSchedule {
    static constexpr const char* name = "cooperative";
    static constexpr const char* summary = "one cooperative kernel, a barrier over the grid between steps";

    template <class Stages>
    using Kernel = CooperativeKernel<Stages>;

    template <class Backend, class Stages>
    static ScheduleOutcome run(Backend& backend, const Stages& stages, const SchedulePlan& plan, const ScheduleBuffers& buffers) {
        backend.launch_cooperative(name, CooperativeKernel<Stages>{stages, BouncePool(buffers, plan)}, plan.num_groups);
        return {backend.num_launches(), backend.wait(buffers.mailbox + paths_started) == StopLevel::Abort};
    }
};

}  // namespace warpath
