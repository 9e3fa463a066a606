#pragma once

#include "schedulers/parts/grab.h"
#include "schedulers/parts/group_rings.h"
#include "schedulers/schedule.h"

/// `persistent`: one launch per frame. Resident groups grab batches of paths from one global counter, and each group is a wavefront of its
/// own: it holds a pool of slots with one ring per stage, runs the stage that fills its lanes, and starts new paths in the slots of
/// finished ones. No barrier between bounces, and no group ever waits for another, so nothing here can hang: a group leaves when the
/// counter is spent and its own slots are free, and the depth limit bounds every path.
/// Source: Aila and Laine, "Understanding the Efficiency of Ray Traversal on GPUs", HPG 2009 (persistent threads); Laine, Karras and
/// Aila, HPG 2013 (wavefront). Here the wavefront is as small as a warp.
namespace warpath {

/// Control words of `persistent`.
enum PersistentControl : uint32_t { next_path_word, waiting_words, num_persistent_words = waiting_words + num_stages };

template <class Stages>
struct PersistentKernel {
    Stages stages;
    uint64_t* control;           ///< PersistentControl
    uint32_t slots_per_group, batch, refill_below;

    template <class Ctx>
    WARPATH_HD void operator()(Ctx& ctx) const {
        GroupRings rings(ctx.group_storage(), slots_per_group);
        const uint32_t first_slot = ctx.group() * slots_per_group;
        for (uint32_t i = 0; i < slots_per_group; i += ctx.group_size())
            rings.push(ctx, StageId::Generate, first_slot + i + ctx.lane(), i + ctx.lane() < slots_per_group);
        ctx.sync_group();

        WorkRange paths;
        bool more_paths = true;
        for (uint32_t batch_index = 0;; ++batch_index) {
            if (batch_index % batches_between_polls == 0 && ctx.stop_level() == StopLevel::Abort) return report_waiting(ctx, rings);
            if (more_paths && paths.empty() && rings.size(StageId::Generate) > 0) {
                more_paths = ctx.stop_level() == StopLevel::Run;
                if (more_paths) paths = SharedCounter{control + next_path_word, batch}.grab(ctx, stages.num_paths());
                more_paths = !paths.empty();
            }
            const StageId stage = pick(rings, ctx.group_size(), more_paths);
            const uint32_t waiting = stage == StageId::Generate && !more_paths ? 0 : rings.size(stage);
            if (waiting == 0) return;
            if (stage == StageId::Intersect && ctx.group_size() > 1)
                trace(ctx, rings);
            else
                run_batch(ctx, rings, stage, waiting < ctx.group_size() ? waiting : ctx.group_size(), paths);
        }
    }

  private:
    static constexpr uint32_t batches_between_polls = 64;

    /// The first stage whose ring fills all lanes, else the fullest ring. With 4 * group_size slots or more, some ring of the four always fills
    /// the lanes while paths are left (pigeonhole), so partial batches are run only in the drain. Intersect comes last, so that as many rays
    /// as possible wait for it: it refills its lanes from them.
    WARPATH_HD static StageId pick(const GroupRings& rings, uint32_t group_size, bool more_paths) {
        StageId fullest = StageId::Intersect;
        for (StageId stage : {StageId::Occlude, StageId::Shade, StageId::Generate, StageId::Intersect}) {
            if (stage == StageId::Generate && !more_paths) continue;
            if (rings.size(stage) >= group_size) return stage;
            if (rings.size(stage) > rings.size(fullest)) fullest = stage;
        }
        return fullest;
    }

    template <class Ctx>
    WARPATH_HD void run_batch(Ctx& ctx, GroupRings& rings, StageId stage, uint32_t n, WorkRange& paths) const {
        if (stage == StageId::Generate && paths.size() < n) n = static_cast<uint32_t>(paths.size());
        const bool active = ctx.lane() < n;
        const uint32_t slot = rings.pop(stage, n, ctx.lane());
        StageId next = stage;
        if (active) switch (stage) {
            case StageId::Generate: next = stages.generate(ctx, slot, paths.begin + ctx.lane()); break;
            case StageId::Intersect: next = stages.template run<StageId::Intersect>(ctx, slot); break;
            case StageId::Shade: next = stages.template run<StageId::Shade>(ctx, slot); break;
            case StageId::Occlude: next = stages.template run<StageId::Occlude>(ctx, slot); break;
        }
        if (stage == StageId::Generate) paths.begin += n;
        ctx.count_batch(stage, active);
        ctx.sync_group();  // every lane has read its entry before pushes may reuse the place
        for (StageId target : {StageId::Generate, StageId::Intersect, StageId::Shade, StageId::Occlude})
            rings.push(ctx, target, slot, active && next == target);
        ctx.sync_group();
    }

