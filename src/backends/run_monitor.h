#pragma once

#include <chrono>
#include <string>

#include "backends/render_backend.h"

namespace warpath {

/// The host's side of a running frame: turns the caller's flags and the watchdog into a StopLevel and passes progress on.
/// Threads: called from the rendering thread only.
class RunMonitor {
  public:
    using Clock = std::chrono::steady_clock;

    using ReadCounters = std::function<void(std::array<uint64_t, num_counter_words>&)>;

    /// `read_counters` gives the counters so far; it is called only when progress is reported.
    RunMonitor(const RenderJob& job, ReadCounters read_counters)
        : job_(job), read_counters_(std::move(read_counters)), last_change_(Clock::now()) {}

    /// `started_paths` and `heartbeat` grow while kernels make progress; if neither does for the watchdog's time, the answer is Abort.
    StopLevel update(uint64_t started_paths, uint64_t heartbeat) {
        const auto now = Clock::now();
        if (started_paths != started_paths_ || heartbeat != heartbeat_) last_change_ = now;
        started_paths_ = started_paths;
        heartbeat_ = heartbeat;
        if (std::chrono::duration<double>(now - last_change_).count() > job_.watchdog_s) level_ = StopLevel::Abort;
        if (is_set(job_.drop)) level_ = StopLevel::Abort;
        if (level_ == StopLevel::Run && is_set(job_.stop)) level_ = StopLevel::NoNewPaths;
        if (job_.report && now - last_report_ > std::chrono::milliseconds(100)) {
            last_report_ = now;
            std::array<uint64_t, num_counter_words> counters{};
            read_counters_(counters);
            job_.report(counters);
        }
        return level_;
    }
    StopLevel level() const { return level_; }
    /// The caller's flags ask for another level than the last update knew: what waits need not wait for its next look. Costs little.
    bool is_asked() const { return (level_ != StopLevel::Abort && is_set(job_.drop)) || (level_ == StopLevel::Run && is_set(job_.stop)); }

  private:
    static bool is_set(const std::atomic<bool>* flag) { return flag && flag->load(std::memory_order_relaxed); }

    const RenderJob& job_;
    ReadCounters read_counters_;
    Clock::time_point last_change_, last_report_{};
    uint64_t started_paths_ = 0, heartbeat_ = 0;
    StopLevel level_ = StopLevel::Run;
};

}  // namespace warpath
