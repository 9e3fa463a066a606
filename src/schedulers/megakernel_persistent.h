#pragma once

#include <string>
#include <vector>

#include "schedulers/parts/lane_paths.h"

/// `megakernel-persistent`: everything fused, one path per lane; resident groups grab batches of paths from a counter, and lanes whose path is over take
/// new ones while the others go on.
namespace warpath {

template <class Stages>
struct MegakernelPersistentKernel {
    Stages stages;
    uint64_t* next_path;
    uint32_t batch, refill_below;

    template <class Ctx>
    WARPATH_HD void operator()(Ctx& ctx) const {
        CounterPaths paths{{{next_path, batch}, stages.num_paths()}};
        run_lane_paths(ctx, stages, paths, refill_below);
    }
};

struct MegakernelPersistentScheduler {
    static constexpr const char* name = "megakernel-persistent";
    static constexpr const char* summary = "one path per lane; resident groups grab paths from a counter and refill lanes";

    template <class Stages>
    using Kernel = MegakernelPersistentKernel<Stages>;

    static SchedulePlan plan(const DeviceLimits& limits, const ScheduleOptions& options, uint64_t num_paths) {
        SchedulePlan plan = common_plan(limits, options);
        const uint64_t useful = (num_paths + plan.batch - 1) / plan.batch, most = limits.max_slots / limits.group_size;
        if (options.num_slots) plan.num_groups = smaller(plan.num_groups, (options.num_slots + limits.group_size - 1) / limits.group_size);
        plan.num_groups = smaller(plan.num_groups, smaller(useful, most > 0 ? most : 1));
        plan.num_slots = plan.num_groups * limits.group_size;
        plan.num_control_words = 1;
        return plan;
    }

    static std::string describe_stall(const SchedulePlan&, const std::vector<uint64_t>& control) {
        return std::to_string(control[0]) + " paths handed out";
    }

    template <class Backend, class Stages>
    static ScheduleOutcome run(Backend& backend, const Stages& stages, const SchedulePlan& plan, const ScheduleBuffers& buffers) {
        backend.launch(name, Kernel<Stages>{stages, buffers.control, plan.batch, plan.refill_below}, plan.num_groups);
        return {backend.num_launches(), backend.wait(buffers.control) == StopLevel::Abort};
    }

  private:
    static uint32_t smaller(uint64_t a, uint64_t b) { return static_cast<uint32_t>(a < b ? a : b); }
};

}  // namespace warpath
