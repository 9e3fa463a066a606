#pragma once

#include "schedulers/parts/grab.h"
#include "schedulers/parts/lane_tracer.h"
#include "schedulers/parts/stage_rings.h"
#include "schedulers/schedule.h"

namespace warpath {

/// Words that the groups of a block share.
enum BlockState : uint32_t { turn_to_shading, no_more_paths, stop_word, num_block_state_words };

/// One group of a block that works on the block's pool of slots through its rings until the frame's paths are used up and every slot is free.
///
/// The groups of a block go through two phases together. In the trace phase each keeps its lanes tracing: when fewer than refill_below rays are
/// under way, it hands on what is done and takes waiting rays. When no ray waits and enough hits do, the block turns to the shade phase: all groups
/// shade what waits and start paths in free slots, and the rays that are under way wait in registers. So no phase ends in a tail of long rays, and
/// all groups of a processor run the same code at the same time: shading is long and straight, and groups that shade at different times would each
/// fetch it anew and drive the traversal loop out of the instruction cache (measured: docs/measurements, the scheduler family on an H200).
/// Rays of new paths are taken by the group that started them where its lanes are idle, so first hits are traced side by side. At the end, when
/// no path is left to start, no group takes more than its share of the rays.
/// Ends: rays are finite, so a trace phase comes to an end; every shade phase takes the hits that wait, and the depth limit bounds paths. All
///       groups see the same sizes after a barrier and leave together. A wait for a ring's place has a limit (Wait).
/// Source: Aila and Laine 2009 (persistent threads, refill); Laine, Karras and Aila 2013 (wavefront).
template <class Ctx, class Stages, class Rings>
class BlockWorker {
  public:
    /// `state`: num_block_state_words words that the groups of the block share. last_grab: a word of this group's own, for the report of a stall.
    WARPATH_HD BlockWorker(Ctx& ctx, const Stages& stages, const Rings& rings, uint32_t* state, uint32_t first_slot, uint64_t* next_path,
                           uint32_t refill_below, uint64_t* last_grab, typename Stages::CursorStack& stack)
        : ctx_(ctx), stages_(stages), rings_(rings), state_(state), first_slot_(first_slot), next_path_(next_path), refill_below_(refill_below),
          last_grab_(last_grab), tracer_(stages.trace_cursor(stack)) {}

    /// Makes all slots free. The groups of the block call together.
    WARPATH_HD void begin() {
        const uint32_t rank = ctx_.group_in_block() * ctx_.group_size() + ctx_.lane();
        rings_.fill(rank, ctx_.groups_per_block() * ctx_.group_size());
        for (uint32_t i = rank; i < num_block_state_words; i += ctx_.groups_per_block() * ctx_.group_size()) state_[i] = 0;
        ctx_.sync_block();
    }
    /// The groups of the block call together. False after an abort.
    WARPATH_HD bool run() {
        while (true) {
            if (ctx_.group_in_block() == 0) publish_stop();
            ctx_.sync_block();
            if (word(stop_word) == static_cast<uint32_t>(StopLevel::Abort)) return false;
            while (shade_batch()) {}
            while (generate_batch()) {}
            tracer_.start();
            ctx_.sync_block();
            if (waiting(free_ring) == rings_.num_slots() && (word(no_more_paths) || word(stop_word))) return true;
            if (ctx_.group_in_block() == 0 && ctx_.lane() == 0) ctx_.template store<Scope::Block>(state_ + turn_to_shading, 0u);
            share_ = even_share();
            ctx_.sync_block();
            trace_phase();
        }
    }

  private:
    static constexpr uint32_t pause_ns = 100;

    WARPATH_HD uint32_t word(BlockState id) { return group_load<Scope::Block>(ctx_, state_ + id); }
    WARPATH_HD uint32_t waiting(RingId id) { return rings_.ring(id).size(ctx_); }
    WARPATH_HD void publish_stop() {
        const uint32_t level = static_cast<uint32_t>(ctx_.stop_level());
        if (ctx_.lane() == 0) ctx_.template store<Scope::Block>(state_ + stop_word, level);
    }
    /// Rays that a group may hold: all its lanes, or, when no paths are left to start, a share of the slots under way.
    WARPATH_HD uint32_t even_share() {
        if (!word(no_more_paths)) return ctx_.group_size();
        const uint32_t under_way = rings_.num_slots() - waiting(free_ring), workers = ctx_.groups_per_block();
        const uint32_t share = (under_way + workers - 1) / workers;
        return share < ctx_.group_size() ? share : ctx_.group_size();
    }

