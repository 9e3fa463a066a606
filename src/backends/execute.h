#pragma once

#include <chrono>

#include "backends/render_backend.h"
#include "render/stage_set.h"
#include "schedulers/list.h"
#include "schedulers/parts/stall_report.h"
#include "warpath/error.h"

/// What both backends do around a scheduler: plan, allocate, upload, run, download. `Backend` gives `Array<T>`, limits() and the operations
/// that schedulers use.
namespace warpath {

/// Sizes of the film's columns for a job; 0 for layers not asked for.
inline void size_film(const RenderJob& job, std::vector<uint64_t>& sizes) {
    const uint64_t pixels = static_cast<uint64_t>(job.frame.width) * job.frame.height;
    sizes = {3 * pixels, pixels, job.albedo ? 3 * pixels : 0, job.normal ? 3 * pixels : 0, job.depth ? pixels : 0,
             job.cost ? pixels : 0, max_bad_pixels, 1};
}

/// What a backend does with one scheduler, apart so that every scheduler's kernels can be compiled on their own (and defined outside of the
/// class, since `extern template` spares only what is not inline).
template <class Backend, class Scheduler>
struct ScheduleRunner {
    /// The plan, for as many groups of its resident kernel as fit the device together.
    static SchedulePlan plan(const Backend& backend, DeviceLimits limits, const ScheduleOptions& options, const FrameConstants& frame);
    static ScheduleOutcome run(Backend& backend, const StageSet& stages, const SchedulePlan& plan, const ScheduleBuffers& buffers);
    /// What the control words of an aborted frame say: queues, paths, last grabs.
    static std::string describe_stall(const SchedulePlan& plan, const std::vector<uint64_t>& control);
};

template <class Backend, class Scheduler>
SchedulePlan ScheduleRunner<Backend, Scheduler>::plan(const Backend& backend, DeviceLimits limits, const ScheduleOptions& options,
                                                      const FrameConstants& frame) {
    if constexpr (requires { typename Scheduler::template Kernel<StageSet>; }) {
        using Kernel = typename Scheduler::template Kernel<StageSet>;
        limits.groups_per_block = backend.template groups_per_block<Kernel>(options.block_size);
        uint32_t storage_words = 0;
        if constexpr (requires { Scheduler::storage_words(limits); }) storage_words = Scheduler::storage_words(limits);
        limits.max_resident_groups = backend.template resident_groups<Kernel>(storage_words, options.block_size);
    }
    SchedulePlan plan = Scheduler::plan(limits, options, frame.num_paths());
    plan.max_depth = frame.max_depth;
    return plan;
}

template <class Backend, class Scheduler>
ScheduleOutcome ScheduleRunner<Backend, Scheduler>::run(Backend& backend, const StageSet& stages, const SchedulePlan& plan,
                                                        const ScheduleBuffers& buffers) {
    return Scheduler::run(backend, stages, plan, buffers);
}

template <class Backend, class Scheduler>
std::string ScheduleRunner<Backend, Scheduler>::describe_stall(const SchedulePlan& plan, const std::vector<uint64_t>& control) {
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

template <class Backend>
SchedulePlan plan_schedule(const Backend& backend, const RenderJob& job) {
    SchedulePlan plan;
    with_scheduler<Backend>(job.scheduler, [&]<class Scheduler>() {
        plan = ScheduleRunner<Backend, Scheduler>::plan(backend, backend.limits(job), job.schedule, job.frame);
    });
    return plan;
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

inline std::vector<MemoryItem> plan_memory(const RenderJob& job, const SchedulePlan& plan, uint32_t num_counter_copies) {
    std::vector<uint64_t> film_sizes;
    size_film(job, film_sizes);
    uint64_t film_bytes = 0;
    size_t i = 0;
    FilmView film{};
    FilmView::for_each_column([&](const char*, auto* column) { film_bytes += film_sizes[i++] * sizeof(*column); }, film);
    const SceneColumns<HostColumn>& scene = job.scene->columns;
    const uint64_t texture_bytes = 4 * scene.texels8.size() + sizeof(Vec4) * scene.texels32.size();
    return {{"scene", column_bytes(scene) - texture_bytes},
            {"textures", texture_bytes},
            {"BVH", column_bytes(job.bvh->columns)},
            {"path slots", slot_bytes() * plan.num_slots},
            {"film", film_bytes},
            {"queues and counters", 4ull * plan.num_queue_words + 8ull * (plan.num_control_words + num_counter_copies * num_counter_words)}};
}

/// Owned columns on a backend, and the view of them.
template <class Backend>
struct DeviceFrame {
    SceneColumns<Backend::template Array> scene;
    BvhColumns<Backend::template Array> bvh;
    SlotColumns<Backend::template Array> slots;
    FilmColumns<Backend::template Array> film;
    typename Backend::template Array<uint32_t> queues;
    typename Backend::template Array<uint64_t> control;
};

template <class Backend>
FrameView upload_frame(Backend& backend, const RenderJob& job, const SchedulePlan& plan, DeviceFrame<Backend>& device) {
    FrameView view{};
    view.constants = job.frame;
    static_cast<SceneConstants&>(view.scene) = job.scene->constants;
    static_cast<FilmConstants&>(view.film) = job.film;
    const auto upload = [&](const char* name, const auto& host, auto& array, auto& column) {
        array.upload(backend, name, host);
        column = {array.data(), static_cast<uint32_t>(host.size())};
    };
    SceneView::for_each_column(upload, job.scene->columns, device.scene, view.scene);
    BvhView::for_each_column(upload, job.bvh->columns, device.bvh, view.bvh);
    SlotsView::for_each_column(
        [&](const char* name, auto& array, auto& column) {
            array.allocate(backend, name, plan.num_slots);
            column = array.data();
        },
        device.slots, view.slots);
    std::vector<uint64_t> sizes;
    size_film(job, sizes);
    size_t i = 0;
    FilmView::for_each_column(
        [&](const char* name, auto& array, auto& column) {
            array.allocate(backend, name, sizes[i++]);
            column = array.data();
        },
        device.film, view.film);
    device.queues.allocate(backend, "queues", plan.num_queue_words);
    device.control.allocate(backend, "control words", plan.num_control_words);
    return view;
}

template <class Backend, class Words>
std::string report_stall(Backend& backend, const RenderJob& job, const SchedulePlan& plan, Words& words) {
    std::vector<uint64_t> control;
    words.download(backend, control);
    std::string text = describe_wait(backend.stall());
    with_scheduler<Backend>(job.scheduler,
                            [&]<class Scheduler>() { text += ScheduleRunner<Backend, Scheduler>::describe_stall(plan, control); });
    return text;
}

/// Renders one job on a backend.
template <class Backend>
RenderOutcome execute(Backend& backend, const RenderJob& job) {
    const auto now = [] { return std::chrono::steady_clock::now(); };
    const auto ms = [](auto a, auto b) { return std::chrono::duration<double, std::milli>(b - a).count(); };
    RenderOutcome outcome;
    outcome.plan = plan_schedule(backend, job);
    if (job.planned) job.planned(plan_memory(job, outcome.plan, Backend::num_counter_copies), outcome.plan);

    const auto start = now();
    DeviceFrame<Backend> device;
    backend.begin(job);
    const FrameView view = upload_frame(backend, job, outcome.plan, device);
    backend.synchronize();
    const auto uploaded = now();
    const StageSet stages{view};
    const ScheduleBuffers buffers{device.queues.data(), device.control.data(), backend.mailbox()};
    with_scheduler<Backend>(job.scheduler, [&]<class Scheduler>() {
        outcome.schedule = ScheduleRunner<Backend, Scheduler>::run(backend, stages, outcome.plan, buffers);
    });
    backend.synchronize();
    outcome.upload_ms = ms(start, uploaded);
    outcome.render_ms = ms(uploaded, now());
    FilmView::for_each_column([&](const char*, auto& array, auto& host) { array.download(backend, host); }, device.film, outcome.film);
    if (outcome.schedule.aborted) outcome.stall_report = report_stall(backend, job, outcome.plan, device.control);
    backend.read_counters(outcome.counters);
    outcome.allocated_bytes = backend.allocated_bytes();
    outcome.context_bytes = backend.context_bytes();
    return outcome;
}

}  // namespace warpath
