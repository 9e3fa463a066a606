#pragma once

#include "backends/render_backend.h"
#include "render/stage_set.h"
#include "schedulers/list.h"
#include "schedulers/parts/stall_report.h"
#include "warpath/error.h"

/// What both backends do around a scheduler: choose it, plan, run, report. `Backend` gives limits() and the operations that schedulers use.
namespace warpath {

/// Sizes of the film's columns for a job; 0 for layers not asked for.
inline void size_film(const RenderJob& job, std::vector<uint64_t>& sizes) {
    const uint64_t pixels = static_cast<uint64_t>(job.frame.width) * job.frame.height;
    sizes = {3 * pixels, pixels, job.albedo ? 3 * pixels : 0, job.normal ? 3 * pixels : 0, job.depth ? pixels : 0,
             job.cost ? pixels : 0, max_bad_pixels, 1};
}

/// What a backend does with one scheduler, apart so that every scheduler's kernels can be compiled on their own (and defined outside of the
/// class, since `extern template` spares only what is not inline). `Stages`: what the kernels run; experiments have others than the renderer's.
template <class Backend, class Scheduler, class Stages = StageSet>
struct ScheduleRunner {
    /// The plan, for as many groups of its resident kernel as fit the device together.
    static SchedulePlan plan(const Backend& backend, DeviceLimits limits, const ScheduleOptions& options, const FrameConstants& frame);
    static ScheduleOutcome run(Backend& backend, const Stages& stages, const SchedulePlan& plan, const ScheduleBuffers& buffers);
    /// What the control words of an aborted frame say: queues, paths, last grabs.
    static std::string describe_stall(const SchedulePlan& plan, const std::vector<uint64_t>& control);
};

template <class Backend, class Scheduler, class Stages>
SchedulePlan ScheduleRunner<Backend, Scheduler, Stages>::plan(const Backend& backend, DeviceLimits limits, const ScheduleOptions& options,
                                                              const FrameConstants& frame) {
    if constexpr (requires { typename Scheduler::template Kernel<Stages>; }) {
        using Kernel = typename Scheduler::template Kernel<Stages>;
        limits.groups_per_block = backend.template groups_per_block<Kernel>(options.block_size);
        uint32_t storage_words = 0;
        if constexpr (requires { Scheduler::storage_words(limits); }) storage_words = Scheduler::storage_words(limits);
        limits.max_resident_groups = backend.template resident_groups<Kernel>(storage_words, options.block_size);
    }
    SchedulePlan plan = Scheduler::plan(limits, options, frame.num_range_paths());
    plan.max_depth = frame.max_depth;
    return plan;
}

template <class Backend, class Scheduler, class Stages>
ScheduleOutcome ScheduleRunner<Backend, Scheduler, Stages>::run(Backend& backend, const Stages& stages, const SchedulePlan& plan,
                                                                const ScheduleBuffers& buffers) {
    return Scheduler::run(backend, stages, plan, buffers);
}

template <class Backend, class Scheduler, class Stages>
std::string ScheduleRunner<Backend, Scheduler, Stages>::describe_stall(const SchedulePlan& plan, const std::vector<uint64_t>& control) {
    return Scheduler::describe_stall(plan, control);
}

/// Calls f.template operator()<Scheduler>() for the scheduler of that name.
/// Errors:  Unavailable for a name that is not in the list, or that this backend cannot run.
template <class Backend, class F>
void with_scheduler(const std::string& name, F&& f) {
    const bool known = SchedulerList::with_name(name, [&]<class Scheduler>() {
        if constexpr (!Backend::runs_everything && !PortableScheduler<Scheduler>)
            throw Error(ErrorCode::Unavailable, "scheduler \"" + name + "\" does not run on the CPU: " + Scheduler::cuda_only);
        else
            f.template operator()<Scheduler>();
    });
    if (!known) throw Error(ErrorCode::Unavailable, "unknown scheduler \"" + name + "\"");
}

template <class Columns>
uint64_t column_bytes(const Columns& columns) {
    uint64_t bytes = 0;
    Columns::for_each_column([&](const char*, const auto& column) { bytes += column.size() * sizeof(column[0]); }, columns);
    return bytes;
}

/// Bytes of one slot over all columns.
inline uint64_t slot_bytes() {
    uint64_t bytes = 0;
    SlotsView slots{};
    SlotsView::for_each_column([&](const char*, auto* column) { bytes += sizeof(*column); }, slots);
    return bytes;
}

/// What a frame will take, with its scene and BVH. counter_bytes: of counters, flags and accounts.
inline std::vector<MemoryItem> plan_memory(const RenderJob& job, const SchedulePlan& plan, uint64_t counter_bytes) {
    std::vector<uint64_t> film_sizes;
    size_film(job, film_sizes);
    uint64_t film_bytes = 0;
    size_t i = 0;
    FilmView film{};
    FilmView::for_each_column([&](const char*, auto* column) { film_bytes += film_sizes[i++] * sizeof(*column); }, film);
    const SceneColumns<HostColumn>& scene = job.scene->columns;
    const uint64_t texture_bytes = 4 * scene.texels8.size() + sizeof(Vec4) * scene.texels32.size();
    std::vector<MemoryItem> items{{"scene", column_bytes(scene) - texture_bytes},
                                  {"textures", texture_bytes},
                                  {"BVH", column_bytes(job.bvh->columns)},
                                  {"path slots", slot_bytes() * plan.num_slots},
                                  {"film", film_bytes},
                                  {"queues and counters", 4ull * plan.num_queue_words + 8ull * plan.num_control_words + counter_bytes}};
    if (job.srgb_steps) items.push_back({"picture", 4ull * job.frame.width * job.frame.height});
    return items;
}

/// `loaded_bytes`: of scene and BVH, where they are in the device's memory already.
template <class Backend>
FramePlan plan_frame(const Backend& backend, const RenderJob& job, uint64_t loaded_bytes) {
    uint64_t fixed_bytes = 0;
    for (const MemoryItem& item : plan_memory(job, {}, backend.counter_bytes(job))) fixed_bytes += item.size_bytes;
    const DeviceLimits limits = backend.limits(fixed_bytes > loaded_bytes ? fixed_bytes - loaded_bytes : 0);
    FramePlan plan;
    with_scheduler<Backend>(job.scheduler, [&]<class Scheduler>() {
        plan.schedule = ScheduleRunner<Backend, Scheduler>::plan(backend, limits, job.schedule, job.frame);
    });
    plan.memory = plan_memory(job, plan.schedule, backend.counter_bytes(job));
    return plan;
}

}  // namespace warpath
