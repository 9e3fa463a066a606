#pragma once

#include "render/stage_set.h"
#include "schedulers/parts/drain.h"
#include "schedulers/parts/grab.h"
#include "schedulers/parts/slot_list.h"

namespace warpath::experiments {

/// Where slots go after a step, by the stage that they wait for.
struct FusedLists {
    SlotList intersect, shade, occlude;
};

/// Starts path i in slot i.
template <class Stages>
struct FusedGenerate {
    Stages stages;
    SlotList out;
    uint32_t batch;

    template <class Ctx>
    WARPATH_HD void operator()(Ctx& ctx) const {
        const auto start = [&](Ctx& c, uint64_t item, bool active) {
            if (active) {
                stages.generate(c, static_cast<uint32_t>(item), item);
                out.entries[item] = static_cast<uint32_t>(item);
            }
            c.count_batch(StageId::Generate, active);
        };
        drain(ctx, GroupStride::for_group(ctx, batch), stages.num_paths(), start);
        if (ctx.group() == 0 && ctx.lane() == 0) *out.count = stages.num_paths();
    }
};

/// Runs some of the stages of a bounce, in their order, on every slot of a list, and passes the slots on.
template <class Stages, bool intersects, bool shades, bool occludes>
struct FusedStep {
    Stages stages;
    SlotList in;      ///< slots that wait for the first of the stages
    FusedLists out;
    uint32_t batch;

    template <class Ctx>
    WARPATH_HD void operator()(Ctx& ctx) const {
        const auto run = [&](Ctx& c, uint64_t item, bool active) {
            const uint32_t slot = active ? in.entries[item] : 0;
            StageId next = !active ? StageId::Generate : intersects ? StageId::Intersect : shades ? StageId::Shade : StageId::Occlude;
            if constexpr (intersects) next = run_stage<StageId::Intersect>(c, slot, next);
            if constexpr (shades) next = run_stage<StageId::Shade>(c, slot, next);
            if constexpr (occludes) next = run_stage<StageId::Occlude>(c, slot, next);
            out.intersect.push(c, slot, next == StageId::Intersect);
            if constexpr (!shades) out.shade.push(c, slot, next == StageId::Shade);
            if constexpr (!occludes) out.occlude.push(c, slot, next == StageId::Occlude);
        };
        drain(ctx, GroupStride::for_group(ctx, batch), *in.count, run);
    }

  private:
    template <StageId stage, class Ctx>
    WARPATH_HD StageId run_stage(Ctx& ctx, uint32_t slot, StageId next) const {
        const bool active = next == stage;
        if (active) next = stages.template run<stage>(ctx, slot);
        ctx.count_batch(stage, active);
        return next;
    }
};

}  // namespace warpath::experiments
