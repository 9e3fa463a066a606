#include <gtest/gtest.h>

#include "support/fake_frame.h"
#include "support/stress.h"

/// Every scheduler's protocol with lanes that are held up anywhere, with small pools, many groups, and stops at any moment.
namespace warpath::testing {
namespace {

const FakeFrame frames[] = {
    {1, 1, 1, 1, 30},       {1, 5, 1, 1, 60},       {1, 5, 2, 1, 60},       {1, 5, 7, 3, 120},      {1, 4, 4, 2, 100, 4},   {1, 6, 12, 2, 120, 3},
    {4, 1, 1, 1, 30},       {4, 3, 3, 5, 90},       {4, 6, 13, 4, 150, 2},  {2, 16, 9, 1, 150},     {2, 16, 40, 8, 200, 4}, {1, 40, 0, 1, 200, 8},
    {32, 2, 0, 0, 200},     {8, 3, 0, 100, 99},
};

TEST(protocol_stress, every_path_runs_once_whoever_is_held_up) {
    for_seeds(2, [](uint64_t seed) {
        for_each_portable_scheduler([&]<class Scheduler>() {
            for (FakeFrame c : frames) {
                c.emulation.seed = seed;
                SCOPED_TRACE(std::string(Scheduler::name) + ": " + describe(c));
                const FakeOutcome f = run_fake_frame<Scheduler>(c);
                EXPECT_EQ(f.once, c.num_paths);
                EXPECT_EQ(f.errors, 0u);
                EXPECT_EQ(f.counted_items, f.stage_runs);
                EXPECT_FALSE(f.aborted) << f.stall_report;
            }
        });
    });
}

/// The stop comes at a stage run that the seed chooses, from before the first path to about the end.
TEST(protocol_stress, a_stop_at_any_moment_finishes_the_paths_in_flight) {
    for_seeds(2, [](uint64_t seed) {
        for_each_portable_scheduler([&]<class Scheduler>() {
            for (FakeFrame c : frames) {
                c.emulation.seed = seed;
                c.stop = StopLevel::NoNewPaths;
                c.stop_at_run = seed * 2654435761u % (c.num_paths * 15);
                SCOPED_TRACE(std::string(Scheduler::name) + ": " + describe(c));
                const FakeOutcome f = run_fake_frame<Scheduler>(c);
                EXPECT_EQ(f.once + f.never, c.num_paths);
                EXPECT_EQ(f.errors, 0u);
                EXPECT_EQ(f.counted_items, f.stage_runs) << "a path in flight was dropped";
                EXPECT_FALSE(f.aborted) << f.stall_report;
            }
        });
    });
}

TEST(protocol_stress, an_abort_at_any_moment_ends) {
    for_seeds(2, [](uint64_t seed) {
        for_each_portable_scheduler([&]<class Scheduler>() {
            for (FakeFrame c : frames) {
                c.emulation.seed = seed;
                c.stop = StopLevel::Abort;
                c.stop_at_run = seed * 2654435761u % (c.num_paths * 10);
                SCOPED_TRACE(std::string(Scheduler::name) + ": " + describe(c));
                const FakeOutcome f = run_fake_frame<Scheduler>(c);
                EXPECT_EQ(f.more, 0u);
                EXPECT_EQ(f.errors, 0u);
                EXPECT_EQ(f.aborted, f.stage_runs > c.stop_at_run);
            }
        });
    });
}

TEST(protocol_stress, threads_run_every_path_once) {
    for_seeds(1, [](uint64_t seed) {
        for_each_portable_scheduler([&]<class Scheduler>() {
            for (FakeFrame c : {FakeFrame{1, 5, 7, 3, 1000}, FakeFrame{4, 2, 9, 4, 100, 2}}) {
                c.emulation = {true, seed};
                SCOPED_TRACE(std::string(Scheduler::name) + ": " + describe(c));
                const FakeOutcome f = run_fake_frame<Scheduler>(c);
                EXPECT_EQ(f.once, c.num_paths);
                EXPECT_EQ(f.errors, 0u);
            }
        });
    });
}

/// A million stage runs and more through one pool in all.
TEST(protocol_stress, fifty_thousand_paths) {
    for_each_portable_scheduler([]<class Scheduler>() {
        const FakeOutcome f = run_fake_frame<Scheduler>({1, 4, 256, 16, 50'000, 2});
        EXPECT_EQ(f.once, 50'000u) << Scheduler::name;
        EXPECT_EQ(f.errors, 0u) << Scheduler::name;
    });
}

/// One slot for all: most groups have no work for the whole frame, which lasts many times the limit of a wait.
TEST(protocol_stress, a_group_without_work_is_no_stall_while_others_go_on) {
    for_each_portable_scheduler([]<class Scheduler>() {
        FakeFrame c{1, 4, 1, 1, 4000, 4};
        c.wait_limit_ns = 200'000;
        const FakeOutcome f = run_fake_frame<Scheduler>(c);
        EXPECT_EQ(f.once, c.num_paths) << Scheduler::name;
        EXPECT_FALSE(f.aborted) << Scheduler::name << ": " << f.stall_report;
    });
}

}  // namespace
}  // namespace warpath::testing
