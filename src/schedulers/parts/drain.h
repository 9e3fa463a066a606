#pragma once

#include "schedulers/parts/grab.h"

namespace warpath {

/// Runs `body(ctx, item, active)` for every item that `source` hands out. All lanes of the group call the body together, so that it may
/// vote; lanes beyond the end of a batch get active = false and any item. Ends when the source is empty: num_items is fixed.
template <class Ctx, class Source, class Body>
WARPATH_HD void drain(Ctx& ctx, Source source, uint64_t num_items, const Body& body) {
    for (WorkRange range = source.grab(ctx, num_items); !range.empty(); range = source.grab(ctx, num_items))
        for (uint64_t base = range.begin; base < range.end; base += ctx.group_size()) {
            const uint64_t item = base + ctx.lane();
            body(ctx, item, item < range.end);
        }
}

/// The same by position, with the groups of a block side by side: they begin each batch together and so run the same code at the same time. Long code, which the
/// instruction cache does not hold, is then fetched once for all of them. All groups of the block call.
template <class Ctx, class Body>
WARPATH_HD void drain_together(Ctx& ctx, uint32_t batch, uint64_t num_items, const Body& body) {
    const uint64_t of_block = static_cast<uint64_t>(ctx.block()) * ctx.groups_per_block() * batch, step = static_cast<uint64_t>(ctx.num_groups()) * batch;
    GroupStride source = GroupStride::for_group(ctx, batch);
    for (uint64_t begin = of_block; begin < num_items; begin += step) {
        const WorkRange range = source.grab(ctx, num_items);
        for (uint64_t base = range.begin, end = base + batch; base < end; base += ctx.group_size()) {
            ctx.sync_block();
            const uint64_t item = base + ctx.lane();
            if (base < range.end) body(ctx, item, item < range.end);
        }
    }
}

}  // namespace warpath
