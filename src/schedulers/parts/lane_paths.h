#pragma once

#include "schedulers/parts/grab.h"
#include "schedulers/parts/lane_tracer.h"
#include "schedulers/parts/slot_list.h"
#include "schedulers/schedule.h"

namespace warpath {

/// What a lane is to do next: go on with a slot that waits for a ray, or start a path in a slot.
struct LaneStart {
    uint32_t slot = 0;
    StageId stage = StageId::Generate;   ///< Generate: start `path`; else the ray that the slot waits for
    uint64_t path = 0;
};

/// The threshold when only `held` lanes have a path left: the same share of them, at least one.
WARPATH_HD inline uint32_t share_of_lanes(uint32_t refill_below, uint32_t held, uint32_t group_size) {
    const uint32_t share = refill_below * held / group_size;
    return share > 0 ? share : 1;
}

/// Every lane takes a path and keeps it to its end: traces, shades, traces on, without a queue. When fewer than refill_below lanes have a
/// ray under way, the others shade what they found and take new paths.
/// `PathSource` needs `bool take(ctx, bool want, LaneStart&)`, called by all lanes together: true in the lanes that got something;
///          `bool spent()`: nothing is left, the same in all lanes.
/// Ends when the source is spent and every lane's path is over; the depth limit bounds paths.
/// Source:  the persistent megakernel of Aila and Laine 2009, with paths instead of rays.
template <class Ctx, class Stages, class PathSource>
WARPATH_HD void run_lane_paths(Ctx& ctx, const Stages& stages, PathSource& source, uint32_t refill_below) {
    typename Stages::CursorStack stack;
    LaneTracer<typename Stages::Cursor> tracer(stages.trace_cursor(stack));
    constexpr uint32_t rounds_between_polls = 64;
    uint32_t threshold = refill_below;
    for (uint32_t round = 0;; ++round) {
        if (round % rounds_between_polls == 0 && ctx.stop_level() == StopLevel::Abort) return;
        tracer.run(ctx, threshold);
        StageId next = tracer.finish(ctx);

        const bool shades = next == StageId::Shade;
        if (shades) next = stages.template run<StageId::Shade>(ctx, tracer.slot());
        ctx.count_batch(StageId::Shade, shades);
        if (shades && is_ray_stage(next)) tracer.take(tracer.slot(), next);

        LaneStart start;
        const bool got = !source.spent() && source.take(ctx, tracer.idle(), start);
        const bool starts_path = got && start.stage == StageId::Generate;
        if (starts_path) start.stage = stages.generate(ctx, start.slot, start.path);
        ctx.count_batch(StageId::Generate, starts_path);
        if (got) tracer.take(start.slot, start.stage);

        tracer.start();
        const uint32_t held = tracer.num_held(ctx);
        if (held == 0 && source.spent()) return;
        threshold = source.spent() ? share_of_lanes(refill_below, held, ctx.group_size()) : refill_below;
    }
}

/// Deals the items of a shared counter to lanes, a batch at a time.
struct ItemDealer {
    SharedCounter counter;
    uint64_t num_items;
    WorkRange range = {};
    bool none_left = false;

    /// All lanes call together; those that want one get the next items in order. May grab: false when no new batch is to be begun.
    template <class Ctx>
    WARPATH_HD bool deal(Ctx& ctx, bool want, bool may_grab, uint64_t& item) {
        const uint32_t votes = ctx.ballot(want);
        if (votes == 0) return false;
        if (range.empty()) {
            if (may_grab) range = counter.grab(ctx, num_items);
            none_left = range.empty();
        }
        item = range.begin + rank_of_lane(votes, ctx.lane());
        const bool got = want && item < range.end;
        range.begin += count_lanes(votes);
        return got;
    }
};

/// New paths from a shared counter; every lane has a slot of its own.
struct CounterPaths {
    ItemDealer dealer;

    WARPATH_HD bool spent() const { return dealer.none_left; }
    template <class Ctx>
    WARPATH_HD bool take(Ctx& ctx, bool want, LaneStart& start) {
        start.slot = ctx.group() * ctx.group_size() + ctx.lane();
        const bool may_grab = dealer.range.empty() && ctx.ballot(want) != 0 && ctx.stop_level() == StopLevel::Run;
        return dealer.deal(ctx, want, may_grab, start.path);
    }
};

/// Paths under way, from a list of what waits for a ray.
struct ListedPaths {
    ItemDealer dealer;
    const uint32_t* entries;

    WARPATH_HD bool spent() const { return dealer.none_left; }
    template <class Ctx>
    WARPATH_HD bool take(Ctx& ctx, bool want, LaneStart& start) {
        uint64_t item = 0;
        const bool got = dealer.deal(ctx, want, true, item);
        if (got) start = {slot_of_entry(entries[item]), stage_of_entry(entries[item]), 0};
        return got;
    }
};

}  // namespace warpath
