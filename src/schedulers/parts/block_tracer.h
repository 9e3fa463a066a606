#pragma once

#include "schedulers/parts/block_pool.h"
#include "schedulers/parts/lane_tracer.h"
#include "schedulers/parts/wait.h"

namespace warpath {

/// The trace phase of one group of a block (BlockWorker): keeps its lanes tracing until the block turns to shading.
/// Ends: a group short of rays turns the block to shading when no ray waits and at least half as many hits wait as rays are under way, or none is; rays
///       are finite, so that comes to pass. The others see the word within one step.
template <class Ctx, class Tracer, class Rings>
struct BlockTracer {
    Ctx& ctx;
    const BlockPool<Rings>& pool;
    Tracer& tracer;
    uint32_t share;  ///< rays that this group may hold
    uint32_t phase;  ///< counts from 1

    WARPATH_HD void run(uint32_t refill_below) {
        const uint32_t enough = refill_below < share ? refill_below : share;
        uint32_t threshold = enough;
        uint64_t idle_since = 0;
        tracer.start();
        while (true) {
            tracer.run(ctx, threshold, 1);
            const bool turn = pool.get(ctx, turn_to_shading) == phase;
            if (!turn && tracer.num_live(ctx) >= threshold) continue;
            hand_on();
            if (turn) break;
            take_rays();
            tracer.start();
            const uint32_t held = tracer.num_held(ctx);
            if (held > 0) end_idle(idle_since);
            threshold = held >= enough ? enough : 1;
            if (held >= enough) continue;
            if (turns_now()) {
                if (ctx.lane() == 0) pool.set(ctx, turn_to_shading, phase);
                break;
            }
            if (held > 0) continue;
            if (gives_up(idle_since)) break;
            ctx.pause(pause_ns);
        }
        end_idle(idle_since);
        tracer.start();  // extension rays whose shadow ray has just ended: nothing may wait inside a lane
    }

  private:
    static constexpr uint32_t pause_ns = 100;

    WARPATH_HD void end_idle(uint64_t& idle_since) {
        if (idle_since == 0) return;
        idle_since = 0;
        ctx.end_idle();
    }
    /// A group that has found no ray for the limit of a wait ends the phase for its block, which then sees that it is to abort.
    WARPATH_HD bool gives_up(uint64_t& idle_since) {
        const uint64_t now = ctx.clock_ns();
        if (idle_since == 0) {
            idle_since = now;
            ctx.begin_idle();
        }
        if (keeps_accounts && ctx.lane() == 0) ctx.count(Counter::EmptyPolls, 1);
        if (ctx.ballot(now - idle_since > ctx.wait_limit_ns()) == 0) return false;  // clocks of lanes may differ
        if (ctx.lane() == 0) {
            ctx.report_stall(wait_for_work);
            pool.set(ctx, turn_to_shading, phase);
        }
        return true;
    }

    WARPATH_HD bool turns_now() {
        if (pool.waiting(ctx, trace_ring) > 0) return false;
        const uint32_t hits = pool.hits_waiting(ctx), num_free = pool.num_free(ctx), rays = pool.num_slots() - num_free - hits;
        const bool can_start = pool.get(ctx, no_more_paths) == 0 && pool.get(ctx, of_round(stop_word, phase)) == 0;
        // Fewer free slots than a batch start nothing: turning for them again and again would leave the rays under way without a step.
        const uint32_t least_batch = ctx.group_size() < pool.num_slots() ? ctx.group_size() : pool.num_slots();
        return 2 * hits >= rays || (can_start && num_free >= least_batch && 2 * num_free >= pool.num_slots());
    }
    WARPATH_HD void hand_on() {
        const StageId next = tracer.finish(ctx);
        const uint32_t hit_class = static_cast<uint32_t>(tracer.hit_class());
        for (uint32_t i = 0; i < num_hit_classes; ++i)
            pool.push(ctx, shade_ring_of(i), tracer.slot() - pool.first_slot, next == StageId::Shade && hit_class == i);
        pool.push(ctx, free_ring, tracer.slot() - pool.first_slot, next == StageId::Generate);
    }
    WARPATH_HD void take_rays() {
        const uint32_t held = tracer.num_held(ctx);
        if (held >= share) return;
        uint32_t entry = 0;
        if (pool.pop(ctx, trace_ring, tracer.idle(), 1, share - held, entry))
            tracer.take(pool.first_slot + slot_of_entry(entry), stage_of_entry(entry));
    }
};

}  // namespace warpath
