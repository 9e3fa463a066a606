#pragma once

#include <cstring>
#include <optional>
#include <utility>

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
        const auto turn = backend.take_turn();
        static_cast<SceneConstants&>(scene_view) = scene.constants;
        const auto upload = [&](const char* name, const auto& host, auto& array, auto& column) {
            array.upload(backend, name, host);
            column = {array.data(), static_cast<uint32_t>(host.size())};
        };
        SceneView::for_each_column(upload, scene.columns, scene_, scene_view);
        BvhView::for_each_column(upload, bvh.columns, bvh_, bvh_view);
        bvh_view.origin_slack = bvh.origin_slack;
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

/// What an edit replaces of a scene's columns, in a device's memory.
template <class Backend>
class DeviceSceneEdit {
  public:
    /// Brings the device's memory up to date and gives the scene's view with the edit in it.
    SceneView apply(Backend& backend, const SceneView& loaded, const SceneEdit& edit) {
        SceneView view = loaded;
        static_cast<SceneConstants&>(view) = edit.constants;
        size_t i = 0;
        const auto replace = [&](const char* name, const auto& host, auto& array, auto& column) {
            const uint32_t version = edit.version[i];
            if (version != 0) {
                if (version != uploaded_[i]) array.assign(backend, name, host);
                column = {array.data(), static_cast<uint32_t>(host.size())};
            }
            uploaded_[i++] = version;
        };
        SceneView::for_each_column(replace, edit.columns, arrays_, view);
        return view;
    }

  private:
    SceneColumns<Backend::template Array> arrays_;
    decltype(SceneEdit::version) uploaded_{};
};

/// What frames of one picture have in common.
template <class Backend>
struct FramePicture {
    FramePicture(Backend& backend, const RenderJob& job) {
        std::vector<uint64_t> sizes;
        size_film(job, sizes);
        size_t i = 0;
        FilmView::for_each_column(
            [&](const char* name, auto& array, auto& column) {
                array.allocate(backend, name, sizes[i++]);
                column = array.data();
            },
            film, film_pointers);
        if (!job.srgb_steps) return;
        srgb_steps.upload(backend, "display table", *job.srgb_steps);
        if constexpr (!Backend::shares_host_memory) developed.allocate(backend, "picture", sizes[1]);
    }

    FilmColumns<Backend::template Array> film;
    FilmColumns<PointerColumn> film_pointers{};
    typename Backend::template Array<float> srgb_steps;
    typename Backend::template Array<uint32_t> developed;  ///< a word per pixel, on its way to the host
    DeviceSceneEdit<Backend> edit;
};

/// A frame's slots, film, queues and control words, and the scheduler that works on them. `Stages`: what its kernels run.
template <class Backend, class Stages = StageSet>
class DeviceFrame final : public BackendFrame {
  public:
    DeviceFrame(Backend& backend, const DeviceScene<Backend>& scene, const RenderJob& job, const SchedulePlan& plan, const DeviceFrame* sibling)
        : backend_(backend), scene_(scene), job_(job), plan_(plan) {
        const uint64_t before = backend.allocated_bytes();
        const auto turn = backend.take_turn();
        backend.park_service();
        view_.bvh = scene.bvh_view;
        allocate(sibling);
        set_view(job, scene.scene_view);
        backend.synchronize();
        allocated_bytes_ = backend.allocated_bytes() - before;
    }

    ~DeviceFrame() override {
        try {
            last_turn_.emplace(backend_.take_turn());
            backend_.park_service();  // another frame's too, since memory is freed
            backend_.end_frame(state_);
        } catch (const Error&) {  // the device is lost, and what is freed now is lost with it
        }
    }
    DeviceFrame(const DeviceFrame&) = delete;
    DeviceFrame& operator=(const DeviceFrame&) = delete;

