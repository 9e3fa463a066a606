#include <gtest/gtest.h>

#include "schedulers/list.h"
#include "support/emulated_backend.h"
#include "support/fake_stages.h"

/// Every scheduler's protocol, without tracing: whatever the sizes, each path runs once, whole and in order, and the schedule ends.
namespace warpath::testing {
namespace {

struct Case {
    uint32_t num_lanes, num_groups, pool, batch;
    uint64_t num_paths;
    uint32_t groups_per_block = 1;
};

struct Finished {
    uint64_t once = 0, never = 0, more = 0, errors = 0;
    uint64_t stage_runs = 0, counted_items = 0;
    bool aborted = false;
};

template <class Scheduler>
Finished run(const Case& c, uint32_t stop_level) {
    EmulatedBackend backend(c.num_lanes, c.num_groups, c.groups_per_block);
    ScheduleOptions options;
    options.num_slots = c.pool;
    options.batch = c.batch;
    SchedulePlan plan = Scheduler::plan(backend.limits(), options, c.num_paths);
    plan.max_depth = 9;
    FakeStages::State state(c.num_paths, plan.num_slots);
    FakeStages stages{&state, c.num_paths, 9, stop_level ? &backend.state.stop : nullptr, stop_level == 2};
    std::vector<uint32_t> queues(plan.num_queue_words);
    std::vector<uint64_t> control(plan.num_control_words);
    Finished finished;
    finished.aborted = Scheduler::run(backend, stages, plan, {queues.data(), control.data(), backend.mailbox()}).aborted;
    for (const auto& count : state.finished) (count == 0 ? finished.never : count == 1 ? finished.once : finished.more) += 1;
    finished.errors = state.num_errors;
    finished.stage_runs = state.num_stage_runs;
    for (Counter id : {Counter::GenerateItems, Counter::IntersectItems, Counter::ShadeItems, Counter::OccludeItems})
        finished.counted_items += backend.counter(id);
    return finished;
}

const Case cases[] = {
    {1, 1, 1, 1, 1},     {1, 1, 1, 1, 50},    {1, 3, 0, 0, 200},  {4, 1, 0, 0, 3},     {4, 1, 1, 1, 40},    {4, 3, 0, 0, 129},
    {4, 2, 5, 3, 100},   {4, 2, 64, 7, 100},  {8, 2, 0, 0, 130},  {8, 2, 9, 40, 99},   {4, 4, 400, 0, 63},  {32, 1, 0, 0, 70},
    {4, 4, 0, 0, 300, 2}, {4, 6, 0, 0, 500, 3}, {4, 4, 7, 2, 90, 4},  {1, 8, 0, 0, 400, 4},
};

/// Every scheduler that runs without CUDA.
template <class F>
void for_each_scheduler(F&& f) {
    SchedulerList::for_each([&]<class Scheduler>() {
        if constexpr (PortableScheduler<Scheduler>) f.template operator()<Scheduler>();
    });
}

TEST(protocol, every_scheduler_runs_each_path_once) {
    for_each_scheduler([]<class Scheduler>() {
        for (const Case& c : cases) {
            const Finished f = run<Scheduler>(c, 0);
            EXPECT_EQ(f.once, c.num_paths) << Scheduler::name << ", lanes " << c.num_lanes << ", pool " << c.pool << ", batch " << c.batch;
            EXPECT_EQ(f.errors, 0u) << Scheduler::name;
            EXPECT_EQ(f.counted_items, f.stage_runs) << Scheduler::name;
            EXPECT_FALSE(f.aborted);
        }
    });
}

TEST(protocol, a_stop_starts_no_new_path_and_finishes_those_in_flight) {
    for_each_scheduler([]<class Scheduler>() {
        const Case c{4, 2, 16, 4, 400};
        const Finished f = run<Scheduler>(c, 1);
        EXPECT_EQ(f.more, 0u);
        EXPECT_EQ(f.errors, 0u);
        EXPECT_GE(f.once, c.num_paths / 2) << Scheduler::name;
        EXPECT_GT(f.never, 0u) << Scheduler::name << ": half of the paths had not started";
        EXPECT_FALSE(f.aborted);
    });
}

TEST(protocol, an_abort_ends_and_is_reported) {
    for_each_scheduler([]<class Scheduler>() {
        const Finished f = run<Scheduler>({4, 2, 16, 4, 600}, 2);
        EXPECT_TRUE(f.aborted) << Scheduler::name;
        EXPECT_GT(f.never, 0u) << Scheduler::name;
        EXPECT_EQ(f.errors, 0u);
    });
}

TEST(protocol, plans_stay_within_the_limits) {
    SchedulerList::for_each([]<class Scheduler>() {
        DeviceLimits limits;
        limits.group_size = limits.batch = 32;
        limits.max_resident_groups = 2112;
        limits.slots_per_group = 128;
        limits.slots_per_pool = 1u << 21;
        limits.max_slots = 100000;
        for (uint64_t paths : {1ull, 31ull, 33ull, 1ull << 20, 1ull << 40}) {
            const SchedulePlan plan = Scheduler::plan(limits, {}, paths);
            EXPECT_GE(plan.num_slots, 1u) << Scheduler::name << ", paths " << paths;
            EXPECT_LE(plan.num_slots, limits.max_slots) << Scheduler::name << ", paths " << paths;
            EXPECT_GE(plan.num_groups, 1u);
            EXPECT_GE(plan.batch, 1u);
        }
    });
}

}  // namespace
}  // namespace warpath::testing
