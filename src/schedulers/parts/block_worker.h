#pragma once

#include "schedulers/parts/block_pool.h"
#include "schedulers/parts/block_tracer.h"
#include "schedulers/parts/grab.h"
#include "schedulers/parts/lane_paths.h"

namespace warpath {

/// One group of a block that works on the block's pool of slots until the frame's paths are used up and every slot is free.
///
/// The groups of a block go through two phases together. In the trace phase (BlockTracer) each keeps its lanes tracing and refills them. When no ray
/// waits and enough hits do, the block turns to the shade phase: all groups shade what waits and start paths in free slots, while the rays that are
/// under way wait. So no phase ends in a tail of long rays, and all groups of a processor run the same code at the same time: shading is long and
/// straight, and groups that shade at different times would each fetch it anew and drive the traversal loop out of the instruction cache (measured:
/// docs/measurements, the scheduler family on an H200).
/// Misses are shaded apart from hits on surfaces, so that all lanes of a batch do the same.
/// Rays of new paths are taken by the group that started them where its lanes are idle, so first hits are traced side by side. At the end, when
/// no path is left to start, no group takes more than its share of the rays; and once few slots are under way, lanes keep their paths to the end
/// (run_lane_paths), as then nothing is gained by passing rays on.
/// Ends: rays are finite, so a trace phase comes to an end; every shade phase takes the hits that wait, and the depth limit bounds paths. All
///       groups see the same sizes after a barrier and leave together. A wait for a ring's place has a limit (Wait).
/// Source: Aila and Laine 2009 (persistent threads, refill); Laine, Karras and Aila 2013 (wavefront).
template <class Ctx, class Stages, class Rings>
class BlockWorker {
  public:
    using Tracer = LaneTracer<typename Stages::Cursor>;
    using Stack = typename Stages::CursorStack;

    /// last_grab: a word of this group's own, for the report of a stall. `tracer` and `stack` are variables of their own, which keep
    /// this lane's ray between trace phases: only they need to lie in memory.
    /// pool_offset: words of block storage before the pool.
    WARPATH_HD BlockWorker(Ctx& ctx, const Stages& stages, const BlockPool<Rings>& pool, uint32_t pool_offset, uint64_t* next_path,
                           uint32_t refill_below, uint64_t* last_grab, Tracer& tracer, Stack& stack)
        : ctx_(ctx), stages_(stages), pool_(pool), pool_offset_(pool_offset), next_path_(next_path), refill_below_(refill_below), last_grab_(last_grab), tracer_(tracer),
          stack_(stack) {}

    /// The groups of the block call together. False after an abort. One barrier a round; the groups leave the shade phase when there is nothing left
    /// for them, not together. Only when no path is left to start is there a second one: between the two nothing changes, so all groups see the
    /// same slots free and leave in the same round.
    /// every_round(ctx) is called by one group of the block, now and then.
    template <class EveryRound>
    WARPATH_HD bool run(const EveryRound& every_round) {
        for (phase_ = 1;; ++phase_) {
            if (ctx_.group_in_block() == 0) {
                every_round(ctx_);
                publish_round();
                if (ctx_.has_timeline() && ctx_.block() == 0 && ctx_.lane() == 0) record_depths();
            }
            ctx_.sync_block();
            if (stop() == StopLevel::Abort) return false;
            const bool ending = pool_.get(ctx_, of_round(ending_word, phase_)) != 0;
            if (ending) {
                const uint32_t under_way = pool_.num_slots() - pool_.num_free(ctx_);
                share_ = even_share();
                ctx_.sync_block();
                if (under_way == 0) return true;
                if (under_way * lanes_per_late_path <= ctx_.groups_per_block() * ctx_.group_size()) return finish_by_lane(every_round);
            }
            while (!is_over(phase_) && shade_batch()) {}
            while (!is_over(phase_) && generate_batch()) {}
            if (ctx_.lane() == 0) pool_.set(ctx_, work_over, phase_);
            trace_phase(ctx_, pool_offset_, pool_.first_slot, pool_.num_slots(), phase_, refill_below_, share_, tracer_, stack_);
            if (phase_ % phases_between_flushes == 0) ctx_.flush();  // the call counts in a copy of the context
        }
    }

