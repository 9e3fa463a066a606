#pragma once

#include <cstddef>

#include "schedulers/parts/group_ops.h"
#include "schedulers/parts/wait.h"

namespace warpath {

/// A first-in, first-out ring of slot entries that several groups push to and pop from at the same time.
///
/// Protocol: a push reserves places at `tail`, writes them, and then raises `available`; a pop lowers `available` by what it may take, gives back what
///          was not there, and reserves places at `head`. So no operation is ever repeated, however many groups are at it. A place carries a mark of
///          its own, all bits set for empty: writers of earlier places may be slower than those who raised `available`, so a reader of a place
///          that is still empty waits for its writer, and a writer of a place that is not yet empty waits for its reader. Whoever is waited for
///          has claimed the place and has only a load or a store to do, so both waits are short; they have a limit all the same.
///          Writing a place releases and reading it acquires, so whoever pops a slot sees what its last holder wrote.
/// Bounds:  a slot is in one ring or held by one lane, so with a capacity of at least the pool a ring never holds more than fits.
///          head and tail count on without bound and wrap at 2^32; the capacity is a power of two, so places stay right.
template <Scope scope, class Entry>
struct SlotRing {
    static constexpr Entry empty = static_cast<Entry>(~Entry{0});
    enum End : uint32_t { head, tail, available, num_ends };

    uint32_t* ends;  ///< num_ends words
    Entry* places;
    uint32_t mask;   ///< capacity - 1

    /// Entries that can be popped; may be out of date when it arrives, and too low while others pop.
    template <class Ctx>
    WARPATH_HD uint32_t size(Ctx& ctx) const {
        uint32_t n = 0;
        if (ctx.lane() == 0) n = counted(ctx.template peek<scope>(ends + available));
        return ctx.broadcast(n, 0);
    }

    /// All lanes of the group call together; those with `active` append their entry.
    template <class Ctx>
    WARPATH_HD void push(Ctx& ctx, uint32_t entry, bool active) const {
        const uint32_t votes = ctx.ballot(active);
        if (votes == 0) return;
        const uint32_t first = group_add<scope>(ctx, ends + tail, count_lanes(votes));
        if (active) write(ctx, places + ((first + rank_of_lane(votes, ctx.lane())) & mask), static_cast<Entry>(entry));
        ctx.sync_group();
        if (ctx.lane() == 0) ctx.template add<scope>(ends + available, count_lanes(votes));
    }

    /// All lanes of the group call together; at most `most` of those that `want` one get an entry, and none do if fewer than `least` are there.
    /// True in the lanes that got one.
    template <class Ctx>
    WARPATH_HD bool pop(Ctx& ctx, bool want, uint32_t least, uint32_t most, uint32_t& entry) const {
        const uint32_t votes = ctx.ballot(want);
        const uint32_t wanted = count_lanes(votes) < most ? count_lanes(votes) : most;
        uint32_t first = 0, n = 0;
        if (ctx.lane() == 0 && wanted > 0) {
            n = claim(ctx, wanted, least < wanted ? least : wanted);
            if (n > 0) first = ctx.template add<scope>(ends + head, n);
        }
        n = ctx.broadcast(n, 0);
        first = ctx.broadcast(first, 0);
        const uint32_t rank = rank_of_lane(votes, ctx.lane());
        if (!want || rank >= n) return false;
        return read(ctx, places + ((first + rank) & mask), entry);
    }

  private:
    /// `available` falls below zero while several pops find too little.
    WARPATH_HD static uint32_t counted(uint32_t word) { return static_cast<int32_t>(word) > 0 ? word : 0; }

    template <class Ctx>
    WARPATH_HD uint32_t claim(Ctx& ctx, uint32_t wanted, uint32_t least) const {
        if (counted(ctx.template peek<scope>(ends + available)) < least) return 0;
        const uint32_t there = counted(ctx.template add<scope>(ends + available, 0u - wanted));
        const uint32_t n = there < least ? 0 : there < wanted ? there : wanted;
        if (n < wanted) ctx.template add<scope>(ends + available, wanted - n);
        return n;
    }
    template <class Ctx>
    WARPATH_HD void write(Ctx& ctx, Entry* place, Entry entry) const {
        Wait wait;
        while (ctx.template peek<scope>(place) != empty)
            if (!wait.pause(ctx, wait_for_reader)) return;
        ctx.template store<scope>(place, entry);
    }
    template <class Ctx>
    WARPATH_HD bool read(Ctx& ctx, Entry* place, uint32_t& entry) const {
        Wait wait;
        Entry found = ctx.template load<scope>(place);
        for (; found == empty; found = ctx.template load<scope>(place))
            if (!wait.pause(ctx, wait_for_writer)) return false;
        ctx.template store<scope>(place, empty);
        entry = found;
        return true;
    }
};

/// `n` rounded up to a power of two; n >= 1.
WARPATH_HD inline uint32_t ring_capacity(uint32_t n) {
    uint32_t capacity = 1;
    while (capacity < n) capacity *= 2;
    return capacity;
}

}  // namespace warpath
