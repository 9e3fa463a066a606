#include <gtest/gtest.h>

#include <chrono>

#include "backends/cpu/cpu_backend.h"
#include "schedulers/list.h"
#include "schedulers/parts/stall_report.h"
#include "support/fake_stages.h"

/// The watchdog of the CPU backend: a schedule that makes no progress is given up in time, and the report says what waited where.
namespace warpath::testing {
namespace {

template <class Scheduler>
void expect_given_up(double watchdog_s) {
    RenderJob job;
    job.watchdog_s = watchdog_s;
    CpuBackend backend(3);
    const DeviceLimits limits = backend.limits(0);
    const SchedulePlan plan = Scheduler::plan(limits, {}, 200);
    FakeStages::State state(200, plan.num_slots);
    FakeStages stages{&state, 200, 9};
    stages.lost_path = 11;
    std::vector<uint32_t> queues(plan.num_queue_words);
    std::vector<uint64_t> control(plan.num_control_words);
    CpuBackend::FrameState frame;
    backend.begin(job, frame);
    const auto start = std::chrono::steady_clock::now();
    const ScheduleOutcome outcome = Scheduler::run(backend, stages, plan, {queues.data(), control.data(), backend.mailbox()});
    EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), watchdog_s + 10) << "seconds, on a machine that may be busy";
    EXPECT_TRUE(outcome.aborted) << "the image is incomplete";
    EXPECT_EQ(state.finished[11], 0u);
    const std::string report = describe_wait(backend.stall()) + Scheduler::describe_stall(plan, control);
    EXPECT_NE(report.find("a wait for work passed its limit; "), std::string::npos) << report;
    EXPECT_NE(report.find("trace head "), std::string::npos) << report;
}

TEST(watchdog, gives_up_a_frame_whose_slot_got_lost) {
    expect_given_up<PersistentScheduler>(0.2);
    expect_given_up<PersistentGlobalScheduler>(0.2);
}

}  // namespace
}  // namespace warpath::testing
