#pragma once

#include <string>
#include <vector>

#include "schedulers/parts/block_worker.h"

/// `persistent`: one launch per frame. Every resident block is a wavefront of its own: it owns a pool of slots, keeps the rings of slot numbers in
/// its shared memory, and touches the global counter only to start paths. No barrier between bounces, and no block ever waits for another.
namespace warpath {

/// Control words of `persistent`: this one, then what report_rings writes.
enum PersistentControl : uint32_t { persistent_next_path, num_persistent_words };

/// What is left for the host's report of a stall: the rings' heads and tails by pool, and by group the path after its last grab's first.
struct RingReport {
    uint64_t* words;
    uint32_t num_pools;
    static constexpr uint32_t num_ring_ends = StageRings<Scope::Block, uint32_t>::num_end_words;

    static uint32_t num_words(uint32_t num_pools, uint32_t num_groups) { return num_pools * num_ring_ends + num_groups; }
    WARPATH_HD uint64_t* last_grab(uint32_t group) const { return words + num_pools * num_ring_ends + group; }
    /// Every group of the pool may call; the last one's view stays.
    template <class Ctx>
    WARPATH_HD void write(Ctx& ctx, uint32_t pool, const uint32_t* ends) const {
        for (uint32_t i = ctx.lane(); i < num_ring_ends; i += ctx.group_size())
            ctx.template store<Scope::Device>(words + pool * num_ring_ends + i, uint64_t{ctx.template peek<Scope::Device>(ends + i)});
    }
};

/// The report of a stall: the pools with slots under way, and how far each warp's grabs went.
inline std::string describe_rings(const SchedulePlan& plan, const std::vector<uint64_t>& control, uint32_t num_pools) {
    static constexpr const char* names[num_rings] = {"trace", "shade hits", "shade misses", "free"};
    static constexpr uint32_t most_listed = 8;
    const uint64_t* ends = control.data() + num_persistent_words;
    const uint64_t* last_grabs = ends + num_pools * RingReport::num_ring_ends;
    const uint32_t groups_per_pool = plan.num_groups / num_pools;
    std::string text = std::to_string(control[persistent_next_path]) + " paths handed out";
    uint32_t num_listed = 0;
    for (uint32_t pool = 0; pool < num_pools && num_listed < most_listed; ++pool) {
        const uint64_t* own = ends + pool * RingReport::num_ring_ends;
        const uint32_t num_free = static_cast<uint32_t>(own[3 * free_ring + 1] - own[3 * free_ring]);
        if (num_free == plan.num_slots / num_pools) continue;
        ++num_listed;
        text += "; pool " + std::to_string(pool) + ":";
        for (uint32_t ring = 0; ring < num_rings; ++ring)
            text += std::string(" ") + names[ring] + " head " + std::to_string(own[3 * ring]) + " tail " + std::to_string(own[3 * ring + 1]);
        text += ", last grabs by warp";
        for (uint32_t group = pool * groups_per_pool; group < (pool + 1) * groups_per_pool && group < pool * groups_per_pool + most_listed; ++group)
            text.append(" ").append(last_grabs[group] ? std::to_string(last_grabs[group] - 1) : "none");
    }
    return text;
}

template <class Stages>
struct PersistentKernel {
    using Rings = StageRings<Scope::Block, uint32_t>;
    Stages stages;
    uint64_t* next_path;
    RingReport report;
    uint32_t slots_per_block, refill_below;

    template <class Ctx>
    WARPATH_HD void operator()(Ctx& ctx) const {
        typename Stages::CursorStack stack;
        LaneTracer<typename Stages::Cursor> tracer(stages.trace_cursor(stack));
        const BlockPool<Rings> pool(ctx.block_storage(), ctx.block() * slots_per_block, slots_per_block);
        pool.begin(ctx);
        BlockWorker<Ctx, Stages, Rings> worker(ctx, stages, pool, 0, next_path, refill_below, report.last_grab(ctx.group()), tracer, stack);
        if (!worker.run([](Ctx&) {})) report.write(ctx, ctx.block(), pool.rings.ends());
    }
};

struct PersistentScheduler {
    static constexpr const char* name = "persistent";
    static constexpr const char* summary = "one launch per frame; every resident block is a wavefront of its own";

