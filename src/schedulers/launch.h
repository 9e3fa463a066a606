#pragma once

#include "schedulers/parts/bounce_steps.h"

/// `launch`: one kernel per step and bounce, each with the blocks that its items need, for which the host reads sizes back once a bounce.
/// Slots of finished paths start new ones at the next bounce, so that the pool stays full until the paths run out.
namespace warpath {

struct LaunchScheduler : BounceSchedule {
    static constexpr const char* name = "launch";
    static constexpr const char* summary = "one kernel per step and bounce, sizes read back by the host";

    /// Ends when no path is left to start and no ray waits; the depth limit bounds every path.
    template <class Backend, class Stages>
    static ScheduleOutcome run(Backend& backend, const Stages& stages, const SchedulePlan& plan, const ScheduleBuffers& buffers) {
        const BouncePool pool(buffers, plan);
        uint64_t words[num_bounce_words] = {};
        uint64_t num_rays = 0, num_started = 0, num_starts = plan.num_slots;
        while (num_rays + num_starts > 0) {
            if (backend.poll(num_started) == StopLevel::Abort) return {backend.num_launches(), true};
            if (num_starts > 0) backend.launch("generate", GenerateStep<Stages>{stages, pool}, groups_for(plan, num_starts));
            backend.launch("trace", TraceStep<Stages>{stages, pool}, groups_for(plan, num_rays + num_starts));
            backend.launch("shade", ShadeStep<Stages>{stages, pool}, groups_for(plan, num_rays + num_starts));
            backend.read(buffers.control, words, num_bounce_words);
            num_rays = words[trace_count];
            num_started = words[next_path];
            const uint64_t num_free = words[free_count] + plan.num_slots - words[used_slots], left = stages.num_paths() - num_started;
            num_starts = words[no_new_paths] ? 0 : num_free < left ? num_free : left;
        }
        return {backend.num_launches(), words[aborted] != 0};
    }

  private:
    /// As many groups as the items fill; 0, which stands for a grid that fills the device, where that is fewer: groups that take many batches
    /// each start once, and can give lanes new rays.
    static uint32_t groups_for(const SchedulePlan& plan, uint64_t num_items) {
        const uint64_t groups = (num_items + plan.batch - 1) / plan.batch;
        return groups > plan.num_groups ? 0 : static_cast<uint32_t>(groups);
    }
};

}  // namespace warpath
