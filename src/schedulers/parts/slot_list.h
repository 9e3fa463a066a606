#pragma once

#include "render/stage_id.h"
#include "schedulers/parts/group_ops.h"

namespace warpath {

/// A list of slots in device memory that many groups append to and a later step reads by position. Entries are ordered by the end of the
/// step (a kernel boundary or a grid barrier), so relaxed atomics suffice for the count.
/// Capacity: as many entries as the pool has slots; a slot is in exactly one list or held by one group, so it cannot overflow.
struct SlotList {
    uint32_t* entries;
    uint64_t* count;

    /// All lanes call together; those with `active` append their entry. One atomic per group.
    template <class Ctx>
    WARPATH_HD void push(Ctx& ctx, uint32_t entry, bool active) const {
        const uint32_t votes = ctx.ballot(active);
        if (votes == 0) return;
        const uint64_t base = group_add(ctx, count, static_cast<uint64_t>(count_lanes(votes)));
        if (active) entries[base + rank_of_lane(votes, ctx.lane())] = entry;
    }
};

/// A slot and which of its two rays is to be traced: an entry below twice the number of slots.
WARPATH_HD inline uint32_t trace_entry(uint32_t slot, StageId stage) { return slot << 1 | (stage == StageId::Occlude ? 1u : 0u); }
WARPATH_HD inline uint32_t slot_of_entry(uint32_t entry) { return entry >> 1; }
WARPATH_HD inline StageId stage_of_entry(uint32_t entry) { return entry & 1u ? StageId::Occlude : StageId::Intersect; }
WARPATH_HD inline bool is_ray_stage(StageId stage) { return stage == StageId::Intersect || stage == StageId::Occlude; }

}  // namespace warpath
