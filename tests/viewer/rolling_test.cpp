#include "viewer/rolling.h"

#include <gtest/gtest.h>

#include <random>

namespace warpath::viewer {
namespace {

TEST(MedianBand, has_no_interval_of_too_few_values) {
    EXPECT_EQ(median_band({}).num_values, 0u);
    const Band five = median_band({5, 1, 4, 2, 3});
    EXPECT_FALSE(five.has_interval);
    EXPECT_EQ(five.median, 3);
    EXPECT_EQ(five.lo, 1);
    EXPECT_EQ(five.hi, 5);
}

TEST(MedianBand, ranks_are_those_of_the_tables) {
    // 95 % intervals of the median: ranks 1 and 6 of 6, 2 and 9 of 10, 10 and 21 of 30, 40 and 61 of 100.
    for (const auto& [n, rank] : {std::pair{6, 1}, std::pair{10, 2}, std::pair{30, 10}, std::pair{100, 40}}) {
        std::vector<double> values;
        for (int i = 1; i <= n; ++i) values.push_back(i);
        const Band band = median_band(values);
        EXPECT_TRUE(band.has_interval);
        EXPECT_EQ(band.lo, rank) << n;
        EXPECT_EQ(band.hi, n + 1 - rank) << n;
    }
}

TEST(MedianBand, holds_the_true_median_as_often_as_it_says) {
    std::mt19937 random(7);
    std::exponential_distribution<double> skewed(1);  // median log 2
    int num_held = 0;
    for (int i = 0; i < 2000; ++i) {
        std::vector<double> values(25);
        for (double& value : values) value = skewed(random);
        const Band band = median_band(values);
        num_held += band.lo <= std::log(2.0) && std::log(2.0) <= band.hi ? 1 : 0;
    }
    EXPECT_GE(num_held, 1880);  // 95 % of 2000, less four standard deviations
}

TEST(RollingSeries, keeps_the_newest) {
    RollingSeries series(3);
    for (const double value : {1., 2., 3., 4.}) series.add(value);
    EXPECT_EQ(series.list(), (std::vector<double>{2, 3, 4}));
}

TEST(AbComparison, says_who_is_faster_only_where_the_interval_does) {
    std::mt19937 random(1);
    std::normal_distribution<double> noise(0, 0.02);
    AbComparison same, b_faster, a_faster;
    EXPECT_EQ(same.verdict(), AbComparison::Verdict::TooFew);
    for (int i = 0; i < 200; ++i) {
        same.add(2 + noise(random), 2 + noise(random));
        b_faster.add(2 + noise(random), 1.8 + noise(random));
        a_faster.add(2 + noise(random), 2.2 + noise(random));
    }
    EXPECT_EQ(same.verdict(), AbComparison::Verdict::Same);
    EXPECT_EQ(b_faster.verdict(), AbComparison::Verdict::BFaster);
    EXPECT_EQ(a_faster.verdict(), AbComparison::Verdict::AFaster);
    EXPECT_NEAR(b_faster.ratio().median, 0.9, 0.01);
}

}  // namespace
}  // namespace warpath::viewer
