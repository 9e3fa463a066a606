#pragma once

#include <algorithm>

#include "backends/execute.h"
#include "experiments/static_schedule.h"
#include "experiments/synthetic_device.h"
#include "experiments/synthetic_stages.h"

/// The part of SyntheticDevice that is the same for both backends.
namespace warpath::experiments {

/// Calls f.template operator()<Scheduler>() for a scheduler that the backend runs, or `static`.
/// Errors:  Unavailable.
template <class Backend, class F>
void with_synthetic_scheduler(const std::string& name, F&& f) {
    if (name == StaticScheduler::name)
        f.template operator()<StaticScheduler>();
    else
        with_scheduler<Backend>(name, f);
}

template <class Backend>
std::vector<std::string> synthetic_schedulers() {
    std::vector<std::string> names{StaticScheduler::name};
    SchedulerList::for_each([&]<class Scheduler>() {
        if (Backend::runs_everything || PortableScheduler<Scheduler>) names.push_back(Scheduler::name);
    });
    return names;
}

/// All lanes spin and do nothing else.
struct SpinKernel {
    float* results;   ///< one per lane
    uint32_t num_spins;

    template <class Ctx>
    WARPATH_HD void operator()(Ctx& ctx) const {
        results[ctx.group() * ctx.group_size() + ctx.lane()] = spin(2.0f, num_spins);
    }
};

template <class Backend>
class BackendSyntheticFrame final : public SyntheticFrame {
  public:
    BackendSyntheticFrame(Backend& backend, const SyntheticWork& work, const std::string& scheduler, const ScheduleOptions& options)
        : backend_(backend), work_(work) {
        const auto turn = backend.take_turn();
        if constexpr (requires { backend.use(options); }) backend.use(options);
        backend.park_service();
        job_.scheduler = scheduler;
        job_.schedule = options;
        job_.frame.width = static_cast<uint32_t>(work.paths());  // one row of pixels, a sample each
        job_.frame.height = job_.frame.spp = 1;
        job_.frame.max_depth = work.bounces() - 1;
        const DeviceLimits limits = backend.limits(0);
        with_synthetic_scheduler<Backend>(scheduler, [&]<class Scheduler>() {
            plan_ = ScheduleRunner<Backend, Scheduler, SyntheticStages>::plan(backend, limits, options, job_.frame);
        });
        allocate();
        backend.synchronize();
    }
    ~BackendSyntheticFrame() override {
        const auto turn = backend_.take_turn();
        backend_.park_service();
        backend_.end_frame(state_);
    }

    SyntheticOutcome run() override {
        const auto turn = backend_.take_turn();
        begin();
        SyntheticOutcome outcome;
        ScheduleOutcome schedule;
        const uint64_t begin_ns = host_clock_ns();
        with_synthetic_scheduler<Backend>(job_.scheduler, [&]<class Scheduler>() {
            schedule = ScheduleRunner<Backend, Scheduler, SyntheticStages>::run(backend_, SyntheticStages{view_, job_.frame.range}, plan_,
                                                                                {queues_.data(), control_.data(), backend_.mailbox()});
        });
        backend_.synchronize();
        outcome.time_ms = static_cast<double>(host_clock_ns() - begin_ns) * 1e-6;
        outcome.num_launches = schedule.num_launches;
        outcome.aborted = schedule.aborted;
        if (outcome.aborted) outcome.stall_report = report_stall();
        check(outcome);
        return outcome;
    }
    const SchedulePlan& plan() const override { return plan_; }

  private:
    template <class T>
    using Array = typename Backend::template Array<T>;