    WARPATH_HD void trace_phase() {
        const uint32_t enough = refill_below_ < share_ ? refill_below_ : share_;
        uint32_t threshold = enough;
        while (true) {
            tracer_.run(ctx_, threshold, 1);
            const bool turn = word(turn_to_shading) != 0;
            if (!turn && tracer_.num_live(ctx_) >= threshold) continue;
            hand_on();
            if (turn) return;
            take_rays();
            tracer_.start();
            const uint32_t held = tracer_.num_held(ctx_);
            threshold = held >= enough ? enough : 1;
            if (held >= enough) continue;
            if (turns_now()) {
                if (ctx_.lane() == 0) ctx_.template store<Scope::Block>(state_ + turn_to_shading, 1u);
                return;
            }
            if (held == 0) ctx_.pause(pause_ns);
        }
    }
    /// Called by a group that is short of rays: whether no ray waits, and at least half as many hits wait as rays are under way.
    WARPATH_HD bool turns_now() {
        if (waiting(trace_ring) > 0) return false;
        const uint32_t hits = waiting(shade_ring), rays = rings_.num_slots() - waiting(free_ring) - hits;
        return 2 * hits >= rays || (can_start_paths() && 2 * waiting(free_ring) >= rings_.num_slots());
    }
    WARPATH_HD bool can_start_paths() { return !word(no_more_paths) && word(stop_word) == static_cast<uint32_t>(StopLevel::Run); }

    WARPATH_HD void hand_on() {
        const StageId next = tracer_.finish(ctx_);
        rings_.ring(shade_ring).push(ctx_, tracer_.slot() - first_slot_, next == StageId::Shade);
        rings_.ring(free_ring).push(ctx_, tracer_.slot() - first_slot_, next == StageId::Generate);
    }
    WARPATH_HD void take_rays() {
        const uint32_t held = tracer_.num_held(ctx_);
        if (held >= share_) return;
        uint32_t entry = 0;
        if (rings_.ring(trace_ring).pop(ctx_, tracer_.idle(), 1, share_ - held, entry))
            tracer_.take(first_slot_ + slot_of_entry(entry), stage_of_entry(entry));
    }
    /// Lanes that are idle keep the ray of the slot they worked on; the others pass it on.
    WARPATH_HD void keep_or_pass_on(uint32_t slot, StageId next, bool active) {
        const bool is_ray = active && is_ray_stage(next), keeps = is_ray && tracer_.idle() && share_ == ctx_.group_size();
        if (keeps) tracer_.take(slot, next);
        rings_.ring(trace_ring).push(ctx_, trace_entry(slot - first_slot_, next), is_ray && !keeps);
        rings_.ring(free_ring).push(ctx_, slot - first_slot_, active && next == StageId::Generate);
    }
    WARPATH_HD bool shade_batch() {
        uint32_t slot = 0;
        const bool active = rings_.ring(shade_ring).pop(ctx_, true, 1, ctx_.group_size(), slot);
        if (ctx_.ballot(active) == 0) return false;
        slot += first_slot_;
        const StageId next = active ? stages_.template run<StageId::Shade>(ctx_, slot) : StageId::Shade;
        ctx_.count_batch(StageId::Shade, active);
        keep_or_pass_on(slot, next, active);
        return true;
    }
    /// Takes free slots first and then as many paths, so that no group holds paths it has no slots for.
    WARPATH_HD bool generate_batch() {
        if (!can_start_paths()) return false;
        uint32_t slot = 0;
        const uint32_t least = ctx_.group_size() < rings_.num_slots() ? ctx_.group_size() : rings_.num_slots();
        const bool got_slot = rings_.ring(free_ring).pop(ctx_, true, least, ctx_.group_size(), slot);
        const uint32_t num_got = count_lanes(ctx_.ballot(got_slot));
        if (num_got == 0) return false;
        const WorkRange paths = SharedCounter{next_path_, num_got}.grab(ctx_, stages_.num_paths());
        if (ctx_.lane() == 0) {
            if (paths.size() < num_got) ctx_.template store<Scope::Block>(state_ + no_more_paths, 1u);
            if (!paths.empty()) *last_grab_ = paths.begin + 1;
        }
        const bool active = got_slot && ctx_.lane() < paths.size();
        slot += first_slot_;
        const StageId next = active ? stages_.generate(ctx_, slot, paths.begin + ctx_.lane()) : StageId::Generate;
        ctx_.count_batch(StageId::Generate, active);
        keep_or_pass_on(slot, next, got_slot);
        return paths.size() == num_got;
    }

    Ctx& ctx_;
    const Stages& stages_;
    Rings rings_;
    uint32_t* state_;
    uint32_t first_slot_;
    uint64_t* next_path_;
    uint32_t refill_below_, share_ = 0;
    uint64_t* last_grab_;
    LaneTracer<typename Stages::Cursor> tracer_;
};

}  // namespace warpath
