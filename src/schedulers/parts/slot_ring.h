#pragma once

#include <cstddef>

#include "schedulers/parts/group_ops.h"
#include "schedulers/parts/wait.h"

namespace warpath {

/// A first-in, first-out ring of slot entries that several groups push to and pop from at the same time.
///
/// Protocol: `tail` is reserved before an entry is written, and `head` before it is read, so a place carries its own mark: all bits set is
///          empty. A reader of a place that is still empty waits for its writer; a writer of a place that is not yet empty waits for its reader.
///          Whoever is waited for has already claimed the place and has only a load or a store to do, so both waits are short; they have a
///          limit all the same. Writing releases and reading acquires, so whoever pops a slot sees what its last holder wrote.
/// Bounds:  a slot is in one ring or held by one lane, so with a capacity of at least the pool a ring never holds more than fits.
///          head and tail count on without bound and wrap at 2^32; the capacity is a power of two, so places stay right.
template <Scope scope, class Entry>
struct SlotRing {
    static constexpr Entry empty = static_cast<Entry>(~Entry{0});

    uint32_t *head, *tail;
    Entry* places;
    uint32_t mask;  ///< capacity - 1

    template <class Ctx>
    WARPATH_HD uint32_t size(Ctx& ctx) const {
        uint32_t n = 0;
        if (ctx.lane() == 0) n = load_size(ctx, ctx.template load<scope>(head));
        return ctx.broadcast(n, 0);
    }

    /// All lanes of the group call together; those with `active` append their entry.
    template <class Ctx>
    WARPATH_HD void push(Ctx& ctx, uint32_t entry, bool active) const {
        const uint32_t votes = ctx.ballot(active);
        if (votes == 0) return;
        const uint32_t first = group_add<scope>(ctx, tail, count_lanes(votes));
        if (!active) return;
        Entry* place = places + ((first + rank_of_lane(votes, ctx.lane())) & mask);
        Wait wait;
        while (ctx.template load<scope>(place) != empty)
            if (!wait.pause(ctx, wait_for_reader)) return;
        ctx.template store<scope>(place, static_cast<Entry>(entry));
    }

    /// All lanes of the group call together; at most `most` of those that `want` one get an entry, and none do if fewer than `least` are there.
    /// True in the lanes that got one.
    template <class Ctx>
    WARPATH_HD bool pop(Ctx& ctx, bool want, uint32_t least, uint32_t most, uint32_t& entry) const {
        const uint32_t votes = ctx.ballot(want);
        const uint32_t wanted = count_lanes(votes);
        uint32_t first = 0, n = 0;
        if (ctx.lane() == 0) {
            first = ctx.template load<scope>(head);
            do {
                const uint32_t waiting = load_size(ctx, first);
                n = waiting < least ? 0 : waiting < most ? waiting : most;
                n = n < wanted ? n : wanted;
            } while (n > 0 && !ctx.template exchange_if<scope>(head, first, first + n));
        }
        n = ctx.broadcast(n, 0);
        first = ctx.broadcast(first, 0);
        const uint32_t rank = rank_of_lane(votes, ctx.lane());
        if (!want || rank >= n) return false;
        Entry* place = places + ((first + rank) & mask);
        Wait wait;
        Entry found = ctx.template load<scope>(place);
        for (; found == empty; found = ctx.template load<scope>(place))
            if (!wait.pause(ctx, wait_for_writer)) return false;
        ctx.template store<scope>(place, empty);
        entry = found;
        return true;
    }

  private:
    /// `first` may be out of date, and then beyond a tail that was read earlier; never the other way round, since tail is read now.
    template <class Ctx>
    WARPATH_HD uint32_t load_size(Ctx& ctx, uint32_t first) const {
        return ctx.template load<scope>(tail) - first;
    }
};

/// `n` rounded up to a power of two; n >= 1.
WARPATH_HD inline uint32_t ring_capacity(uint32_t n) {
    uint32_t capacity = 1;
    while (capacity < n) capacity *= 2;
    return capacity;
}

}  // namespace warpath
