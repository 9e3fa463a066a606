#pragma once

#include "schedulers/parts/stage_rings.h"
#include "schedulers/schedule.h"

namespace warpath {

/// Words that the groups of a block share beside the rings, by atomic loads and exchanges of block scope.
/// Three are read while another group may write them, and each is right whenever the change is seen. turn_to_shading and work_over hold the number of a round and only grow, as the
/// barrier of every round lies between the exchanges of one and of the next: who sees one late makes one more step or batch of the same phase.
/// no_more_paths turns from 0 to 1 once: who sees it late asks the path counter, which has nothing left. The words of a round are written before its barrier
/// and read after it.
enum BlockWord : uint32_t {
    turn_to_shading,  ///< the last trace phase that is over
    work_over,        ///< the last shade phase in which a group found nothing left to do
    no_more_paths,    ///< 1: the path counter is used up
    stop_word,        ///< StopLevel, as one group saw it before the round; two, see of_round()
    ending_word = stop_word + 2,  ///< 1: no path can be started any more, as one group saw it before the round; two
    num_block_words = ending_word + 2
};
/// Rounds use two words by turns: a group that has left the barrier of a round late still reads that round's, while the first one writes the next.
WARPATH_HD inline BlockWord of_round(BlockWord id, uint32_t round) { return static_cast<BlockWord>(id + round % 2); }

/// A block's own pool of slots: the rings in the block's storage, and a few words. Copies share it.
template <class Rings>
struct BlockPool {
    uint32_t* words;
    Rings rings;
    uint32_t first_slot;  ///< of the block's slots in the frame's

    WARPATH_HD BlockPool(uint32_t* storage, uint32_t first, uint32_t num_slots)
        : words(storage), rings(storage + num_block_words, num_slots), first_slot(first) {}
    static uint32_t storage_words(uint32_t num_slots) { return num_block_words + Rings::storage_words(num_slots); }

    /// Makes all slots free. The groups of the block call together.
    template <class Ctx>
    WARPATH_HD void begin(Ctx& ctx) const {
        const uint32_t rank = ctx.group_in_block() * ctx.group_size() + ctx.lane(), num_lanes = ctx.groups_per_block() * ctx.group_size();
        rings.fill(rank, num_lanes);
        for (uint32_t i = rank; i < num_block_words; i += num_lanes) words[i] = 0;
        ctx.sync_block();
    }

    WARPATH_HD uint32_t num_slots() const { return rings.num_slots(); }
    template <class Ctx>
    WARPATH_HD uint32_t get(Ctx& ctx, BlockWord id) const {
        return group_load<Scope::Block>(ctx, words + id);
    }
    /// One lane calls. An exchange, which is seldom and costs what a store costs: tools that look for races in shared memory (compute-sanitizer's racecheck)
    /// know it for an atomic operation, as they do not know a store of block scope.
    template <class Ctx>
    WARPATH_HD void set(Ctx& ctx, BlockWord id, uint32_t value) const {
        ctx.template swap<Scope::Block>(words + id, value);
    }
    template <class Ctx>
    WARPATH_HD uint32_t waiting(Ctx& ctx, RingId id) const {
        return rings.ring(id).size(ctx);
    }
    /// Hits and misses that wait to be shaded.
    template <class Ctx>
    WARPATH_HD uint32_t hits_waiting(Ctx& ctx) const {
        return ctx.broadcast(ctx.lane() == 0 ? hits_seen(ctx) : 0, 0);
    }
    /// The same for one lane alone.
    template <class Ctx>
    WARPATH_HD uint32_t hits_seen(Ctx& ctx) const {
        uint32_t n = 0;
        for (uint32_t i = 0; i < num_hit_classes; ++i) n += rings.ring(shade_ring_of(i)).size_seen(ctx);
        return n;
    }
    template <class Ctx>
    WARPATH_HD uint32_t num_free(Ctx& ctx) const {
        return waiting(ctx, free_ring);
    }
    template <class Ctx>
    WARPATH_HD void push(Ctx& ctx, RingId id, uint32_t entry, bool active) const {
        rings.ring(id).push(ctx, entry, active);
    }
    template <class Ctx>
    WARPATH_HD bool pop(Ctx& ctx, RingId id, bool want, uint32_t least, uint32_t most, uint32_t& entry) const {
        return rings.ring(id).pop(ctx, want, least, most, entry);
    }
};

}  // namespace warpath
