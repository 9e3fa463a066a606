#include "experiments/time_shares.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace warpath::experiments {
namespace {

/// Two places of two lanes: one works all the time that kernels run, the other half of it and then has nothing left.
FrameRecord two_places() {
    FrameRecord record;
    record.group_size = 2;
    record.span_ns = 900, record.gap_ns = 100, record.frame_ns = 1000;
    record.groups.resize(2);
    record.groups[0].busy_ns = 800, record.groups[0].last_work_ns = 900;
    record.groups[1].busy_ns = 400, record.groups[1].last_work_ns = 450;
    record.busy = {{0, 2}, {450, 1}, {900, 0}};
    return record;
}

Counters half_of_the_lanes() {
    Counters counters{};
    counters[static_cast<size_t>(Counter::NodeSteps)] = 100;
    counters[static_cast<size_t>(Counter::NodeGroupSteps)] = 100;  // of 2 lanes
    counters[static_cast<size_t>(Counter::GrabTicks)] = 200;
    return counters;
}

TEST(time_shares, add_up_to_the_frame) {
    const Json shares = time_shares(half_of_the_lanes(), two_places(), 1.0);
    double sum = 0;
    for (const auto& [part, share] : shares.items()) {
        EXPECT_GE(share.get<double>(), 0) << part;
        sum += share.get<double>();
    }
    EXPECT_NEAR(sum, 1, 1e-5);
    // 2000 ns of places: 400 without kernels, 400 after the second one's last work, 200 of grabs, and of the 1000 left half the lanes.
    EXPECT_NEAR(shares["launch"].get<double>(), 0.2, 1e-6);
    EXPECT_NEAR(shares["tail"].get<double>(), 0.2, 1e-6);
    EXPECT_NEAR(shares["idle"].get<double>(), 0.0, 1e-6);
    EXPECT_NEAR(shares["fetch"].get<double>(), 0.1, 1e-6);
    EXPECT_NEAR(shares["divergence"].get<double>(), 0.25, 1e-6);
    EXPECT_NEAR(shares["useful"].get<double>(), 0.25, 1e-6);
}

TEST(time_shares, of_no_record_are_empty) { EXPECT_TRUE(time_shares({}, {}, 1).empty()); }

TEST(busy_over_time, follows_the_steps) {
    const Json busy = busy_over_time(two_places(), 10);
    ASSERT_EQ(busy["share"].size(), 11u);
    EXPECT_EQ(busy["share"][0], 1.0);
    EXPECT_EQ(busy["share"][4], 1.0);
    EXPECT_EQ(busy["share"][5], 0.5);
    EXPECT_EQ(busy["share"][10], 0.0);
    EXPECT_NEAR(busy["time_ms"][10].get<double>(), 900e-6, 1e-9);
}

TEST(quantiles, ascend_from_the_smallest_to_the_largest) {
    std::vector<double> values;
    for (int i = 10000; i >= 1; --i) values.push_back(i);
    const Json found = quantiles(values);
    ASSERT_EQ(found["p"].size(), found["value"].size());
    EXPECT_EQ(found["value"].front(), 1.0);
    EXPECT_EQ(found["value"].back(), 10000.0);
    EXPECT_TRUE(std::is_sorted(found["p"].begin(), found["p"].end()));
    EXPECT_TRUE(std::is_sorted(found["value"].begin(), found["value"].end()));
    for (size_t i = 0; i < found["p"].size(); ++i)
        EXPECT_NEAR(found["value"][i].get<double>(), std::max(1.0, 1e4 * found["p"][i].get<double>()), 1.0);
    EXPECT_TRUE(quantiles({})["p"].empty());
}

TEST(busy_quantiles, are_by_the_mean) {
    const Json busy = busy_quantiles(two_places());
    EXPECT_NEAR(busy["value"].front().get<double>(), 400 / 600.0, 1e-4);
    EXPECT_NEAR(busy["value"].back().get<double>(), 800 / 600.0, 1e-4);
}

}  // namespace
}  // namespace warpath::experiments