  private:
    static constexpr uint32_t phases_between_flushes = 16;
    /// Lanes keep their paths once there are so many for each: with more paths, sorting them by stage is worth its barriers.
    static constexpr uint32_t lanes_per_late_path = 4;

    /// Rays of the pool's ring for lanes that keep their paths. A group takes up to its share and then no more: the shares add up to all that wait, so
    /// the ring is empty once every group has been here.
    struct RingPaths {
        const BlockPool<Rings>& pool;
        uint32_t share;
        bool none_left = false;

        WARPATH_HD bool spent() const { return none_left; }
        WARPATH_HD bool take(Ctx& ctx, bool want, LaneStart& start) {
            uint32_t entry = 0;
            const uint32_t idle = count_lanes(ctx.ballot(want)), held = ctx.group_size() - idle, most = share > held ? share - held : 0;
            const bool got = pool.pop(ctx, trace_ring, want, 1, most, entry);
            none_left = ctx.ballot(got) == 0;
            if (got) start = {pool.first_slot + slot_of_entry(entry), stage_of_entry(entry), 0};
            return got;
        }
        WARPATH_HD void give_back(Ctx& ctx, uint32_t slot, bool active) const { pool.push(ctx, free_ring, slot - pool.first_slot, active); }
    };
    /// Every slot under way gets a lane: what waits is shaded, rays are taken, and each lane ends its path. Groups end on their own and wait for the
    /// block's others only to see that no path got lost.
    template <class EveryRound>
    WARPATH_HD bool finish_by_lane(const EveryRound& every_round) {
        while (shade_batch()) {}
        ctx_.sync_block();  // what is shaded by others is to be taken too
        const bool ended = lane_paths(ctx_, stages_, pool_offset_, pool_.first_slot, pool_.num_slots(), share_, tracer_, every_round);
        ctx_.sync_block();
        const bool all_free = pool_.num_free(ctx_) == pool_.num_slots();
        if (!all_free && ctx_.stop_level() != StopLevel::Abort && ctx_.lane() == 0) ctx_.report_stall(wait_for_work);
        return ended && all_free;
    }
    /// A call, so that the code of the phases is what it would be without this. False after an abort.
    template <class EveryRound>
    WARPATH_HD_CALL static bool lane_paths(Ctx ctx, const Stages& stages, uint32_t pool_offset, uint32_t first_slot, uint32_t num_slots, uint32_t share, const Tracer& kept,
                                           const EveryRound& every_round) {
        const BlockPool<Rings> pool(ctx.block_storage() + pool_offset, first_slot, num_slots);
        RingPaths paths{pool, share};
        Stack stack;
        Tracer tracer = kept;
        tracer.move_to(stack);
        LaneStart start;
        if (paths.take(ctx, tracer.idle(), start)) tracer.take(start.slot, start.stage);
        tracer.start();
        const bool ended = run_lane_paths(ctx, stages, tracer, paths, 1, [&](Ctx& c) {
            if (c.group_in_block() == 0) every_round(c);
        });
        ctx.flush();  // the call counts in a copy of the context
        return ended;
    }

    /// A call that works on copies: so the traversal loop has the registers to itself, and so has shading when its turn comes.
    WARPATH_HD_CALL static void trace_phase(Ctx ctx, uint32_t pool_offset, uint32_t first_slot, uint32_t num_slots, uint32_t phase, uint32_t refill_below, uint32_t share,
                                            Tracer& kept, Stack& kept_stack) {
        const BlockPool<Rings> pool(ctx.block_storage() + pool_offset, first_slot, num_slots);
        Stack stack;
        Tracer tracer = kept;
        tracer.move_to(stack);
        BlockTracer<Ctx, Tracer, Rings>{ctx, pool, tracer, share, phase}.run(refill_below);
        tracer.move_to(kept_stack);
        kept = tracer;
    }

