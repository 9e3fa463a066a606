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

}  // namespace warpath
