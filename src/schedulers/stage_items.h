#pragma once

#include "render/stage_id.h"
#include "schedulers/parts/slot_queue.h"
#include "schedulers/schedule.h"

/// Item bodies of schedulers that keep their queues in device memory: run one stage on one slot, push the slot to the queue of the
/// stage it asks for. Each is called by all lanes of a group together (parts/drain.h).
namespace warpath {

/// One queue per stage over a plan's buffers.
struct StageQueues {
    uint32_t* slots;
    uint64_t* counts;
    uint32_t capacity;

    StageQueues(const ScheduleBuffers& buffers, uint32_t num_slots)
        : slots(buffers.queues), counts(buffers.control), capacity(num_slots) {}
    WARPATH_HD uint64_t* count(StageId stage) const { return counts + static_cast<int>(stage); }
    WARPATH_HD SlotQueue queue(StageId stage) const {
        return {slots + static_cast<uint64_t>(static_cast<int>(stage)) * capacity, count(stage)};
    }
};

/// Puts every slot into the free queue, in order.
struct FillFreeQueue {
    StageQueues queues;
    template <class Ctx>
    WARPATH_HD void operator()(Ctx&, uint64_t item, bool active) const {
        if (active) queues.queue(StageId::Generate).slots[item] = static_cast<uint32_t>(item);
    }
};

/// Item i starts path first_path + i in free slot first_free + i.
template <class Stages>
struct GenerateItems {
    Stages stages;
    StageQueues queues;
    uint32_t first_free;
    uint64_t first_path;

    template <class Ctx>
    WARPATH_HD void operator()(Ctx& ctx, uint64_t item, bool active) const {
        uint32_t slot = 0;
        if (active) {
            slot = queues.queue(StageId::Generate).slots[first_free + item];
            stages.generate(ctx, slot, first_path + item);
        }
        ctx.count_batch(StageId::Generate, active);
        queues.queue(StageId::Intersect).push(ctx, slot, active);
    }
};

/// Item i runs one stage on the i-th slot of the stage's queue. The queue's own count was set to zero before the launch: entries are
/// read by position, and this stage pushes to other queues only (`Shade` refills `Intersect`, never `Shade`).
template <StageId stage, class Stages>
struct RunItems {
    Stages stages;
    StageQueues queues;

    template <class Ctx>
    WARPATH_HD void operator()(Ctx& ctx, uint64_t item, bool active) const {
        const uint32_t slot = active ? queues.queue(stage).slots[item] : 0u;
        const StageId next = active ? stages.template run<stage>(ctx, slot) : stage;
        ctx.count_batch(stage, active);
        for (StageId target : {StageId::Generate, StageId::Intersect, StageId::Shade, StageId::Occlude})
            if (target != stage) queues.queue(target).push(ctx, slot, active && next == target);
    }
};

}  // namespace warpath
