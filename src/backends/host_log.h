#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace warpath {

/// What the host does while a frame is under way.
enum class HostCall : uint32_t { Phase, Launch, Wait, ToDevice, ToHost };
inline constexpr size_t num_host_calls = 5;

/// The host's steady clock.
inline uint64_t host_clock_ns() {
    return static_cast<uint64_t>(std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count());
}

struct HostEvent {
    std::string name;
    HostCall call;
    uint64_t begin_ns, end_ns;  ///< host_clock_ns()
    uint64_t bytes;             ///< of copies
};

/// What the host's calls cost: sums by kind, and, where a timeline was asked for, each call. Calls may lie within each other (a wait within a
/// copy); then each counts. Used by one thread.
class HostLog {
  public:
    /// max_events: 0 for sums alone.
    void begin(size_t max_events) {
        sums_ = {};
        events_.clear();
        max_events_ = max_events;
        num_dropped_ = 0;
    }
    void add(HostCall call, const char* name, uint64_t begin_ns, uint64_t end_ns, uint64_t bytes) {
        Sum& sum = sums_[static_cast<size_t>(call)];
        sum.time_ns += end_ns - begin_ns;
        sum.bytes += bytes;
        if (events_.size() < max_events_)
            events_.push_back({name, call, begin_ns, end_ns, bytes});
        else if (max_events_ > 0)
            ++num_dropped_;
    }
    /// Adds another log's sums, without its events.
    void add(const HostLog& other) {
        for (size_t i = 0; i < num_host_calls; ++i) {
            sums_[i].time_ns += other.sums_[i].time_ns;
            sums_[i].bytes += other.sums_[i].bytes;
        }
    }
    uint64_t time_ns(HostCall call) const { return sums_[static_cast<size_t>(call)].time_ns; }
    uint64_t bytes(HostCall call) const { return sums_[static_cast<size_t>(call)].bytes; }
    const std::vector<HostEvent>& events() const { return events_; }
    uint64_t num_dropped() const { return num_dropped_; }

  private:
    struct Sum {
        uint64_t time_ns = 0, bytes = 0;
    };
    std::array<Sum, num_host_calls> sums_{};
    std::vector<HostEvent> events_;
    size_t max_events_ = 0;
    uint64_t num_dropped_ = 0;
};

/// The time from here to the end of the scope, as one call. `name` must outlive it.
class HostSpan {
  public:
    HostSpan(HostLog& log, HostCall call, const char* name, uint64_t bytes = 0)
        : log_(log), call_(call), name_(name), bytes_(bytes), begin_ns_(host_clock_ns()) {}
    ~HostSpan() { log_.add(call_, name_, begin_ns_, host_clock_ns(), bytes_); }
    HostSpan(const HostSpan&) = delete;
    HostSpan& operator=(const HostSpan&) = delete;

  private:
    HostLog& log_;
    HostCall call_;
    const char* name_;
    uint64_t bytes_, begin_ns_;
};

/// Host events that a timeline keeps.
inline constexpr size_t max_host_events = 1u << 16;

}  // namespace warpath
