// The protocol with things that only pretend to take time, so that every decision of it can be seen.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <set>
#include <thread>

#include "experiments/context.h"
#include "support/temporary_folder.h"

namespace warpath::experiments {
namespace {

using test::TemporaryFolder;

const Experiment pretended = {"pretended", "hypothesis", "refutation", 1.0, nullptr, {}};
const Json cell_key = {{"paths", 4}};

/// A session with rows in a folder of its own, and variants that write down when they run.
struct Bench {
    TemporaryFolder folder;
    std::atomic<bool> stop{false};
    std::optional<RowFile> rows;
    std::optional<Session> session;
    std::vector<std::string> order;  ///< names of all runs
    std::map<std::string, double> value;
    std::map<std::string, uint64_t> image;

    explicit Bench(Telemetry telemetry = Telemetry("none"), uint64_t seed = 0) { open(std::move(telemetry), false, seed); }
    void open(Telemetry telemetry, bool resume, uint64_t seed = 0) {
        session.reset();
        rows.emplace(folder.path() / "rows.jsonl", resume);
        Plan plan;
        plan.backend = "cpu", plan.seed = seed;
        session.emplace(Session{plan, *rows, std::move(telemetry), stop});
    }
    Cell cell(const std::vector<std::string>& names) {
        Cell cell;
        cell.key = cell_key;
        for (const std::string& name : names)
            cell.variants.push_back({.key = {{"scheduler", name}}, .run = [this, name] {
                                         order.push_back(name);
                                         Sample sample;
                                         sample.value = value.count(name) ? value[name] : 1.0;
                                         if (image.count(name)) sample.image = image[name];
                                         return sample;
                                     }});
        return cell;
    }
    std::vector<Outcome> measure(const Cell& cell, double budget_s = 60) { return ExperimentContext(*session, pretended, budget_s).measure(cell); }
    size_t num_rows(const std::string& kind) const {
        return static_cast<size_t>(std::count_if(rows->rows().begin(), rows->rows().end(), [&](const Json& row) { return row["kind"] == kind; }));
    }
};

TEST(Protocol, warms_up_then_runs_each_variant_once_a_round_in_orders_drawn_anew) {
    Bench bench;
    bench.measure(bench.cell({"a", "b", "c", "d"}));
    ASSERT_EQ(bench.order.size(), 4 * (2 + 10u));
    std::set<std::vector<std::string>> orders;
    for (size_t begin = 8; begin < bench.order.size(); begin += 4) {
        const std::vector<std::string> round(bench.order.begin() + static_cast<std::ptrdiff_t>(begin), bench.order.begin() + static_cast<std::ptrdiff_t>(begin) + 4);
        EXPECT_EQ(std::set<std::string>(round.begin(), round.end()).size(), 4u) << "round at " << begin;
        orders.insert(round);
    }
    EXPECT_GT(orders.size(), 4u) << "ten rounds in the same few orders";
}

TEST(Protocol, the_seed_draws_the_orders) {
    Bench first(Telemetry("none"), 1), again(Telemetry("none"), 1), other(Telemetry("none"), 2);
    for (Bench* bench : {&first, &again, &other}) bench->measure(bench->cell({"a", "b", "c", "d"}));
    EXPECT_EQ(first.order, again.order);
    EXPECT_NE(first.order, other.order);
}

TEST(Protocol, ends_a_variant_by_its_interval_and_goes_on_with_a_wider_one) {
    Bench bench;
    Cell cell = bench.cell({"steady", "shaky"});
    uint32_t run = 0;
    cell.variants[1].run = [&] { return Sample{.value = 1.0 + 0.5 * (run++ % 3)}; };
    const auto outcomes = bench.measure(cell);
    EXPECT_EQ(outcomes[0].values.size(), 10u);
    EXPECT_EQ(outcomes[1].values.size(), 30u);
    EXPECT_EQ(bench.rows->result({"pretended", cell_key, {{"scheduler", "steady"}}})->at("stopped_by"), "interval");
    EXPECT_EQ(bench.rows->result({"pretended", cell_key, {{"scheduler", "shaky"}}})->at("stopped_by"), "repeats");
    EXPECT_EQ(bench.num_rows("sample"), 40u);
}

TEST(Protocol, ends_when_its_time_is_over_and_says_so) {
    Bench bench;
    Cell cell = bench.cell({"a"});
    cell.variants[0].run = [&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        return Sample{.value = 20};
    };
    const auto start = std::chrono::steady_clock::now();
    const auto outcomes = bench.measure(cell, 0.12);
    EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), 10.0);
    EXPECT_FALSE(outcomes[0].complete);
    const Json* row = bench.rows->result({"pretended", cell_key, {{"scheduler", "a"}}});
    ASSERT_NE(row, nullptr);
    EXPECT_EQ(row->at("stopped_by"), "time");
    EXPECT_EQ(row->at("complete"), false);
}

