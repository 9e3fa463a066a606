#pragma once

#include "schedulers/parts/slot_queue.h"
#include "schedulers/schedule.h"
#include "schedulers/stage_items.h"

/// `launch`: one kernel per stage and bounce, the host reads queue sizes back. The plain wavefront of Laine, Karras and Aila,
/// "Megakernels Considered Harmful: Wavefront Path Tracing on GPUs", HPG 2013, with path regeneration: slots of finished paths start
/// new ones at the next bounce, so that the pool stays full until the paths run out.
namespace warpath {

struct LaunchScheduler {
    static constexpr const char* name = "launch";
    static constexpr const char* summary = "one kernel per stage and bounce, queue sizes read back by the host";

    static SchedulePlan plan(const DeviceLimits& limits, const ScheduleOptions& options, uint64_t num_paths) {
        SchedulePlan plan;
        uint64_t slots = options.num_slots ? options.num_slots : limits.slots_per_pool;
        slots = slots < num_paths ? slots : num_paths;
        plan.num_slots = static_cast<uint32_t>(slots < limits.max_slots ? slots : limits.max_slots);
        plan.num_groups = limits.max_resident_groups;
        plan.batch = options.batch ? options.batch : limits.batch;
        plan.num_queue_words = num_stages * plan.num_slots;
        plan.num_control_words = num_stages;
        return plan;
    }

    /// Stages:  see StageItems. Ends when no path is left to start and every slot is free; the depth limit bounds every path.
    template <class Backend, class Stages>
    static ScheduleOutcome run(Backend& backend, const Stages& stages, const SchedulePlan& plan, const ScheduleBuffers& buffers) {
        StageQueues queues(buffers, plan.num_slots);
        uint64_t num_paths = stages.num_paths(), next_path = 0;
        uint64_t num_free = plan.num_slots, num_rays = 0;
        backend.for_each_item("fill", plan.num_slots, plan.batch, FillFreeQueue{queues});
        while (num_free < plan.num_slots || next_path < num_paths) {
            const StopLevel stop = backend.poll(next_path);
            if (stop == StopLevel::Abort) return {backend.num_launches(), true};
            if (stop == StopLevel::NoNewPaths) num_paths = next_path;

            const uint64_t starts = num_free < num_paths - next_path ? num_free : num_paths - next_path;
            num_free -= starts;
            backend.write(queues.count(StageId::Generate), num_free);
            backend.for_each_item("generate", starts, plan.batch,
                                  GenerateItems<Stages>{stages, queues, static_cast<uint32_t>(num_free), next_path});
            next_path += starts;
            num_rays += starts;

            backend.write(queues.count(StageId::Intersect), 0);
            backend.for_each_item("intersect", num_rays, plan.batch, RunItems<StageId::Intersect, Stages>{stages, queues});
            backend.write(queues.count(StageId::Shade), 0);
            backend.for_each_item("shade", num_rays, plan.batch, RunItems<StageId::Shade, Stages>{stages, queues});
            const uint64_t num_shadow_rays = backend.read(queues.count(StageId::Occlude));
            backend.write(queues.count(StageId::Occlude), 0);
            backend.for_each_item("occlude", num_shadow_rays, plan.batch, RunItems<StageId::Occlude, Stages>{stages, queues});
            num_rays = backend.read(queues.count(StageId::Intersect));
            num_free = backend.read(queues.count(StageId::Generate));
        }
        return {backend.num_launches(), false};
    }
};

}  // namespace warpath
