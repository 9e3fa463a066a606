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

/// Every lane takes a path and keeps it to its end: traces, shades, traces on, without a queue. When fewer than refill_below lanes have a
/// ray under way, the others shade what they found and take new paths. When there are none left to take, all wait for the longest ray and shade
/// together: then what a bounce takes is what counts, not how many lanes are busy.
/// `PathSource` needs `bool take(ctx, bool want, LaneStart&)`, called by all lanes together: true in the lanes that got something;
///          `bool spent()`: nothing is left, the same in all lanes. It may have `give_back(ctx, slot, bool active)`, called by all lanes together, for
///          slots whose path is over.
/// `tracer` may hold rays already. every_round(ctx) is called now and then, by all lanes.
/// Ends when the source is spent and every lane's path is over; the depth limit bounds paths. False after an abort.
/// Source:  the persistent megakernel of Aila and Laine 2009, with paths instead of rays.
template <class Ctx, class Stages, class PathSource, class EveryRound>
WARPATH_HD bool run_lane_paths(Ctx& ctx, const Stages& stages, LaneTracer<typename Stages::Cursor>& tracer, PathSource& source, uint32_t refill_below,
                               const EveryRound& every_round) {
    constexpr uint32_t rounds_between_polls = 64;
    uint32_t threshold = refill_below;
    for (uint32_t round = 0;; ++round) {
        every_round(ctx);
        if (round % rounds_between_polls == 0 && ctx.stop_level() == StopLevel::Abort) return false;
        tracer.run(ctx, threshold);
        StageId next = tracer.finish(ctx);

        const bool shades = next == StageId::Shade;
        if (shades) next = stages.template run<StageId::Shade>(ctx, tracer.slot());
        ctx.count_batch(StageId::Shade, shades);
        if (shades && is_ray_stage(next)) tracer.take(tracer.slot(), next);
        if constexpr (requires { source.give_back(ctx, 0u, true); }) source.give_back(ctx, tracer.slot(), next == StageId::Generate);

        LaneStart start;
        const bool got = !source.spent() && source.take(ctx, tracer.idle(), start);
        const bool starts_path = got && start.stage == StageId::Generate;
        if (starts_path) start.stage = stages.generate(ctx, start.slot, start.path);
        ctx.count_batch(StageId::Generate, starts_path);
        if (got) tracer.take(start.slot, start.stage);

        tracer.start();
        if (source.spent() && tracer.num_held(ctx) == 0) return true;
        threshold = source.spent() ? 1 : refill_below;
    }
}
template <class Ctx, class Stages, class PathSource>
WARPATH_HD void run_lane_paths(Ctx& ctx, const Stages& stages, PathSource& source, uint32_t refill_below) {
    typename Stages::CursorStack stack;
    LaneTracer<typename Stages::Cursor> tracer(stages.trace_cursor(stack));
    run_lane_paths(ctx, stages, tracer, source, refill_below, [](Ctx&) {});
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