    /// Once a group found nothing left, the others end after the batch they are at: what waits by then was traced in the phase that has begun, and
    /// is for the next round. Otherwise some groups would go on shading beside others that trace.
    WARPATH_HD bool is_over(uint32_t phase) { return pool_.get(ctx_, work_over) == phase; }
    /// For the timeline: what waits in the first block when it turns to shading.
    WARPATH_HD void record_depths() {
        ctx_.record_depth(QueueId::Trace, pool_.rings.ring(trace_ring).size_seen(ctx_));
        ctx_.record_depth(QueueId::Shade, pool_.hits_seen(ctx_));
        ctx_.record_depth(QueueId::Free, pool_.rings.ring(free_ring).size_seen(ctx_));
    }
    /// One group says, before the barrier, what all go by after it.
    WARPATH_HD void publish_round() {
        const StopLevel level = ctx_.stop_level();
        const bool ending = level != StopLevel::Run || pool_.get(ctx_, no_more_paths) != 0;
        if (ctx_.lane() != 0) return;
        pool_.set(ctx_, of_round(stop_word, phase_), static_cast<uint32_t>(level));
        pool_.set(ctx_, of_round(ending_word, phase_), ending ? 1 : 0);
    }
    WARPATH_HD StopLevel stop() { return static_cast<StopLevel>(pool_.get(ctx_, of_round(stop_word, phase_))); }
    WARPATH_HD bool can_start_paths() { return pool_.get(ctx_, no_more_paths) == 0 && stop() == StopLevel::Run; }

    /// Rays that a group may hold when no paths are left to start: its share of the slots under way.
    WARPATH_HD uint32_t even_share() {
        const uint32_t under_way = pool_.num_slots() - pool_.num_free(ctx_), workers = ctx_.groups_per_block();
        const uint32_t share = (under_way + workers - 1) / workers;
        return share < 1 ? 1 : share < ctx_.group_size() ? share : ctx_.group_size();
    }
    /// Lanes that are idle keep the ray of the slot they worked on; the others pass it on.
    WARPATH_HD void keep_or_pass_on(uint32_t slot, StageId next, bool active) {
        const bool is_ray = active && is_ray_stage(next), keeps = is_ray && tracer_.idle() && share_ == ctx_.group_size();
        if (keeps) tracer_.take(slot, next);
        pool_.push(ctx_, trace_ring, trace_entry(slot - pool_.first_slot, next), is_ray && !keeps);
        pool_.push(ctx_, free_ring, slot - pool_.first_slot, active && next == StageId::Generate);
    }
    WARPATH_HD bool shade_batch() {
        uint32_t slot = 0;
        bool active = false;
        for (uint32_t i = 0; i < num_hit_classes && ctx_.ballot(active) == 0; ++i)  // one class at a time
            active = pool_.pop(ctx_, shade_ring_of(i), true, 1, ctx_.group_size(), slot);
        if (ctx_.ballot(active) == 0) return false;
        slot += pool_.first_slot;
        const StageId next = active ? stages_.template run<StageId::Shade>(ctx_, slot) : StageId::Shade;
        ctx_.count_batch(StageId::Shade, active);
        keep_or_pass_on(slot, next, active);
        return true;
    }
    /// Takes free slots first and then as many paths, so that no group holds paths it has no slots for.
    WARPATH_HD bool generate_batch() {
        if (!can_start_paths()) return false;
        uint32_t slot = 0;
        const uint32_t least = ctx_.group_size() < pool_.num_slots() ? ctx_.group_size() : pool_.num_slots();
        const bool got_slot = pool_.pop(ctx_, free_ring, true, least, ctx_.group_size(), slot);
        const uint32_t num_got = count_lanes(ctx_.ballot(got_slot));
        if (num_got == 0) return false;
        const WorkRange paths = SharedCounter{next_path_, num_got}.grab(ctx_, stages_.num_paths());
        if (ctx_.lane() == 0) {
            if (paths.size() < num_got) pool_.set(ctx_, no_more_paths, 1);
            if (!paths.empty()) *last_grab_ = paths.begin + 1;
        }
        const bool active = got_slot && ctx_.lane() < paths.size();
        slot += pool_.first_slot;
        const StageId next = active ? stages_.generate(ctx_, slot, paths.begin + ctx_.lane()) : StageId::Generate;
        ctx_.count_batch(StageId::Generate, active);
        keep_or_pass_on(slot, next, got_slot);
        return paths.size() == num_got;
    }

    Ctx& ctx_;
    const Stages& stages_;
    BlockPool<Rings> pool_;
    uint32_t pool_offset_;
    uint64_t* next_path_;
    uint32_t refill_below_, share_ = ctx_.group_size(), phase_ = 1;
    uint64_t* last_grab_;
    Tracer& tracer_;
    Stack& stack_;
};

}  // namespace warpath