    template <class T>
    T* allocate(Array<T>& array, const char* name, size_t size) {
        array.allocate(backend_, name, size);
        return array.data();
    }
    void allocate() {
        const uint64_t paths = work_.paths(), slots = plan_.num_slots;
        view_.num_paths = paths, view_.num_slots = plan_.num_slots;
        view_.rays_per_path = work_.rays_per_path;
        view_.spins_per_step = work_.spins_per_step, view_.steps_per_round = work_.steps_per_round;
        view_.state_words = work_.state_words;
        std::copy(work_.shade_spins.begin(), work_.shade_spins.end(), view_.shade_spins);
        if (work_.has_stream()) {
            for (uint64_t path = 0; path < paths; ++path) expected_steps_.push_back(work_.stream.path_steps(path));
            first_ray_.upload(backend_, "first rays", work_.stream.first_ray);
            rays_.upload(backend_, "rays", work_.stream.rays);
            view_.first_ray = first_ray_.data(), view_.rays = rays_.data();
            view_.steps = allocate(steps_, "steps", paths);
            view_.slot_steps = allocate(slot_steps_, "steps of slots", slots);
        }
        view_.ended = allocate(ended_, "ends of paths", paths);
        view_.slot_path = allocate(slot_path_, "paths of slots", slots);
        view_.slot_next = allocate(slot_next_, "rays of slots", slots);
        view_.slot_end = allocate(slot_end_, "last rays of slots", slots);
        view_.slot_value = allocate(slot_value_, "values of slots", slots);
        view_.slot_state = allocate(slot_state_, "state of slots", slots * work_.state_words);
        allocate(queues_, "queues", plan_.num_queue_words);
        allocate(control_, "control words", plan_.num_control_words);
    }
    /// Everything as it was after allocation; the device is idle afterwards.
    void begin() {
        ended_.clear(backend_);
        if (work_.has_stream()) steps_.clear(backend_);
        queues_.clear(backend_);
        control_.clear(backend_);
        backend_.begin(job_, state_);
    }
    std::string report_stall() {
        std::vector<uint64_t> control;
        control_.download(backend_, control);
        std::string text = describe_wait(backend_.stall());
        with_synthetic_scheduler<Backend>(job_.scheduler, [&]<class Scheduler>() {
            text += ScheduleRunner<Backend, Scheduler, SyntheticStages>::describe_stall(plan_, control);
        });
        return text;
    }
    void check(SyntheticOutcome& outcome) {
        std::vector<uint32_t> words;
        ended_.download(backend_, words);
        for (const uint32_t n : words) (n == 0 ? outcome.num_never : n == 1 ? outcome.num_once : outcome.num_more) += 1;
        if (!work_.has_stream()) return;
        steps_.download(backend_, words);
        for (uint64_t path = 0; path < words.size(); ++path) outcome.num_wrong_steps += words[path] != expected_steps_[path];
    }

    Backend& backend_;
    const SyntheticWork& work_;
    std::vector<uint64_t> expected_steps_;  ///< of each path
    RenderJob job_;
    SchedulePlan plan_;
    SyntheticView view_;
    typename Backend::FrameState state_;
    Array<uint32_t> first_ray_, rays_, ended_, steps_, slot_path_, slot_next_, slot_end_, slot_steps_, queues_;
    Array<float> slot_value_;
    Array<uint64_t> slot_state_, control_;
};

template <class Backend>
class BackendSyntheticDevice : public SyntheticDevice {
  public:
    template <class... Args>
    explicit BackendSyntheticDevice(const Args&... args) : backend_(args...) {}

    std::vector<std::string> schedulers() const override { return synthetic_schedulers<Backend>(); }
    std::unique_ptr<SyntheticFrame> prepare(const SyntheticWork& work, const std::string& scheduler, const ScheduleOptions& options) override {
        return std::make_unique<BackendSyntheticFrame<Backend>>(backend_, work, scheduler, options);
    }
    SpinRates measure_spins() override {
        const auto turn = backend_.take_turn();
        backend_.park_service();
        const uint32_t most_groups = std::max(1u, backend_.template resident_groups<SpinKernel>(0, 0));
        typename Backend::template Array<float> results;
        results.allocate(backend_, "results", static_cast<size_t>(most_groups) * Backend::group_size);
        SpinRates rates;
        rates.tolerance = Backend::group_size == 1 ? 0.3 : 0.02;  // cores that others use too change their speed a lot
        rates.num_lanes = static_cast<uint64_t>(most_groups) * Backend::group_size;
        rates.one_lane = best_rate({results.data(), spins_at_once}, 1);
        rates.all_lanes = best_rate({results.data(), spins_at_once}, most_groups) * static_cast<double>(most_groups);
        if (Backend::group_size == 1) rates.all_lanes = rates.one_lane * static_cast<double>(most_groups);  // others may use the processor too
        return rates;
    }

  protected:
    Backend backend_;

  private:
    static constexpr uint32_t spins_at_once = 1u << 17;  ///< some 2 ms, so that a launch does not show

    /// Spins per millisecond of one group's lanes together, by the best of several runs.
    double best_rate(const SpinKernel& kernel, uint32_t num_groups) {
        RenderJob job;
        typename Backend::FrameState state;
        double best = 0;
        for (int i = 0; i < 10; ++i) {
            backend_.begin(job, state);
            const uint64_t begin_ns = host_clock_ns();
            backend_.launch("spin", kernel, num_groups);
            backend_.synchronize();
            const double ms = static_cast<double>(host_clock_ns() - begin_ns) * 1e-6;
            best = std::max(best, kernel.num_spins / ms * (num_groups == 1 ? 1 : Backend::group_size));
        }
        backend_.end_frame(state);
        return best;
    }
};

}  // namespace warpath::experiments