    /// Runs Intersect on everything that waits for it. When fewer than refill_below lanes have a ray under way, those that are done hand their
    /// slot on and take the next one (Aila and Laine 2009; the threshold after Ylitie, Karras and Laine, HPG 2017). Ends when the ring is
    /// empty and every ray is done: each round steps every live ray, and rays are finite.
    template <class Ctx>
    WARPATH_HD void trace(Ctx& ctx, GroupRings& rings) const {
        auto cursor = stages.intersect_cursor();
        uint32_t slot = 0;
        bool held = false, live = false;
        while (true) {
            if (count_lanes(ctx.ballot(live)) < refill_below) {
                const bool finished = held && !live;
                const StageId next = finished ? cursor.finish(ctx) : StageId::Intersect;
                rings.push(ctx, next_after_trace, slot, finished && next == next_after_trace);
                held = held && !finished;
                ctx.sync_group();

                const uint32_t idle = ctx.ballot(!held);
                const uint32_t waiting = rings.size(StageId::Intersect), num_idle = count_lanes(idle);
                const uint32_t n = waiting < num_idle ? waiting : num_idle;
                const uint32_t rank = held ? n : rank_of_lane(idle, ctx.lane());
                const uint32_t taken = rings.pop(StageId::Intersect, n, rank);
                if (rank < n) {
                    slot = taken;
                    held = true;
                    cursor.begin(slot);
                    live = !cursor.done();
                }
                if (n > 0) ctx.count_batch(StageId::Intersect, rank < n);
                if (ctx.ballot(held) == 0) return;
            }
            if (live) {
                cursor.step();
                live = !cursor.done();
            }
        }
    }
    /// Every ray goes there, hit or miss (render/stages/intersect.h); a slot with another answer would be lost, as the protocol tests notice.
    static constexpr StageId next_after_trace = StageId::Shade;

    /// After an abort: how many slots waited for each stage, for the host's report.
    template <class Ctx>
    WARPATH_HD void report_waiting(Ctx& ctx, const GroupRings& rings) const {
        if (ctx.lane() != 0) return;
        for (int i = 0; i < num_stages; ++i)
            ctx.add(control + waiting_words + i, static_cast<uint64_t>(rings.size(static_cast<StageId>(i))));
    }
};

struct PersistentScheduler {
    static constexpr const char* name = "persistent";
    static constexpr const char* summary = "one launch per frame; resident groups grab batches of paths from a global counter";

    template <class Stages>
    using Kernel = PersistentKernel<Stages>;

    /// Group storage that occupancy is asked for with, before the number of groups is known.
    static uint32_t storage_words(const DeviceLimits& limits, const ScheduleOptions&) {
        return GroupRings::storage_words(limits.slots_per_group);
    }

    static SchedulePlan plan(const DeviceLimits& limits, const ScheduleOptions& options, uint64_t num_paths) {
        SchedulePlan plan;
        plan.batch = options.batch ? options.batch : limits.batch;
        const uint64_t useful_groups = (num_paths + plan.batch - 1) / plan.batch;
        plan.num_groups = static_cast<uint32_t>(
            useful_groups < limits.max_resident_groups ? useful_groups : limits.max_resident_groups);
        uint32_t per_group = limits.slots_per_group;
        if (options.num_slots) per_group = (options.num_slots + plan.num_groups - 1) / plan.num_groups;
        const uint32_t most = limits.max_slots / plan.num_groups;
        per_group = per_group < most ? per_group : most;
        if (per_group > max_slots_per_group) per_group = max_slots_per_group;
        plan.num_slots = per_group * plan.num_groups;
        plan.refill_below = limits.refill_below;
        plan.group_storage_words = GroupRings::storage_words(per_group);
        plan.num_control_words = num_persistent_words;
        return plan;
    }

    template <class Backend, class Stages>
    static ScheduleOutcome run(Backend& backend, const Stages& stages, const SchedulePlan& plan, const ScheduleBuffers& buffers) {
        const PersistentKernel<Stages> kernel{stages, buffers.control, plan.num_slots / plan.num_groups, plan.batch, plan.refill_below};
        const StopLevel stop = backend.run_resident("persistent", plan.num_groups, plan.group_storage_words, kernel,
                                                    buffers.control + next_path_word);
        return {backend.num_launches(), stop == StopLevel::Abort};
    }

    /// Rings live in group storage (shared memory on CUDA), so a group's pool is bounded.
    static constexpr uint32_t max_slots_per_group = 512;
};

}  // namespace warpath
