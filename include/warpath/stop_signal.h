#pragma once

#include <atomic>

namespace warpath {

/// While one lives, the first SIGINT or SIGTERM sets `flag` and the second ends the program at once with status 130.
/// Before and after, a signal does what it does by default. At most one may live at a time.
class StopSignal {
  public:
    StopSignal();
    ~StopSignal();
    StopSignal(const StopSignal&) = delete;
    StopSignal& operator=(const StopSignal&) = delete;
    const std::atomic<bool>& flag() const;
};

}  // namespace warpath