TEST(Protocol, leaves_a_cell_out_for_which_no_time_is_left) {
    Bench bench;
    const auto outcomes = bench.measure(bench.cell({"a"}), -1);
    EXPECT_TRUE(bench.order.empty());
    EXPECT_EQ(outcomes[0].left_out, "no time was left");
    EXPECT_EQ(bench.num_rows("left_out"), 1u);
    EXPECT_EQ(bench.num_rows("result"), 0u);
}

TEST(Protocol, slow_cells_leave_time_to_those_after_them) {
    Bench bench;
    ExperimentContext context(*bench.session, pretended, 3.0);
    context.expect_cells(5);
    for (uint32_t i = 0; i < 5; ++i) {
        Cell cell = bench.cell({"a", "b"});
        cell.key = {{"number", i}};
        for (Variant& variant : cell.variants)
            variant.run = [] {
                std::this_thread::sleep_for(std::chrono::milliseconds(100));
                return Sample{.value = 100};
            };
        EXPECT_GE(context.measure(cell).front().values.size(), 1u) << "cell " << i << " of five that would take twelve seconds in three";
    }
    EXPECT_GT(context.seconds_left(), -0.5);
}

TEST(Protocol, heavier_cells_get_more_of_the_time) {
    Bench bench;
    ExperimentContext context(*bench.session, pretended, 2.0);
    context.expect_cells({1, 9});
    std::vector<size_t> runs;
    for (const char* name : {"light", "heavy"}) {
        Cell cell = bench.cell({name});
        cell.key = {{"name", name}};
        cell.variants[0].run = [] {
            std::this_thread::sleep_for(std::chrono::milliseconds(40));
            return Sample{.value = 1};
        };
        runs.push_back(context.measure(cell).front().values.size());
    }
    EXPECT_LT(runs[0], 10u);
    EXPECT_EQ(runs[1], 10u);
}

TEST(Protocol, what_does_not_warm_up_runs_only_what_counts) {
    Bench bench;
    Cell cell = bench.cell({"a"});
    cell.warms_up = false;
    bench.measure(cell);
    EXPECT_EQ(bench.order.size(), 10u);
}

TEST(Protocol, keeps_times_to_seven_digits) {
    Bench bench;
    bench.value["a"] = 1.23456789012345;
    EXPECT_EQ(bench.measure(bench.cell({"a"})).front().median, 1.234568);
}

TEST(Protocol, another_image_is_a_loud_failure) {
    Bench bench;
    bench.image = {{"a", 7}, {"b", 8}, {"c", 7}};
    const auto outcomes = bench.measure(bench.cell({"a", "b", "c"}));
    EXPECT_EQ(bench.session->num_failures, 1u);
    EXPECT_EQ(bench.num_rows("failure"), 1u);
    EXPECT_EQ(outcomes[1].left_out, "it failed");
    EXPECT_EQ(outcomes[2].values.size(), 10u);
}

TEST(Protocol, an_image_that_changes_in_a_later_run_is_found) {
    Bench bench;
    Cell cell = bench.cell({"a"});
    uint64_t runs = 0;
    cell.variants[0].run = [&] { return Sample{.value = 1, .image = ++runs == 9 ? 1 : 0}; };
    bench.measure(cell);
    EXPECT_EQ(bench.session->num_failures, 1u);
}

TEST(Protocol, a_failed_run_is_a_failure) {
    Bench bench;
    Cell cell = bench.cell({"a"});
    cell.variants[0].run = [] { return Sample{.value = 1, .failure = "its watchdog gave up"}; };
    bench.measure(cell);
    EXPECT_EQ(bench.session->num_failures, 1u);
    EXPECT_EQ(bench.num_rows("result"), 0u);
}

TEST(Protocol, what_cannot_run_is_left_out_with_its_reason) {
    Bench bench;
    Cell cell = bench.cell({"a", "b"});
    cell.variants[1].left_out = "no room";
    const auto outcomes = bench.measure(cell);
    EXPECT_EQ(outcomes[0].values.size(), 10u);
    EXPECT_EQ(outcomes[1].left_out, "no room");
    EXPECT_EQ(bench.num_rows("left_out"), 1u);
}

