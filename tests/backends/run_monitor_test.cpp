#include "backends/run_monitor.h"

#include <gtest/gtest.h>

#include <thread>

namespace warpath::testing {
namespace {

using namespace std::chrono_literals;

RenderJob job_with_watchdog(double seconds) {
    RenderJob job;
    job.watchdog_s = seconds;
    return job;
}

TEST(run_monitor, gives_up_only_after_the_watchdog_time_without_progress) {
    const RenderJob job = job_with_watchdog(0.05);
    RunMonitor monitor(job, [](auto&) {});
    for (uint64_t i = 1; i < 8; ++i) {
        std::this_thread::sleep_for(20ms);
        EXPECT_EQ(monitor.update(0, i), StopLevel::Run) << "a heartbeat is progress";
    }
    for (uint64_t i = 1; i < 8; ++i) {
        std::this_thread::sleep_for(20ms);
        EXPECT_EQ(monitor.update(i, 7), StopLevel::Run) << "a started path is progress";
    }
    std::this_thread::sleep_for(60ms);
    EXPECT_EQ(monitor.update(7, 7), StopLevel::Abort);
    EXPECT_EQ(monitor.update(8, 8), StopLevel::Abort) << "there is no way back";
}

TEST(run_monitor, passes_on_the_callers_stop_flag) {
    RenderJob job = job_with_watchdog(10.0);
    std::atomic<bool> stop{false};
    job.stop = &stop;
    RunMonitor monitor(job, [](auto&) {});
    EXPECT_EQ(monitor.update(1, 1), StopLevel::Run);
    stop = true;
    EXPECT_EQ(monitor.update(2, 2), StopLevel::NoNewPaths);
}

TEST(run_monitor, a_frame_that_nobody_wants_is_given_up) {
    RenderJob job = job_with_watchdog(10.0);
    std::atomic<bool> drop{false};
    job.drop = &drop;
    RunMonitor monitor(job, [](auto&) {});
    EXPECT_EQ(monitor.update(1, 1), StopLevel::Run);
    EXPECT_FALSE(monitor.is_asked());
    drop = true;
    EXPECT_TRUE(monitor.is_asked());
    EXPECT_EQ(monitor.update(2, 2), StopLevel::Abort);
    EXPECT_FALSE(monitor.is_asked()) << "what was asked is known";
}

TEST(run_monitor, reports_progress_with_the_counters_so_far) {
    RenderJob job = job_with_watchdog(10.0);
    uint64_t reported = 0;
    job.report = [&](const auto& words) { reported = words[static_cast<size_t>(Counter::FinishedPaths)]; };
    RunMonitor monitor(job, [](auto& words) { words[static_cast<size_t>(Counter::FinishedPaths)] = 42; });
    monitor.update(1, 1);
    EXPECT_EQ(reported, 42u);
}

}  // namespace
}  // namespace warpath::testing
