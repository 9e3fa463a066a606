#pragma once

#include "schedulers/parts/group_ops.h"
#include "schedulers/parts/work_range.h"
#include "warpath/counters.h"

namespace warpath {

/// Hands out batches of items from one counter that all groups share. Each item is handed out exactly once: fetch-and-add gives every
/// caller its own interval. The counter passes num_items by at most one batch per grab that comes too late, and 64 bits never wrap.
struct SharedCounter {
    uint64_t* head;
    uint32_t batch;
    uint64_t first = 0;  ///< the counter's first item

    /// All lanes of the group call together and get the same range; an empty one means that nothing is left.
    template <class Ctx>
    WARPATH_HD WorkRange grab(Ctx& ctx, uint64_t num_items) const {
        const uint32_t start = ctx.ticks();
        const WorkRange range = clipped(first + group_add(ctx, head, static_cast<uint64_t>(batch)), batch, num_items);
        if (ctx.lane() == 0) {
            ctx.count(range.empty() ? Counter::FailedGrabs : Counter::BatchesGrabbed, 1);
            if constexpr (keeps_accounts) ctx.count(Counter::GrabTicks, ctx.ticks() - start);
        }
        return range;
    }
};

/// Every group's first batch is its own by position, and the others come from a counter, which nobody touches where the first ones are all there is: groups
/// that begin together would queue for it. Holds the state of one group.
struct OwnThenShared {
    uint64_t* head;
    uint32_t batch;
    bool began = false;

    template <class Ctx>
    WARPATH_HD WorkRange grab(Ctx& ctx, uint64_t num_items) {
        const uint64_t num_own = static_cast<uint64_t>(ctx.num_groups()) * batch;
        if (!began) {
            began = true;
            const WorkRange range = clipped(position(ctx, num_items < num_own) * batch, batch, num_items);
            if (!range.empty() && ctx.lane() == 0) ctx.count(Counter::BatchesGrabbed, 1);
            if (!range.empty()) return range;
        }
        if (num_items <= num_own) return {num_items, num_items};
        return SharedCounter{head, batch, num_own}.grab(ctx, num_items);
    }

  private:
    /// Neighbours in a block work on neighbouring batches, but few batches are spread over all blocks.
    template <class Ctx>
    WARPATH_HD static uint64_t position(const Ctx& ctx, bool few) {
        const uint32_t per_block = ctx.groups_per_block(), num_groups = ctx.num_groups();
        return few && num_groups % per_block == 0 ? ctx.group_in_block() * (num_groups / per_block) + ctx.block() : ctx.group();
    }
};

/// Hands out batches by position alone: group g takes batches g, g + num_groups, ... No atomics; balance is the hardware's block
/// scheduler's business. Holds the state of one group.
struct GroupStride {
    uint64_t next;
    uint32_t batch;

    template <class Ctx>
    WARPATH_HD static GroupStride for_group(const Ctx& ctx, uint32_t batch) {
        return {static_cast<uint64_t>(ctx.group()) * batch, batch};
    }
    template <class Ctx>
    WARPATH_HD WorkRange grab(Ctx& ctx, uint64_t num_items) {
        const WorkRange range = clipped(next, batch, num_items);
        next += static_cast<uint64_t>(ctx.num_groups()) * batch;
        return range;
    }
};

}  // namespace warpath