TEST(Protocol, a_signal_ends_it_and_resuming_takes_up_the_runs_so_far) {
    Bench bench;
    Cell cell = bench.cell({"a", "b"});
    uint32_t runs = 0;
    cell.variants[0].run = [&] {
        if (++runs == 6) bench.stop = true;  // in the warm-up two, then the fourth round
        return Sample{.value = 1};
    };
    EXPECT_THROW(bench.measure(cell), Interrupted);
    const size_t kept = bench.num_rows("sample");
    EXPECT_GE(kept, 6u);
    EXPECT_EQ(bench.num_rows("result"), 0u);

    bench.stop = false;
    bench.open(Telemetry("none"), true);
    bench.order.clear();
    const auto outcomes = bench.measure(bench.cell({"a", "b"}));
    for (const Outcome& outcome : outcomes) EXPECT_EQ(outcome.values.size(), 10u);
    EXPECT_EQ(bench.num_rows("sample"), 20u) << "runs of the first session were not counted";

    bench.open(Telemetry("none"), true);
    bench.order.clear();
    const auto again = bench.measure(bench.cell({"a", "b"}));
    EXPECT_TRUE(bench.order.empty()) << "complete variants ran again";
    EXPECT_EQ(again[0].values.size(), 10u);
}

TEST(Protocol, runs_while_the_device_is_throttled_are_done_again) {
    setenv("WARPATH_NVML_STUB_THROTTLED", "2", 1);  // the second look at the device finds it throttled
    Bench bench(Telemetry::open("", WARPATH_NVML_STUB));
    unsetenv("WARPATH_NVML_STUB_THROTTLED");
    ASSERT_TRUE(bench.session->telemetry.available()) << bench.session->telemetry.why_not();
    bench.measure(bench.cell({"a"}));
    EXPECT_EQ(bench.order.size(), 2 + 10 + 1u);
    const Json* row = bench.rows->result({"pretended", cell_key, {{"scheduler", "a"}}});
    EXPECT_EQ(row->at("redone"), 1);
    EXPECT_FALSE(row->contains("throttled"));
    EXPECT_EQ(row->at("device")["sm_mhz"], 1980);
}

TEST(Protocol, a_device_that_stays_throttled_is_said_to_be) {
    setenv("WARPATH_NVML_STUB_THROTTLED", "all", 1);
    Bench bench(Telemetry::open("", WARPATH_NVML_STUB));
    unsetenv("WARPATH_NVML_STUB_THROTTLED");
    Cell cell = bench.cell({"a"});
    cell.repeats = 1;
    bench.measure(cell);
    const Json* row = bench.rows->result({"pretended", cell_key, {{"scheduler", "a"}}});
    EXPECT_EQ(row->at("throttled"), 1);
    EXPECT_EQ(row->at("redone"), 3);
}

TEST(Telemetry, is_absent_without_the_library) {
    const Telemetry telemetry = Telemetry::open("", "libno-such-library.so");
    EXPECT_FALSE(telemetry.available());
    EXPECT_NE(telemetry.why_not().find("libno-such-library.so"), std::string::npos);
    EXPECT_FALSE(telemetry.state());
    EXPECT_FALSE(telemetry.energy_j());
    EXPECT_TRUE(telemetry.description().is_null());
}

TEST(Telemetry, reads_what_the_library_says) {
    const Telemetry telemetry = Telemetry::open("00000000:3B:00.0", WARPATH_NVML_STUB);
    ASSERT_TRUE(telemetry.available()) << telemetry.why_not();
    EXPECT_EQ(telemetry.state()->sm_mhz, 1980u);
    EXPECT_EQ(telemetry.state()->memory_mhz, 3201u);
    EXPECT_EQ(telemetry.state()->temperature_c, 41u);
    EXPECT_NEAR(telemetry.state()->power_w, 312.5, 1e-9);
    EXPECT_FALSE(telemetry.state()->throttled());
    EXPECT_GT(*telemetry.energy_j(), 0);
    EXPECT_EQ(telemetry.description()["driver"], "580.00");
    EXPECT_FALSE(Telemetry::open("00000000:FF:00.0", WARPATH_NVML_STUB).available());
}

}  // namespace
}  // namespace warpath::experiments
