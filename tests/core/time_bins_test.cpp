#include "core/time_bins.h"

#include <gtest/gtest.h>

namespace warpath {
namespace {

TEST(time_bins, follow_each_other_without_holes) {
    for (uint32_t bin = 0; bin < num_time_bins; ++bin) {
        const uint64_t begin = time_bin_start_ns(bin), end = time_bin_start_ns(bin + 1);
        ASSERT_LT(begin, end);
        ASSERT_EQ(time_bin(begin), bin);
        ASSERT_EQ(time_bin(end - 1), bin);
        ASSERT_TRUE(end - begin <= time_unit_ns || (end - begin) <= begin >> time_bin_bits) << bin;
    }
}

TEST(time_bins, the_last_one_holds_what_comes_later) { EXPECT_EQ(time_bin(UINT64_MAX), num_time_bins - 1); }

}  // namespace
}  // namespace warpath
