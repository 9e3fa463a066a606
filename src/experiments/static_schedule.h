#pragma once

#include <string>
#include <vector>

#include "schedulers/parts/lane_paths.h"

namespace warpath::experiments {

/// The paths of a lane that nobody else can take: every group_size-th of its group's share.
struct SharePaths {
    uint64_t next, end;   ///< of this lane
    bool none_left;       ///< the same in all lanes

    template <class Ctx>
    WARPATH_HD static SharePaths for_group(Ctx& ctx, uint64_t num_paths) {
        const uint64_t group = ctx.group(), groups = ctx.num_groups();
        SharePaths paths{num_paths * group / groups + ctx.lane(), num_paths * (group + 1) / groups, false};
        paths.look(ctx);
        return paths;
    }
    WARPATH_HD bool spent() const { return none_left; }
    template <class Ctx>
    WARPATH_HD bool take(Ctx& ctx, bool want, LaneStart& start) {
        const bool got = want && next < end;
        start.path = next;
        start.slot = ctx.group() * ctx.group_size() + ctx.lane();
        if (got) next += ctx.group_size();
        look(ctx);
        return got;
    }

  private:
    template <class Ctx>
    WARPATH_HD void look(Ctx& ctx) {
        none_left = ctx.ballot(next < end) == 0;
    }
};

template <class Stages>
struct StaticKernel {
    Stages stages;
    uint64_t* done;   ///< groups that are through

    template <class Ctx>
    WARPATH_HD void operator()(Ctx& ctx) const {
        SharePaths paths = SharePaths::for_group(ctx, stages.num_paths());
        run_lane_paths(ctx, stages, paths, 1);
        if (ctx.lane() == 0) ctx.template add<Scope::Device>(done, uint64_t{1});
    }
};

/// `static`: what dynamic schedulers are compared with. As many groups as are resident together, each with an equal, contiguous share of the paths, which
/// its lanes run in strides, one path after the other: no queue, no counter, no balance. Only experiments have it.
struct StaticScheduler {
    static constexpr const char* name = "static";
    static constexpr const char* summary = "equal shares of the paths, without balance";

    template <class Stages>
    using Kernel = StaticKernel<Stages>;

    static SchedulePlan plan(const DeviceLimits& limits, const ScheduleOptions& options, uint64_t num_paths) {
        SchedulePlan plan = common_plan(limits, options);
        const uint64_t useful = (num_paths + limits.group_size - 1) / limits.group_size;
        if (plan.num_groups > useful) plan.num_groups = static_cast<uint32_t>(useful > 0 ? useful : 1);
        plan.num_slots = plan.num_groups * limits.group_size;
        plan.num_control_words = 1;
        return plan;
    }
    static std::string describe_stall(const SchedulePlan& plan, const std::vector<uint64_t>& control) {
        return std::to_string(control[0]) + " of " + std::to_string(plan.num_groups) + " groups are through";
    }
    template <class Backend, class Stages>
    static ScheduleOutcome run(Backend& backend, const Stages& stages, const SchedulePlan& plan, const ScheduleBuffers& buffers) {
        backend.launch(name, StaticKernel<Stages>{stages, buffers.control}, plan.num_groups);
        return {backend.num_launches(), backend.wait(buffers.control) == StopLevel::Abort};
    }
};

}  // namespace warpath::experiments
