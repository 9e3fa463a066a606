#include "warpath/stop_signal.h"

#include <signal.h>
#include <unistd.h>

namespace warpath {
namespace {

constexpr int exit_stopped = 130;

// A signal handler has no argument of its own, so this state cannot arrive as one.
std::atomic<bool> stop_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may use lock-free atomics only");

extern "C" void on_stop_signal(int) {
    if (stop_requested.exchange(true)) _exit(exit_stopped);
}

void install(void (*handler)(int)) {
    struct sigaction action {};
    action.sa_handler = handler;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
}

}  // namespace

StopSignal::StopSignal() {
    stop_requested = false;
    install(on_stop_signal);
}
StopSignal::~StopSignal() { install(SIG_DFL); }
const std::atomic<bool>& StopSignal::flag() const { return stop_requested; }

}  // namespace warpath
