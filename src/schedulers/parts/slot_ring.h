#pragma once

#include <cstddef>

#include "schedulers/parts/group_ops.h"
#include "schedulers/parts/wait.h"

namespace warpath {

/// A first-in, first-out ring of slot entries that several groups push to and pop from at the same time.
///
/// Protocol: a push reserves positions at `tail`, writes them, and then raises `available`; a pop lowers `available` by what it may take, gives
///          back what was not there, and reserves positions at `head`. So no operation is ever repeated, however many groups are at it.
///          Position p is in place p modulo capacity, which holds an entry and, above it, the lap of its position: a reader waits until the place
///          is written in its lap, a writer until it is empty for its lap. Either can happen: whoever has claimed an earlier position may be
///          slower than those who came later, even by whole laps. Whoever is waited for has only a load or a store to do, so both waits are short;
///          they have a limit all the same. Writing a place releases and reading it acquires, so whoever pops a slot sees what its last
///          holder wrote. These waits are the only reads of a place that another group may be writing, and compute-sanitizer's racecheck reports them
///          when a ring is in shared memory: to it an atomic store that releases is a store like any other. What is read too early is of another
///          lap, so it is read again; what is read in the right lap is whole, a place being one word.
/// Bounds:  a slot is in one ring or held by one lane, and a ring has more places than slots, so it never holds more than fits.
///          The lap is kept in the bits that an entry leaves free, k of them. Two laps that look the same, 2^k apart, are never waited for at once
///          in one place if at most 2^(k+1) groups use the ring: every lap that a slow reader or writer holds up leaves another reader and another
///          writer waiting there. max_slots() sees to that.
///          Positions count on without bound and wrap at 2^32; the capacity is a power of two, so places and laps stay right.
/// Source:  the laps are those of Vyukov's bounded queue of many producers and consumers.
template <Scope scope, class Entry>
struct SlotRing {
    enum End : uint32_t { head, tail, available, num_ends };

    uint32_t* ends;  ///< num_ends words
    Entry* places;
    uint32_t mask;   ///< capacity - 1

    /// Bits of a place that hold an entry, a number below 2 capacity - 1.
    WARPATH_HD uint32_t entry_mask() const { return 2 * mask + 1; }
    /// What the place of a position holds until it is written: all bits of the entry set, below the lap.
    WARPATH_HD Entry unwritten(uint32_t position) const { return static_cast<Entry>((position & ~mask) << 1 | entry_mask()); }
    WARPATH_HD Entry written(uint32_t position, uint32_t entry) const { return static_cast<Entry>((position & ~mask) << 1 | entry); }
    /// The most slots, at most 2^31, for which laps are told apart when num_groups use the ring.
    WARPATH_HD static constexpr uint32_t max_slots(uint32_t num_groups) {
        uint32_t capacity = 1u << (8 * sizeof(Entry) - 1);
        while (capacity > 2 && uint64_t{capacity} * num_groups > uint64_t{1} << 8 * sizeof(Entry)) capacity /= 2;
        return capacity - 1;
    }

    /// Entries that can be popped; may be out of date when it arrives, and too low while others pop.
    template <class Ctx>
    WARPATH_HD uint32_t size(Ctx& ctx) const {
        uint32_t n = 0;
        if (ctx.lane() == 0) n = size_seen(ctx);
        return ctx.broadcast(n, 0);
    }
    /// The same for one lane alone.
    template <class Ctx>
    WARPATH_HD uint32_t size_seen(Ctx& ctx) const {
        return counted(ctx.template peek<scope>(ends + available));
    }

    /// All lanes of the group call together; those with `active` append their entry.
    template <class Ctx>
    WARPATH_HD void push(Ctx& ctx, uint32_t entry, bool active) const {
        const uint32_t votes = ctx.ballot(active);
        if (votes == 0) return;
        const uint32_t first = group_add<scope>(ctx, ends + tail, count_lanes(votes));
        if (active) write(ctx, first + rank_of_lane(votes, ctx.lane()), entry);
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
        return read(ctx, first + rank, entry);
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
    WARPATH_HD void write(Ctx& ctx, uint32_t position, uint32_t entry) const {
        Entry* place = places + (position & mask);
        Wait wait;
        while (ctx.template peek<scope>(place) != unwritten(position))
            if (!wait.pause(ctx, wait_for_reader)) return;
        ctx.template store<scope>(place, written(position, entry));
    }
    template <class Ctx>
    WARPATH_HD bool read(Ctx& ctx, uint32_t position, uint32_t& entry) const {
        Entry* place = places + (position & mask);
        Wait wait;
        Entry found = ctx.template load<scope>(place);
        for (; !is_written(position, found); found = ctx.template load<scope>(place))
            if (!wait.pause(ctx, wait_for_writer)) return false;
        ctx.template store<scope>(place, unwritten(position + mask + 1));
        entry = found & entry_mask();
        return true;
    }
    /// The lap is the position's, and some bit of the entry is not set.
    WARPATH_HD bool is_written(uint32_t position, Entry found) const {
        return static_cast<uint32_t>(found ^ unwritten(position)) - 1u < entry_mask();
    }
};

/// Places of a ring for a pool of so many slots: the next power of two, which leaves one entry to mark an unwritten place.
WARPATH_HD inline uint32_t ring_capacity(uint32_t num_slots) {
    uint32_t capacity = 1;
    while (capacity <= num_slots) capacity *= 2;
    return capacity;
}

}  // namespace warpath
