#pragma once

#include "schedulers/parts/bounce_steps.h"

/// `launch-async`: the kernels of `launch`, without a readback: sizes stay on the device, every step gets a full grid, and the host keeps a few
/// bounces enqueued ahead of the one that runs. It learns from words that kernels write to its own memory how far they are.
namespace warpath {

struct LaunchAsyncScheduler : BounceSchedule {
    static constexpr const char* name = "launch-async";
    static constexpr const char* summary = "one kernel per step and bounce, enqueued ahead; sizes stay on the device";
    static constexpr uint32_t bounces_ahead = 4;

    /// Ends when a bounce reports that it was the last; each bounce shortens every path in flight.
    template <class Backend, class Stages>
    static ScheduleOutcome run(Backend& backend, const Stages& stages, const SchedulePlan& plan, const ScheduleBuffers& buffers) {
        const BouncePool pool(buffers, plan);
        const bool regenerates = plan.num_slots < stages.num_paths();
        for (uint64_t bounce = 0; !backend.mail(all_done); ++bounce) {
            enqueue_bounce(backend, stages, pool, bounce == 0 || regenerates);
            while (backend.mail(bounces_done) + bounces_ahead <= bounce && !backend.mail(all_done))
                if (backend.poll(backend.mail(bounces_done)) == StopLevel::Abort) return {backend.num_launches(), true};
        }
        return {backend.num_launches(), backend.wait(buffers.mailbox + paths_started) == StopLevel::Abort};
    }
};

}  // namespace warpath
