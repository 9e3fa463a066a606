#include "api/device_team.h"

#include <chrono>
#include <string>
#include <thread>

namespace warpath {

namespace {

using Clock = std::chrono::steady_clock;

void add_words(CounterWords& sum, const CounterWords& words) {
    for (size_t i = 0; i < words.size(); ++i) sum[i] += words[i];
}

void add_outcome(RunOutcome& sum, const RunOutcome& outcome, const std::string& who) {
    add_words(sum.counters, outcome.counters);
    sum.host.add(outcome.host);
    sum.group_size = outcome.group_size;
    sum.frame_wait_ns += outcome.frame_wait_ns;
    sum.schedule.num_launches += outcome.schedule.num_launches;
    sum.schedule.aborted = sum.schedule.aborted || outcome.schedule.aborted;
    if (sum.stall_report.empty() && !outcome.stall_report.empty()) sum.stall_report = who + outcome.stall_report;
}

}  // namespace

DeviceTeam::DeviceTeam(const DeviceFrames& frames, std::vector<PathRange> tiles)
    : frames_(frames),
      tiles_(std::move(tiles)),
      num_working_(frames.size()),
      outcomes_(frames.size()),
      running_(frames.size()) {}

RunOutcome DeviceTeam::run(const RunHooks& hooks) {
    reports_ = static_cast<bool>(hooks.report);
    const Clock::time_point start = Clock::now();
    {
        std::vector<std::jthread> threads;
        for (size_t device = 0; device < frames_.size(); ++device)
            threads.emplace_back([this, device] { work(device); });
        watch(hooks);
    }
    if (failure_) std::rethrow_exception(failure_);
    RunOutcome all;
    all.time_ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    for (size_t device = 0; device < outcomes_.size(); ++device)
        add_outcome(all, outcomes_[device], "device " + std::to_string(device) + " of the list: ");
    return all;
}

void DeviceTeam::work(size_t device) {
    std::exception_ptr failure;
    try {
        render_tiles(device);
    } catch (...) {
        failure = std::current_exception();
        stop_ = true;
    }
    const std::lock_guard lock(mutex_);
    if (failure && !failure_) failure_ = failure;
    --num_working_;
    ended_.notify_all();
}

void DeviceTeam::render_tiles(size_t device) {
    RunHooks hooks{&stop_, {}};
    if (reports_)
        hooks.report = [&](const CounterWords& words) {
            const std::lock_guard lock(mutex_);
            running_[device] = words;
        };
    while (!stop_) {
        const PathRange tile = tiles_.grab();
        if (tile.count == 0) return;
        const RunOutcome outcome = frames_[device]->run(tile, hooks);
        if (outcome.schedule.aborted) stop_ = true;
        const std::lock_guard lock(mutex_);
        add_outcome(outcomes_[device], outcome, "");
        running_[device] = {};
    }
}

void DeviceTeam::watch(const RunHooks& hooks) {
    Clock::time_point last_report{};
    std::unique_lock lock(mutex_);
    while (!ended_.wait_for(lock, std::chrono::milliseconds(10), [&] { return num_working_ == 0; })) {
        if (hooks.stop && hooks.stop->load(std::memory_order_relaxed)) stop_ = true;
        if (!hooks.report || Clock::now() - last_report < std::chrono::milliseconds(100)) continue;
        last_report = Clock::now();
        const CounterWords words = counters_so_far();
        lock.unlock();  // devices need not wait for who is told
        hooks.report(words);
        lock.lock();
    }
}

/// With the lock held.
CounterWords DeviceTeam::counters_so_far() {
    CounterWords words{};
    for (size_t device = 0; device < frames_.size(); ++device) {
        add_words(words, outcomes_[device].counters);
        add_words(words, running_[device]);
    }
    return words;
}

}  // namespace warpath
