#include "experiments/statistics.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace warpath::experiments
