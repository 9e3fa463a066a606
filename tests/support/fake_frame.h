#pragma once

#include <string>
#include <type_traits>

#include "schedulers/list.h"
#include "schedulers/parts/stall_report.h"
#include "support/emulated_backend.h"
#include "support/fake_stages.h"

/// A frame without tracing: a scheduler drives fake stages on emulated groups, and what became of the paths is counted.
namespace warpath::testing {

struct FakeFrame {
    uint32_t num_lanes, num_groups, pool, batch;
    uint64_t num_paths;
    uint32_t groups_per_block = 1;
    Emulation emulation = {};
    StopLevel stop = StopLevel::Run;                 ///< raised by a stage while the frame runs,
    uint64_t stop_at_run = ~uint64_t{0};             ///< at this stage run, or when half of the paths have started
    uint64_t lost_path = ~uint64_t{0};               ///< a path whose slot gets lost
    uint64_t wait_limit_ns = 20'000'000'000;         ///< for fibers in their own time: 20 ns a turn
};

inline std::string describe(const FakeFrame& c) {
    return std::to_string(c.num_groups) + " groups of " + std::to_string(c.num_lanes) + " lanes, " + std::to_string(c.groups_per_block) +
           " in a block, pool " + std::to_string(c.pool) + ", batch " + std::to_string(c.batch) + ", " + std::to_string(c.num_paths) + " paths, seed " +
           std::to_string(c.emulation.seed) + ", stop " + std::to_string(static_cast<uint32_t>(c.stop)) + " at run " + std::to_string(c.stop_at_run);
}

struct FakeOutcome {
    uint64_t once = 0, never = 0, more = 0;          ///< paths by how often they ended
    uint64_t errors = 0, stage_runs = 0, counted_items = 0;
    bool aborted = false;
    std::string stall_report;
};

template <class Scheduler>
FakeOutcome run_fake_frame(const FakeFrame& c) {
    EmulatedBackend backend(c.num_lanes, c.num_groups, c.groups_per_block, c.emulation);
    backend.state.wait_limit_ns = c.wait_limit_ns;
    ScheduleOptions options;
    options.num_slots = c.pool;
    options.batch = c.batch;
    SchedulePlan plan = Scheduler::plan(backend.limits(), options, c.num_paths);
    plan.max_depth = 9;
    FakeStages::State state(c.num_paths, plan.num_slots);
    const FakeStages stages{&state, c.num_paths, 9, c.stop == StopLevel::Run ? nullptr : &backend.state.stop, c.stop == StopLevel::Abort, c.stop_at_run,
                            c.lost_path};
    std::vector<uint32_t> queues(plan.num_queue_words);
    std::vector<uint64_t> control(plan.num_control_words);
    FakeOutcome outcome;
    outcome.aborted = Scheduler::run(backend, stages, plan, {queues.data(), control.data(), backend.mailbox()}).aborted;
    for (const auto& count : state.finished) (count == 0 ? outcome.never : count == 1 ? outcome.once : outcome.more) += 1;
    outcome.errors = state.num_errors;
    outcome.stage_runs = state.num_stage_runs;
    for (Counter id : {Counter::GenerateItems, Counter::IntersectItems, Counter::ShadeItems, Counter::OccludeItems})
        outcome.counted_items += backend.counter(id);
    if (outcome.aborted) outcome.stall_report = describe_wait(backend.state.stall) + Scheduler::describe_stall(plan, control);
    return outcome;
}

/// Calls f.template operator()<Scheduler>() for every scheduler that runs without CUDA and without a host that posts tasks.
template <class F>
void for_each_portable_scheduler(F&& f) {
    SchedulerList::for_each([&]<class Scheduler>() {
        if constexpr (PortableScheduler<Scheduler> && !std::is_same_v<Scheduler, ResidentScheduler>) f.template operator()<Scheduler>();
    });
}

}  // namespace warpath::testing
