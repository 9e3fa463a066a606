#pragma once

#include "core/platform.h"
#include "schedulers/parts/lanes.h"

namespace warpath {

/// A list of slot numbers in device memory that many groups append to and a later kernel reads. `count` is read by the host or by a
/// later kernel only, so relaxed atomics suffice: kernel boundaries order the entries.
/// Capacity: as many entries as the pool has slots; a slot is in exactly one queue or held by one group, so it cannot overflow.
struct SlotQueue {
    uint32_t* slots;
    uint64_t* count;

    /// All lanes call together; those with `active` append their slot. One atomic per group.
    template <class Ctx>
    WARPATH_HD void push(Ctx& ctx, uint32_t slot, bool active) const {
        const uint32_t votes = ctx.ballot(active);
        if (votes == 0) return;
        const uint64_t base = ctx.group_add(count, static_cast<uint64_t>(count_lanes(votes)));
        if (active) slots[base + rank_of_lane(votes, ctx.lane())] = slot;
    }
};

}  // namespace warpath
