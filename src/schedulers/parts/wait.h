#pragma once

#include "core/context.h"

namespace warpath {

/// What is waited for, in the report of a stall.
enum WaitPlace : uint64_t { wait_for_reader = 1, wait_for_writer, wait_for_work, wait_for_host };

/// A wait that ends: pauses longer and longer, and gives up when its limit has passed without progress(). Every lane or group that waits has
/// one of its own.
class Wait {
  public:
    /// longest_pause_ns: what pauses grow to. Many groups that look at one word should look seldom.
    WARPATH_HD explicit Wait(uint32_t longest_pause_ns = 400) : longest_pause_ns_(longest_pause_ns) {}

    /// Pauses once. False when the limit has passed; `where` then goes into the host's report.
    template <class Ctx>
    WARPATH_HD_CALL bool pause(Ctx& ctx, uint64_t where) {
        if (num_pauses_ < num_spins) {
            ++num_pauses_;
            return true;
        }
        if (ctx.stalled()) return false;  // a wait ends with the first one that passed its limit, not a limit later
        const uint64_t now = ctx.clock_ns();
        if (since_ == 0) since_ = now;
        if (now - since_ > ctx.wait_limit_ns()) {
            ctx.report_stall(where);
            return false;
        }
        ctx.pause(pause_ns_);
        if (pause_ns_ < longest_pause_ns_) pause_ns_ *= 2;
        return true;
    }
    /// The limit counts from now on, since others made progress.
    WARPATH_HD void restart() { since_ = 0; }
    /// Whether it has paused since there was progress.
    WARPATH_HD bool waits() const { return num_pauses_ > 0; }
    WARPATH_HD void progress() {
        since_ = 0;
        num_pauses_ = 0;
        pause_ns_ = shortest_pause_ns;
    }

  private:
    static constexpr uint32_t num_spins = 4, shortest_pause_ns = 50;

    uint64_t since_ = 0;
    uint32_t num_pauses_ = 0, pause_ns_ = shortest_pause_ns, longest_pause_ns_;
};

}  // namespace warpath