    template <class Stages>
    using Kernel = PersistentKernel<Stages>;
    using Rings = PersistentKernel<void*>::Rings;

    /// Block storage that occupancy is asked for with, before the number of blocks is known.
    static uint32_t storage_words(const DeviceLimits& limits) {
        return BlockPool<Rings>::storage_words(slots_per_block(limits, 0, 0xffffffffu));
    }
    static SchedulePlan plan(const DeviceLimits& limits, const ScheduleOptions& options, uint64_t num_paths) {
        SchedulePlan plan = common_plan(limits, options);
        // Taking rays from shared rings costs more than from a list: it pays only when more lanes are idle.
        if (!options.refill_below) plan.refill_below = (plan.refill_below + 1) / 2;
        const uint64_t useful_blocks = (num_paths + plan.batch - 1) / plan.batch;
        uint32_t blocks = limits.max_resident_groups / limits.groups_per_block;
        if (blocks > useful_blocks) blocks = static_cast<uint32_t>(useful_blocks);
        if (blocks < 1) blocks = 1;
        const uint32_t share = share_of_paths(num_paths, blocks, limits.group_size);
        const uint32_t most = limits.max_slots / blocks < share ? limits.max_slots / blocks : share;
        const uint32_t asked = options.num_slots ? (options.num_slots + blocks - 1) / blocks : 0;
        const uint32_t per_block = slots_per_block(limits, asked, most < 1 ? 1 : most);
        plan.num_groups = blocks * limits.groups_per_block;
        plan.num_slots = per_block * blocks;
        plan.block_storage_words = BlockPool<Rings>::storage_words(per_block);
        plan.num_control_words = num_persistent_words + RingReport::num_words(blocks, plan.num_groups);
        return plan;
    }

    static std::string describe_stall(const SchedulePlan& plan, const std::vector<uint64_t>& control) {
        return describe_rings(plan, control, plan.num_groups / plan.groups_per_block);
    }

    template <class Backend, class Stages>
    static ScheduleOutcome run(Backend& backend, const Stages& stages, const SchedulePlan& plan, const ScheduleBuffers& buffers) {
        const uint32_t blocks = plan.num_groups / plan.groups_per_block;
        const PersistentKernel<Stages> kernel{stages, buffers.control + persistent_next_path, {buffers.control + num_persistent_words, blocks},
                                              plan.num_slots / blocks, plan.refill_below};
        backend.launch(name, kernel, plan.num_groups, plan.block_storage_words);
        return {backend.num_launches(), backend.wait(buffers.control + persistent_next_path) == StopLevel::Abort};
    }

  private:
    /// No more than an even share of the paths, so that the first blocks do not take them all.
    static uint32_t share_of_paths(uint64_t num_paths, uint32_t blocks, uint32_t group_size) {
        const uint64_t share = (num_paths + blocks - 1) / blocks, rounded = (share + group_size - 1) / group_size * group_size;
        return static_cast<uint32_t>(rounded < 0x7fffffff ? rounded : 0x7fffffff);
    }
    /// A block with fewer slots than lanes and part batches of every ring would always run part batches.
    static uint32_t slots_per_block(const DeviceLimits& limits, uint32_t asked, uint32_t most) {
        const uint32_t lanes = limits.groups_per_block * limits.group_size;
        const uint32_t full_batches = lanes + num_rings * (limits.group_size - 1), usual = limits.groups_per_block * limits.slots_per_group;
        uint32_t slots = asked ? asked : usual > full_batches ? usual : full_batches;
        if (slots > most) slots = most;
        const uint32_t most_in_rings = Rings::max_slots(limits.groups_per_block);
        return slots < most_in_rings ? slots : most_in_rings;
    }
};

}  // namespace warpath
