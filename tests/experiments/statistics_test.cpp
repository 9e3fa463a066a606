#include "experiments/statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace warpath::experiments {
namespace {

TEST(median, is_the_middle_or_the_mean_of_the_middle_two) {
    EXPECT_EQ(median({}), 0);
    EXPECT_EQ(median({3}), 3);
    EXPECT_EQ(median({5, 1, 3}), 3);
    EXPECT_EQ(median({4, 1, 3, 100}), 3.5);
}

TEST(percentile, is_one_of_the_values_by_nearest_rank) {
    std::vector<double> values;
    for (int i = 100; i >= 1; --i) values.push_back(i);
    EXPECT_EQ(percentile(values, 50), 50);
    EXPECT_EQ(percentile(values, 95), 95);
    EXPECT_EQ(percentile(values, 99), 99);
    EXPECT_EQ(percentile(values, 0), 1);
    EXPECT_EQ(percentile(values, 100), 100);
    EXPECT_EQ(percentile({2, 1}, 95), 2) << "of few values the largest";
    EXPECT_EQ(percentile({}, 95), 0);
}

/// Times of runs: a fixed part, and a long tail to one side.
std::vector<double> times(std::mt19937_64& random, size_t num, double scale = 1) {
    std::lognormal_distribution<double> extra(-3, 1);
    std::vector<double> values(num);
    for (double& value : values) value = scale * (1 + extra(random));
    return values;
}

constexpr int num_trials = 400;

TEST(median_interval, covers_the_true_median_as_often_as_it_promises) {
    const double truth = 1 + std::exp(-3.0);  // the median of a log-normal is the exponential of its mean
    std::mt19937_64 random(7);
    int covered = 0;
    for (int i = 0; i < num_trials; ++i) covered += median_interval(times(random, 15), 1).contains(truth);
    const double share = covered / double{num_trials};
    EXPECT_GE(share, confidence - 0.035) << "of so few values the percentile interval is known to be a little narrow";
    EXPECT_LE(share, 0.995) << "an interval that always holds says nothing";
}

TEST(median_interval, of_one_value_is_that_value_and_of_none_nothing) {
    EXPECT_EQ(median_interval({4}).low, 4);
    EXPECT_EQ(median_interval({4}).high, 4);
    EXPECT_EQ(median_interval({}).high, 0);
}

TEST(median_interval, depends_on_values_and_seed_alone) {
    std::mt19937_64 random(3);
    const std::vector<double> values = times(random, 12);
    EXPECT_EQ(median_interval(values, 5).low, median_interval(values, 5).low);
    EXPECT_EQ(median_interval(values, 5).high, median_interval(values, 5).high);
}

TEST(ratio_interval, of_a_thing_to_itself_holds_1_as_often_as_it_promises) {
    std::mt19937_64 random(11);
    int apart = 0;
    for (int i = 0; i < num_trials; ++i) apart += !ratio_interval(times(random, 12), times(random, 12), 2).contains(1);
    EXPECT_LE(apart / double{num_trials}, 1 - confidence + 0.035);
}

TEST(ratio_interval, finds_a_difference_that_is_there) {
    std::mt19937_64 random(13);
    int found = 0;
    for (int i = 0; i < num_trials; ++i) found += ratio_interval(times(random, 12, 1.2), times(random, 12), 2).low > 1;
    EXPECT_GE(found / double{num_trials}, 0.9);
}

}  // namespace
}  // namespace warpath::experiments
