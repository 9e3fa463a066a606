#pragma once

#include "schedulers/parts/bounce_steps.h"

/// `device-launch`: dynamic parallelism. One small kernel per bounce looks at the sizes and launches the steps of the next bounce, each with the
/// blocks that its items need, and itself again, as tail launches: they run in order once it has ended. The host launches once per frame.
namespace warpath {

template <class Stages>
struct LaunchNextBounce {
    static constexpr bool launches = true;  ///< needs a context with tail_launch
    Stages stages;
    BouncePool pool;
    uint32_t most_generate, most_trace, most_shade;  ///< groups that fill the device: more would only start and leave

    template <class Ctx>
    WARPATH_HD void operator()(Ctx& ctx) const {
        if (ctx.group() != 0 || ctx.lane() != 0 || pool.finished(stages.num_paths())) return;
        const uint64_t starts = pool.num_starts(stages.num_paths()), num_rays = pool.control[trace_count] + starts;
        if (starts > 0) ctx.tail_launch(GenerateStep<Stages>{stages, pool}, groups_for(starts, most_generate));
        ctx.tail_launch(TraceStep<Stages>{stages, pool}, groups_for(num_rays, most_trace));
        ctx.tail_launch(ShadeStep<Stages>{stages, pool}, groups_for(num_rays, most_shade));
        ctx.tail_launch(*this, 1);
    }
    WARPATH_HD uint64_t groups_for(uint64_t num_items, uint32_t most) const {
        const uint64_t groups = (num_items + pool.batch - 1) / pool.batch;
        return groups < most ? groups : most;
    }
};

struct DeviceLaunchScheduler : BounceSchedule {
    static constexpr const char* name = "device-launch";
    static constexpr const char* summary = "kernels launch the next bounce from the device (tail launch)";
    static constexpr const char* cuda_only = "launching from the device is a feature of CUDA devices; on the CPU, launch does the same steps";

    template <class Backend, class Stages>
    static ScheduleOutcome run(Backend& backend, const Stages& stages, const SchedulePlan& plan, const ScheduleBuffers& buffers) {
        const LaunchNextBounce<Stages> next{stages, BouncePool(buffers, plan), backend.template resident_groups<GenerateStep<Stages>>(0, 0),
                                            backend.template resident_groups<TraceStep<Stages>>(0, 0),
                                            backend.template resident_groups<ShadeStep<Stages>>(0, 0)};
        backend.launch_from_device(name, next);
        return {backend.num_launches(), backend.wait(buffers.mailbox + paths_started) == StopLevel::Abort};
    }
};

}  // namespace warpath
