#include <gtest/gtest.h>

#include <algorithm>

#include "support/emulated_backend.h"
#include "support/fake_frame.h"

/// What groups of several lanes write of their time and of their batches, for every scheduler.
namespace warpath::testing {
namespace {

struct AccountedRun {
    EmulatedBackend backend{4, 4, 2};

    template <class Scheduler>
    void run(uint64_t num_paths) {
        backend.keep_accounts(4000);
        ScheduleOptions options;
        SchedulePlan plan = Scheduler::plan(backend.limits(), options, num_paths);
        plan.max_depth = 9;
        FakeStages::State state(num_paths, plan.num_slots);
        const FakeStages stages{&state, num_paths, 9, nullptr, false};
        std::vector<uint32_t> queues(plan.num_queue_words);
        std::vector<uint64_t> control(plan.num_control_words);
        Scheduler::run(backend, stages, plan, {queues.data(), control.data(), backend.mailbox()});
    }
    uint64_t place_word(uint32_t place, PlaceWord word) const { return backend.accounts.places[place * num_place_words + word]; }
};

template <class F>
void for_each_account(uint64_t num_paths, F&& check) {
    for_each_portable_scheduler([&]<class Scheduler>() {
        AccountedRun run;
        run.run<Scheduler>(num_paths);
        check(Scheduler::name, run);
    });
}

TEST(accounts, every_place_has_a_consistent_record) {
    for_each_account(200, [](const char* name, const AccountedRun& run) {
        const std::vector<uint64_t>& frame = run.backend.accounts.frame;
        uint64_t num_places_used = 0;
        for (uint32_t place = 0; place < EmulatedBackend::max_places; ++place) {
            if (run.place_word(place, num_runs) == 0) continue;
            ++num_places_used;
            const uint64_t first = ~run.place_word(place, before_first_work_ns), last = run.place_word(place, last_work_ns);
            EXPECT_LE(first, last) << name;
            EXPECT_LE(run.place_word(place, busy_ns) + run.place_word(place, idle_ns), frame[last_end_ns] + 1'000'000'000 - frame[origin_ns]) << name;
        }
        EXPECT_GE(num_places_used, 1u) << name;
        EXPECT_GT(frame[origin_ns], 0u) << name;
    });
}

TEST(accounts, whoever_becomes_busy_stops) {
    for_each_account(200, [](const char* name, const AccountedRun& run) {
        uint32_t sum = 0;
        for (uint32_t change : run.backend.accounts.changes) sum += change;
        EXPECT_EQ(sum, 0u) << name;
    });
}

TEST(accounts, events_follow_each_other_and_hold_every_item) {
    for_each_account(200, [](const char* name, const AccountedRun& run) {
        const GroupAccounts& accounts = run.backend.accounts;
        uint64_t items[num_stages] = {};
        for (uint32_t place = 0; place < accounts.num_places; ++place) {
            ASSERT_LE(accounts.num_events[place], accounts.events_per_place) << name;
            uint64_t end = 0;
            for (uint32_t i = 0; i < accounts.num_events[place]; ++i) {
                const TraceEvent& event = accounts.events[static_cast<size_t>(place) * accounts.events_per_place + i];
                ASSERT_LT(event.kind, num_event_kinds) << name;
                EXPECT_LE(event.begin_ns, event.end_ns) << name;
                if (event.kind >= depth_event) continue;
                EXPECT_GE(event.begin_ns, end) << name << ", place " << place << ", event " << i;
                end = event.end_ns;
                if (event.kind < idle_event) items[event.kind] += event.items;
            }
        }
        for (int stage = 0; stage < num_stages; ++stage)
            EXPECT_EQ(items[stage], run.backend.counter(static_cast<Counter>(static_cast<int>(Counter::GenerateItems) + stage))) << name;
    });
}

TEST(accounts, groups_without_work_poll_and_are_idle) {
    AccountedRun run;
    run.run<PersistentGlobalScheduler>(3);  // fewer paths than groups
    EXPECT_GT(run.backend.counter(Counter::EmptyPolls), 0u);
    uint64_t idle = 0;
    for (uint32_t place = 0; place < 4; ++place) idle += run.place_word(place, idle_ns);
    EXPECT_GT(idle, 0u);
}

}  // namespace
}  // namespace warpath::testing
