#pragma once

#include "schedulers/parts/ring_worker.h"
#include "schedulers/persistent.h"

/// `persistent-global`: as `persistent`, but all groups share one pool, whose rings lie in device memory; any group serves any slot.
namespace warpath {

template <class Stages>
struct PersistentGlobalKernel {
    using Rings = StageRings<Scope::Device, uint32_t>;
    Stages stages;
    uint32_t* queues;
    uint64_t* next_path;
    RingReport report;
    uint32_t num_slots, batch, refill_below;

    template <class Ctx>
    WARPATH_HD void operator()(Ctx& ctx) const {
        const Rings rings(queues, num_slots);
        typename Stages::CursorStack stack;
        RingWorker<Ctx, Stages, Rings> worker(ctx, stages, rings, 0, ctx.num_groups(), {next_path, batch}, refill_below,
                                              report.last_grab(ctx.group()), stack);
        if (!worker.run()) report.write(ctx, 0, rings.ends());
    }
};

/// Makes all slots free, before the frame.
struct FillRings {
    uint32_t* queues;
    uint32_t num_slots;
    template <class Ctx>
    WARPATH_HD void operator()(Ctx& ctx) const {
        PersistentGlobalKernel<void*>::Rings(queues, num_slots)
            .fill(ctx.group() * ctx.group_size() + ctx.lane(), ctx.num_groups() * ctx.group_size());
    }
};

struct PersistentGlobalScheduler {
    static constexpr const char* name = "persistent-global";
    static constexpr const char* summary = "one launch per frame; rings in device memory that any resident group serves";

    template <class Stages>
    using Kernel = PersistentGlobalKernel<Stages>;
    using Rings = PersistentGlobalKernel<void*>::Rings;

    /// Twice the slots that lanes can hold, so that rings have something to give.
    static SchedulePlan plan(const DeviceLimits& limits, const ScheduleOptions& options, uint64_t num_paths) {
        SchedulePlan plan = common_plan(limits, options);
        DeviceLimits shared = limits;
        shared.slots_per_pool = 2 * plan.num_groups * limits.group_size;
        plan.num_slots = shared_pool_slots(shared, options, num_paths);
        const uint32_t most_in_rings = Rings::max_slots(plan.num_groups);
        if (plan.num_slots > most_in_rings) plan.num_slots = most_in_rings;
        plan.num_queue_words = Rings::storage_words(plan.num_slots);
        plan.num_control_words = num_persistent_words + RingReport::num_words(1, plan.num_groups);
        return plan;
    }

    static std::string describe_stall(const SchedulePlan& plan, const std::vector<uint64_t>& control) {
        return describe_rings(plan, control, 1);
    }

    template <class Backend, class Stages>
    static ScheduleOutcome run(Backend& backend, const Stages& stages, const SchedulePlan& plan, const ScheduleBuffers& buffers) {
        backend.launch("fill", FillRings{buffers.queues, plan.num_slots});
        const PersistentGlobalKernel<Stages> kernel{stages, buffers.queues, buffers.control + persistent_next_path,
                                                    {buffers.control + num_persistent_words, 1}, plan.num_slots, plan.batch, plan.refill_below};
        backend.launch(name, kernel, plan.num_groups);
        return {backend.num_launches(), backend.wait(buffers.control + persistent_next_path) == StopLevel::Abort};
    }
};

}  // namespace warpath
