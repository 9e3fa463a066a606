#include <gtest/gtest.h>

#include "support/fake_frame.h"

/// Every scheduler's protocol, without tracing: whatever the sizes, each path runs once, whole and in order, and the schedule ends.
namespace warpath::testing {
namespace {

const FakeFrame cases[] = {
    {1, 1, 1, 1, 1},     {1, 1, 1, 1, 50},    {1, 3, 0, 0, 200},  {4, 1, 0, 0, 3},     {4, 1, 1, 1, 40},    {4, 3, 0, 0, 129},
    {4, 2, 5, 3, 100},   {4, 2, 64, 7, 100},  {8, 2, 0, 0, 130},  {8, 2, 9, 40, 99},   {4, 4, 400, 0, 63},  {32, 1, 0, 0, 70},
    {4, 4, 0, 0, 300, 2}, {4, 6, 0, 0, 500, 3}, {4, 4, 7, 2, 90, 4},  {1, 8, 0, 0, 400, 4},
};

TEST(protocol, every_scheduler_runs_each_path_once) {
    for_each_portable_scheduler([]<class Scheduler>() {
        for (const FakeFrame& c : cases) {
            const FakeOutcome f = run_fake_frame<Scheduler>(c);
            EXPECT_EQ(f.once, c.num_paths) << Scheduler::name << ", lanes " << c.num_lanes << ", pool " << c.pool << ", batch " << c.batch;
            EXPECT_EQ(f.errors, 0u) << Scheduler::name;
            EXPECT_EQ(f.counted_items, f.stage_runs) << Scheduler::name;
            EXPECT_FALSE(f.aborted);
        }
    });
}

TEST(protocol, a_stop_starts_no_new_path_and_finishes_those_in_flight) {
    for_each_portable_scheduler([]<class Scheduler>() {
        const FakeFrame c{.num_lanes = 4, .num_groups = 2, .pool = 16, .batch = 4, .num_paths = 400, .stop = StopLevel::NoNewPaths};
        const FakeOutcome f = run_fake_frame<Scheduler>(c);
        EXPECT_EQ(f.more, 0u);
        EXPECT_EQ(f.errors, 0u);
        EXPECT_GE(f.once, c.num_paths / 2) << Scheduler::name;
        EXPECT_GT(f.never, 0u) << Scheduler::name << ": half of the paths had not started";
        EXPECT_FALSE(f.aborted);
    });
}

TEST(protocol, an_abort_ends_and_is_reported) {
    for_each_portable_scheduler([]<class Scheduler>() {
        const FakeFrame c{.num_lanes = 4, .num_groups = 2, .pool = 16, .batch = 4, .num_paths = 600, .stop = StopLevel::Abort};
        const FakeOutcome f = run_fake_frame<Scheduler>(c);
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
