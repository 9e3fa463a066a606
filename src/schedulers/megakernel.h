#pragma once

#include <string>
#include <vector>

#include "schedulers/parts/lane_paths.h"

/// `megakernel`: everything fused, one thread per path, as many blocks as paths need; the hardware's block scheduler balances the load.
namespace warpath {

/// The paths of one launch: lane i of the grid has path first + i, and slot i.
struct GridPaths {
    uint64_t first, end;
    bool none_left = false;

    WARPATH_HD bool spent() const { return none_left; }
    template <class Ctx>
    WARPATH_HD bool take(Ctx& ctx, bool want, LaneStart& start) {
        none_left = true;
        start.slot = ctx.group() * ctx.group_size() + ctx.lane();
        start.path = first + start.slot;
        return want && start.path < end;
    }
};

template <class Stages>
struct MegakernelKernel {
    Stages stages;
    uint64_t first_path, end_path;
    uint64_t* started;   ///< grows while groups start

    template <class Ctx>
    WARPATH_HD void operator()(Ctx& ctx) const {
        if (ctx.stop_level() != StopLevel::Run) return;
        if (ctx.lane() == 0) ctx.template add<Scope::Device>(started, static_cast<uint64_t>(ctx.group_size()));
        GridPaths paths{first_path, end_path};
        run_lane_paths(ctx, stages, paths, 1);
    }
};

struct MegakernelScheduler {
    static constexpr const char* name = "megakernel";
    static constexpr const char* summary = "one thread per path, everything fused";

    static SchedulePlan plan(const DeviceLimits& limits, const ScheduleOptions& options, uint64_t num_paths) {
        SchedulePlan plan = common_plan(limits, options);
        plan.num_slots = shared_pool_slots(limits, options, num_paths);
        const uint32_t groups = (plan.num_slots + limits.group_size - 1) / limits.group_size;
        plan.num_slots = groups * limits.group_size;
        plan.num_groups = groups;
        plan.num_control_words = 1;
        return plan;
    }

    static std::string describe_stall(const SchedulePlan&, const std::vector<uint64_t>& control) {
        return std::to_string(control[0]) + " paths started";
    }

    /// As many launches as the pool is too small for, one after the other on the device.
    template <class Backend, class Stages>
    static ScheduleOutcome run(Backend& backend, const Stages& stages, const SchedulePlan& plan, const ScheduleBuffers& buffers) {
        for (uint64_t first = 0; first < stages.num_paths(); first += plan.num_slots) {
            const uint64_t left = stages.num_paths() - first, n = left < plan.num_slots ? left : plan.num_slots;
            const uint64_t lanes = plan.num_slots / plan.num_groups, groups = (n + lanes - 1) / lanes;
            backend.launch(name, MegakernelKernel<Stages>{stages, first, first + n, buffers.control}, static_cast<uint32_t>(groups));
            const StopLevel stop = backend.poll(first);
            if (stop == StopLevel::Abort) return {backend.num_launches(), true};
            if (stop == StopLevel::NoNewPaths) break;
        }
        return {backend.num_launches(), backend.wait(buffers.control) == StopLevel::Abort};
    }
};

}  // namespace warpath
