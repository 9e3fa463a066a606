#include <gtest/gtest.h>

#include "experiments/static_schedule.h"
#include "experiments/synthetic_stages.h"
#include "support/fake_frame.h"
#include "synthetic_work.h"
#include "warpath/error.h"

namespace warpath::experiments {
namespace {

TEST(synthetic, every_scheduler_ends_each_path_once_on_threads) {
    const auto device = make_cpu_synthetic_device(3);
    for (const uint64_t num_paths : {1u, 2u, 500u}) {
        SyntheticWork work;
        work.stream = mixed_stream(num_paths);
        work.state_words = 2;
        work.shade_spins.fill(1);
        expect_each_path_once(*device, work);
        ScheduleOptions small;
        small.num_slots = 5, small.batch = 2;
        expect_each_path_once(*device, work, small);
    }
}

TEST(synthetic, paths_without_steps_end_once_after_their_bounces) {
    const auto device = make_cpu_synthetic_device(2);
    SyntheticWork work;
    work.num_paths = 1000, work.rays_per_path = 8;
    EXPECT_EQ(work.bounces(), 8u);
    expect_each_path_once(*device, work);
}

TEST(synthetic, no_scheduler_beats_the_bound) {
    const auto device = make_cpu_synthetic_device(2);
    expect_bound_holds(*device, 300, 64, 16);
}

TEST(synthetic, the_bound_is_the_work_of_all_lanes_or_of_the_longest_path) {
    SyntheticWork work;
    work.stream = mixed_stream(2);
    work.stream.first_ray = {0, 1, 4};
    work.stream.rays = {pack_ray(false, 2, 10), pack_ray(false, 0, 5), pack_ray(true, 1, 7), pack_ray(false, 1, 3)};
    work.spins_per_step = 4;
    work.shade_spins[2] = 100, work.shade_spins[1] = 1000;
    EXPECT_EQ(work.total_spins(), 140u + 1060u);
    EXPECT_EQ(work.longest_path_spins(), 1060u) << "a shadow ray is not shaded";
    SpinRates rates;
    rates.all_lanes = 600, rates.one_lane = 600;
    EXPECT_DOUBLE_EQ(rates.least_ms(work), 2);
    rates.one_lane = 106;
    EXPECT_DOUBLE_EQ(rates.least_ms(work), 10);
}

TEST(synthetic, what_does_not_run_here_is_refused) {
    const auto device = make_cpu_synthetic_device(1);
    SyntheticWork work;
    work.num_paths = 1;
    EXPECT_THROW(device->prepare(work, "graph", {}), Error);
    EXPECT_THROW(device->prepare(work, "none such", {}), Error);
}

/// One scheduler on emulated groups of several lanes, whose votes must be reached together.
template <class Scheduler>
void run_emulated(uint32_t num_lanes, uint32_t num_groups, uint64_t num_paths) {
    testing::EmulatedBackend backend(num_lanes, num_groups, 1, {});
    SchedulePlan plan = Scheduler::plan(backend.limits(), {}, num_paths);
    plan.max_depth = 5;
    const CostStream stream = mixed_stream(num_paths);
    std::vector<uint32_t> columns(4 * plan.num_slots), ended(num_paths), steps(num_paths), queues(plan.num_queue_words);
    std::vector<float> values(plan.num_slots);
    std::vector<uint64_t> control(plan.num_control_words);
    SyntheticView view;
    view.first_ray = stream.first_ray.data(), view.rays = stream.rays.data();
    view.ended = ended.data(), view.steps = steps.data();
    view.slot_path = columns.data(), view.slot_next = view.slot_path + plan.num_slots, view.slot_end = view.slot_next + plan.num_slots;
    view.slot_steps = view.slot_end + plan.num_slots, view.slot_value = values.data();
    view.num_paths = num_paths, view.num_slots = plan.num_slots, view.steps_per_round = 5;
    const SyntheticStages stages{view, {0, num_paths}};
    EXPECT_FALSE(Scheduler::run(backend, stages, plan, {queues.data(), control.data(), backend.mailbox()}).aborted) << Scheduler::name;
    for (uint64_t path = 0; path < num_paths; ++path) {
        EXPECT_EQ(ended[path], 1u) << Scheduler::name << ", path " << path;
        EXPECT_EQ(steps[path], stream.path_steps(path)) << Scheduler::name << ", path " << path;
    }
}

TEST(synthetic, every_scheduler_ends_each_path_once_on_groups_of_lanes) {
    for (const auto& [lanes, groups, paths] : {std::tuple{4u, 2u, 60u}, {8u, 3u, 25u}, {4u, 2u, 1u}}) {
        testing::for_each_portable_scheduler([&, lanes = lanes, groups = groups, paths = paths]<class Scheduler>() { run_emulated<Scheduler>(lanes, groups, paths); });
        run_emulated<StaticScheduler>(lanes, groups, paths);
    }
}

}  // namespace
}  // namespace warpath::experiments