    void clear() override {
        const auto turn = backend_.take_turn();
        if (backend_.serves(state_)) {  // beside it, a memset finds no room and copies are slow
            begin_task();
            do_task(ServiceTask::Clear);
        } else {
            FilmView::for_each_column([&](const char*, auto& array) { array.clear(backend_); }, picture_->film);
        }
    }
    RunOutcome run(const PathRange& range, const RunHooks& hooks) override {
        const auto turn = backend_.take_turn();
        begin(range, hooks);
        RunOutcome outcome;
        const uint64_t waited_ns = backend_.host_log().time_ns(HostCall::Wait);
        outcome.frame_begin_ns = host_clock_ns();
        {
            const auto span = backend_.host_range(HostCall::Phase, "frame");
            with_scheduler<Backend>(job_.scheduler, [&]<class Scheduler>() {
                outcome.schedule = ScheduleRunner<Backend, Scheduler, Stages>::run(backend_, Stages{view_}, plan_, buffers());
            });
            backend_.synchronize();
        }
        outcome.frame_end_ns = host_clock_ns();
        outcome.time_ms = static_cast<double>(outcome.frame_end_ns - outcome.frame_begin_ns) * 1e-6;
        outcome.frame_wait_ns = backend_.host_log().time_ns(HostCall::Wait) - waited_ns;
        if (outcome.schedule.aborted) outcome.stall_report = report_stall();
        read_records(outcome);
        if (outcome.schedule.aborted) backend_.drop_service(state_);
        return outcome;
    }
    double run_passes(uint32_t num_passes, const RunHooks& hooks) override {
        const auto turn = backend_.take_turn();
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
        const auto turn = backend_.take_turn();
        run({0, 0}, {});
        return ServiceProbe<Backend>(backend_).time_tasks(num_tasks);
    }
    void download(FilmColumns<HostColumn>& film) override {
        const auto turn = backend_.take_turn();
        FilmView::for_each_column([&](const char*, auto& array, auto& host) { array.download(backend_, host); }, picture_->film,
                                  film);
    }
    void take_film(FilmColumns<HostColumn>& film) override {
        const auto turn = backend_.take_turn();
        FilmView::for_each_column([&](const char*, auto& array, auto& host) { array.take(backend_, host); }, picture_->film,
                                  film);
    }
    void update(const RenderJob& job, const SceneEdit* edit) override {
        const auto turn = backend_.take_turn();
        const FrameView before = view_;
        job_ = job;
        set_view(job, edit ? picture_->edit.apply(backend_, scene_.scene_view, *edit) : scene_.scene_view);
        view_.constants.range = before.constants.range;
        if (memcmp(&before, &view_, sizeof view_) != 0) state_.forget();
        if (!same_columns(before.scene, view_.scene) && backend_.serves(state_)) backend_.park_service();
    }
    void develop(DevelopSettings settings, uint32_t* rgba, bool on_device) override {
        const auto turn = backend_.take_turn();
        begin_task();
        const bool in_place = on_device || Backend::shares_host_memory;
        settings.num_pixels = job_.frame.width * job_.frame.height;
        settings.srgb_steps = picture_->srgb_steps.data();
        settings.out = in_place ? rgba : picture_->developed.data();
        if (backend_.serves(state_)) {  // which leaves no room for another kernel
            static_assert(sizeof settings <= sizeof(ServicePayload));
            memcpy(backend_.service().payload(), static_cast<const void*>(&settings), sizeof settings);
            do_task(ServiceTask::Develop, (sizeof settings + 7) / 8);
        } else {
            backend_.launch("develop", DevelopKernel{view_.film, settings});
        }
        backend_.synchronize();
        if (!in_place) picture_->developed.download(backend_, rgba);
    }
    void park() override {
        const auto turn = backend_.take_turn();
        if (backend_.serves(state_)) backend_.park_service();
    }
    uint64_t allocated_bytes() const override { return allocated_bytes_; }

  private:
    void allocate(const DeviceFrame* sibling) {
        SlotsView::for_each_column(
            [&](const char* name, auto& array, auto& column) {
                array.allocate(backend_, name, plan_.num_slots);
                column = array.data();
            },
            slots_, view_.slots);
        picture_ = sibling ? sibling->picture_ : std::make_shared<FramePicture<Backend>>(backend_, job_);
        static_cast<FilmColumns<PointerColumn>&>(view_.film) = picture_->film_pointers;
        first_path_.allocate(backend_, "first path", 1);
        queues_.allocate(backend_, "queues", plan_.num_queue_words);
        control_.allocate(backend_, "control words", plan_.num_control_words);
    }
    void set_view(const RenderJob& job, const SceneView& scene) {
        view_.scene = scene;
        static_cast<FilmConstants&>(view_.film) = job.film;
        view_.constants = job.frame;
    }
    /// Whether both have the same memory, so that a kernel that stays need not be told.
    static bool same_columns(const SceneView& a, const SceneView& b) {
        bool same = true;
        SceneView::for_each_column([&](const char*, const auto& one, const auto& other) { same = same && one.data == other.data && one.size == other.size; },
                                   a, b);
        return same;
    }
    /// Before something that is no run: nobody stops it, and the watchdog's time begins.
    void begin_task() {
        job_.stop = job_.drop = nullptr;
        job_.report = {};
        const bool timeline = std::exchange(job_.timeline, false);
        backend_.begin(job_, state_);
        job_.timeline = timeline;
    }
    /// Has the kernel that stays do something.
    void do_task(ServiceTask kind, uint64_t payload_words = 0) {
        if (backend_.wait_for_service(backend_.service().post(kind, 0, payload_words)) != StopLevel::Abort) return;
        backend_.drop_service(state_);
        throw Error(ErrorCode::Device, "the resident kernel did not work on the film within " + std::to_string(job_.watchdog_s) +
                                           " s and was given up; raise --watchdog if the device is only slow");
    }
    /// Tasks of a service bring their first path along; kernels, which may be nodes of a graph, read it from memory, so that only another number of paths
    /// asks for another graph.
    void set_range(const PathRange& range) {
        FrameConstants& constants = view_.constants;
        const PathRange before = constants.range;
        constants.range = range;
        if (job_.scheduler == ResidentScheduler::name) return;
        constants.range = {0, constants.num_range_paths()};
        view_.first_path = first_path_.data();
        first_path_.set(backend_, range.first);
        if (!(constants.range == before)) state_.forget();
    }
    /// Everything as it was after allocation, but for the film; the device is idle afterwards.
    void begin(const PathRange& range, const RunHooks& hooks) {
        // To drop a frame of a kernel that stays would be to start the kernel again.
        const bool drops = job_.scheduler != ResidentScheduler::name;
        job_.drop = drops ? hooks.drop : nullptr;
        job_.stop = drops || !hooks.drop ? hooks.stop : hooks.drop;
        job_.report = hooks.report;
        set_range(range);
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

    static_assert(num_live_words <= service_payload_words && sizeof(Stages) <= 4 * service_live_words);

    std::optional<decltype(std::declval<Backend&>().take_turn())> last_turn_;  ///< first of all, so that it is held until the others are freed
    Backend& backend_;
    const DeviceScene<Backend>& scene_;
    RenderJob job_;
    SchedulePlan plan_;
    FrameView view_{};
    typename Backend::FrameState state_;
    SlotColumns<Backend::template Array> slots_;
    std::shared_ptr<FramePicture<Backend>> picture_;
    typename Backend::template Array<uint32_t> queues_;
    typename Backend::template Array<uint64_t> control_, first_path_;
    uint64_t allocated_bytes_ = 0;
};

}  // namespace warpath
