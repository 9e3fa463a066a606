#pragma once

#include "backends/execute.h"
#include "backends/service_probe.h"

/// Scene and frames in a device's memory, the same for both backends. `Backend` gives `Array<T>`, `FrameState` (what it
/// keeps of a frame between runs) and the operations that schedulers use.
namespace warpath {

/// Scene and BVH in a device's memory, shared by its frames.
template <class Backend>
class DeviceScene {
  public:
    void upload(Backend& backend, const SceneData& scene, const Bvh& bvh) {
        const uint64_t before = backend.allocated_bytes();
        backend.make_current();
        static_cast<SceneConstants&>(scene_view) = scene.constants;
        const auto upload = [&](const char* name, const auto& host, auto& array, auto& column) {
            array.upload(backend, name, host);
            column = {array.data(), static_cast<uint32_t>(host.size())};
        };
        SceneView::for_each_column(upload, scene.columns, scene_, scene_view);
        BvhView::for_each_column(upload, bvh.columns, bvh_, bvh_view);
        backend.synchronize();
        allocated_bytes_ = backend.allocated_bytes() - before;
    }
    uint64_t allocated_bytes() const { return allocated_bytes_; }

    SceneView scene_view{};
    BvhView bvh_view{};

  private:
    SceneColumns<Backend::template Array> scene_;
    BvhColumns<Backend::template Array> bvh_;
    uint64_t allocated_bytes_ = 0;
};

/// A frame's slots, film, queues and control words, and the scheduler that works on them.
template <class Backend>
class DeviceFrame final : public BackendFrame {
  public:
    DeviceFrame(Backend& backend, const DeviceScene<Backend>& scene, const RenderJob& job, const SchedulePlan& plan)
        : backend_(backend), job_(job), plan_(plan) {
        const uint64_t before = backend.allocated_bytes();
        backend.make_current();
        backend.park_service();
        view_.scene = scene.scene_view;
        view_.bvh = scene.bvh_view;
        static_cast<FilmConstants&>(view_.film) = job.film;
        view_.constants = job.frame;
        allocate();
        backend.synchronize();
        allocated_bytes_ = backend.allocated_bytes() - before;
    }

    ~DeviceFrame() override {
        backend_.make_current();
        backend_.end_frame(state_);
    }
    DeviceFrame(const DeviceFrame&) = delete;
    DeviceFrame& operator=(const DeviceFrame&) = delete;

    void clear() override {
        backend_.make_current();
        FilmView::for_each_column([&](const char*, auto& array) { array.clear(backend_); }, film_);
    }
    RunOutcome run(const PathRange& range, const RunHooks& hooks) override {
        begin(range, hooks);
        RunOutcome outcome;
        const uint64_t waited_ns = backend_.host_log().time_ns(HostCall::Wait);
        outcome.frame_begin_ns = host_clock_ns();
        {
            const auto span = backend_.host_range(HostCall::Phase, "frame");
            with_scheduler<Backend>(job_.scheduler, [&]<class Scheduler>() {
                outcome.schedule = ScheduleRunner<Backend, Scheduler>::run(backend_, StageSet{view_}, plan_, buffers());
            });
            backend_.synchronize();
        }
        outcome.frame_end_ns = host_clock_ns();
        outcome.time_ms = static_cast<double>(outcome.frame_end_ns - outcome.frame_begin_ns) * 1e-6;
        outcome.frame_wait_ns = backend_.host_log().time_ns(HostCall::Wait) - waited_ns;
        if (outcome.schedule.aborted) outcome.stall_report = report_stall();
        read_records(outcome);
        return outcome;
    }
    double run_passes(uint32_t num_passes, const RunHooks& hooks) override {
        const uint64_t num_paths = job_.frame.num_paths(), share = (num_paths + num_passes - 1) / num_passes;
        const auto range_of = [&](uint64_t pass) { return PathRange{pass * share, share}; };
        if (job_.scheduler == ResidentScheduler::name) return ServiceProbe<Backend>(backend_).run_passes(*this, num_passes, share);
        double sum_ms = 0;
        for (uint64_t pass = 0; pass < num_passes; ++pass) sum_ms += run(range_of(pass), hooks).time_ms;
        return sum_ms;
    }
    ServiceTimes time_service(uint32_t num_tasks) override {
        if (job_.scheduler != ResidentScheduler::name)
            throw Error(ErrorCode::Unavailable, "scheduler \"" + job_.scheduler + "\" is not a service; only " + ResidentScheduler::name + " is");
        run({0, 0}, {});
        return ServiceProbe<Backend>(backend_).time_tasks(num_tasks);
    }
    void download(FilmColumns<HostColumn>& film) override {
        backend_.make_current();
        FilmView::for_each_column([&](const char*, auto& array, auto& host) { array.download(backend_, host); }, film_,
                                  film);
    }
    void take_film(FilmColumns<HostColumn>& film) override {
        backend_.make_current();
        FilmView::for_each_column([&](const char*, auto& array, auto& host) { array.take(backend_, host); }, film_,
                                  film);
    }
    uint64_t allocated_bytes() const override { return allocated_bytes_; }

  private:
    void allocate() {
        SlotsView::for_each_column(
            [&](const char* name, auto& array, auto& column) {
                array.allocate(backend_, name, plan_.num_slots);
                column = array.data();
            },
            slots_, view_.slots);
        std::vector<uint64_t> sizes;
        size_film(job_, sizes);
        size_t i = 0;
        FilmView::for_each_column(
            [&](const char* name, auto& array, auto& column) {
                array.allocate(backend_, name, sizes[i++]);
                column = array.data();
            },
            film_, view_.film);
        queues_.allocate(backend_, "queues", plan_.num_queue_words);
        control_.allocate(backend_, "control words", plan_.num_control_words);
    }
    /// Everything as it was after allocation, but for the film; the device is idle afterwards.
    void begin(const PathRange& range, const RunHooks& hooks) {
        backend_.make_current();
        job_.stop = hooks.stop;
        job_.report = hooks.report;
        if (!(view_.constants.range == range)) state_.forget();
        view_.constants.range = range;
        queues_.clear(backend_);
        control_.clear(backend_);
        backend_.begin(job_, state_);
    }
    void read_records(RunOutcome& outcome) {
        backend_.read_counters(outcome.counters);
        backend_.read_accounts(outcome.accounts);
        outcome.host = backend_.host_log();
        outcome.group_size = Backend::group_size;
    }
    ScheduleBuffers buffers() { return {queues_.data(), control_.data(), backend_.mailbox()}; }
    std::string report_stall() {
        std::vector<uint64_t> control;
        control_.download(backend_, control);
        std::string text = describe_wait(backend_.stall());
        with_scheduler<Backend>(job_.scheduler, [&]<class Scheduler>() {
            text += ScheduleRunner<Backend, Scheduler>::describe_stall(plan_, control);
        });
        return text;
    }

    Backend& backend_;
    RenderJob job_;
    SchedulePlan plan_;
    FrameView view_{};
    typename Backend::FrameState state_;
    SlotColumns<Backend::template Array> slots_;
    FilmColumns<Backend::template Array> film_;
    typename Backend::template Array<uint32_t> queues_;
    typename Backend::template Array<uint64_t> control_;
    uint64_t allocated_bytes_ = 0;
};

}  // namespace warpath
