#include "experiments/record_costs.h"

#include <algorithm>
#include <thread>

#include "api/render_options.h"
#include "api/scene_impl.h"
#include "backends/cpu/cpu_backend.h"
#include "backends/execute.h"

namespace warpath::experiments {
namespace {

using PathLog = std::vector<uint32_t>;  ///< pack_ray()

/// A context that also adds up the steps that a ray reports at its end.
template <class Ctx>
struct StepCounter {
    Ctx& ctx;
    uint32_t num_steps = 0;

    void count(Counter id, uint32_t n) {
        if (id == Counter::NodeSteps || id == Counter::TriangleTests) num_steps += n;
        ctx.count(id, n);
    }
    void count_ray(RayKind kind, uint32_t bounce) { ctx.count_ray(kind, bounce); }
    template <class T>
    T add(T* p, T n) {
        return ctx.add(p, n);
    }
};

/// The renderer's stages, each ray of which leaves its cost in its path's log. A slot is held by one group at a time, and so is its path's log.
struct RecordingStages {
    StageSet stages;
    uint64_t* slot_path;
    PathLog* logs;

    uint64_t num_paths() const { return stages.num_paths(); }
    template <class Ctx>
    StageId generate(Ctx& ctx, uint32_t slot, uint64_t path_index) const {
        slot_path[slot] = path_index;
        return stages.generate(ctx, slot, path_index);
    }
    template <StageId stage, class Ctx>
    StageId run(Ctx& ctx, uint32_t slot) const {
        static_assert(stage == StageId::Shade);
        uint32_t& ray = logs[slot_path[slot]].back();
        ray = pack_ray(false, class_of(stages.frame.slots.hit[slot].hit), steps_of_ray(ray));
        return stages.run<StageId::Shade>(ctx, slot);
    }

    using CursorStack = StageSet::CursorStack;
    struct Cursor : StageSet::Cursor {
        const RecordingStages* recording;

        Cursor(const RecordingStages& stages, CursorStack& stack) : StageSet::Cursor(stages.stages.trace_cursor(stack)), recording(&stages) {}
        template <class Ctx>
        StageId finish(Ctx& ctx, uint32_t slot, StageId stage) const {
            StepCounter<Ctx> counter{ctx};
            const StageId next = StageSet::Cursor::finish(counter, slot, stage);
            recording->logs[recording->slot_path[slot]].push_back(pack_ray(stage == StageId::Occlude, 0, std::min(counter.num_steps, max_ray_steps)));
            return next;
        }
    };
    Cursor trace_cursor(CursorStack& stack) const { return Cursor(*this, stack); }

  private:
    uint32_t class_of(const Hit& hit) const {
        const SceneView& scene = stages.frame.scene;
        if (hit.prim_id == invalid_id) return miss_class;
        return 1 + static_cast<uint32_t>(scene.materials[scene.triangles[find_prim(scene, hit.prim_id).triangle].material_id].kind);
    }
};

/// A frame's columns in host memory.
struct HostFrame {
    SlotColumns<HostColumn> slots;
    FilmColumns<HostColumn> film;

    HostFrame(const RenderJob& job, uint32_t num_slots, FrameView& view) {
        static_cast<SceneConstants&>(view.scene) = job.scene->constants;
        const auto show = [](const char*, const auto& host, auto& column) { column = {host.data(), static_cast<uint32_t>(host.size())}; };
        SceneView::for_each_column(show, job.scene->columns, view.scene);
        BvhView::for_each_column(show, job.bvh->columns, view.bvh);
        view.bvh.origin_slack = job.bvh->origin_slack;
        static_cast<FilmConstants&>(view.film) = job.film;
        view.constants = job.frame;
        std::vector<uint64_t> sizes;
        size_film(job, sizes);
        size_t i = 0;
        SlotsView::for_each_column([&](const char*, auto& host, auto& column) { host.resize(num_slots), column = host.data(); }, slots, view.slots);
        FilmView::for_each_column([&](const char*, auto& host, auto& column) { host.resize(sizes[i++]), column = host.data(); }, film, view.film);
    }
};

CostStream stream_of(const std::vector<PathLog>& logs) {
    CostStream stream;
    uint64_t num_rays = 0;
    for (const PathLog& log : logs) num_rays += log.size();
    if (num_rays >> 32) throw Error(ErrorCode::BadOption, "a cost stream holds fewer than 2^32 rays; record a smaller frame");
    stream.rays.reserve(num_rays);
    for (const PathLog& log : logs) {
        stream.rays.insert(stream.rays.end(), log.begin(), log.end());
        stream.first_ray.push_back(static_cast<uint32_t>(stream.rays.size()));
    }
    return stream;
}

}  // namespace

CostStream record_costs(const LoadedScene& scene, const RenderOptions& options, Counters* counters) {
    const RenderJob job = [&] {
        RenderJob made = make_job(scene.impl().data, scene.impl().bvh, options);
        made.scheduler = PersistentScheduler::name;
        return made;
    }();
    CpuBackend backend(options.num_threads ? options.num_threads : std::max(1u, std::thread::hardware_concurrency()));
    using Runner = ScheduleRunner<CpuBackend, PersistentScheduler, RecordingStages>;
    const SchedulePlan plan = Runner::plan(backend, backend.limits(0), job.schedule, job.frame);
    FrameView view{};
    const HostFrame frame(job, plan.num_slots, view);
    std::vector<uint32_t> queues(plan.num_queue_words);
    std::vector<uint64_t> control(plan.num_control_words), slot_path(plan.num_slots);
    std::vector<PathLog> logs(job.frame.num_paths());
    CpuBackend::FrameState state;
    backend.begin(job, state);
    const ScheduleOutcome outcome =
        Runner::run(backend, RecordingStages{StageSet{view}, slot_path.data(), logs.data()}, plan, {queues.data(), control.data(), backend.mailbox()});
    if (outcome.aborted) throw Error(ErrorCode::Unavailable, "recording made no progress and was given up: " + Runner::describe_stall(plan, control));
    if (counters) {
        CounterWords words{};
        backend.read_counters(words);
        counters->fill(0);
        std::copy_n(words.begin(), num_kernel_counters, counters->begin());
    }
    backend.end_frame(state);
    CostStream stream = stream_of(logs);
    check_stream(stream);
    return stream;
}

}  // namespace warpath::experiments
