#include "core/random.h"

#include <gtest/gtest.h>

#include <bit>
#include <set>
#include <vector>

namespace warpath {
namespace {

TEST(Random, unit_float_never_reaches_1_and_keeps_24_bits) {
    EXPECT_EQ(unit_float(0), 0.0f);
    EXPECT_LT(unit_float(0xffffffffu), 1.0f);
    EXPECT_EQ(unit_float(0xffffffffu), 1.0f - 0x1p-24f);
    EXPECT_EQ(unit_float(0x80000000u), 0.5f);
}

TEST(Random, scale_to_range_covers_each_index_equally_and_stays_below_n) {
    for (uint32_t n : {1u, 2u, 3u, 7u, 19200u, 0xffffffffu}) EXPECT_EQ(scale_to_range(0xffffffffu, n), n - 1);
    std::vector<uint32_t> counts(3);
    for (uint64_t bits = 0; bits < (1ull << 32); bits += 65521)
        ++counts[scale_to_range(static_cast<uint32_t>(bits), 3)];
    EXPECT_NEAR(counts[0], counts[1], 1);
    EXPECT_NEAR(counts[1], counts[2], 1);
}

/// Flips each input bit and asks how many output bits change: half of them, on average, whichever bit it was.
template <class Hash>
void expect_avalanche(Hash hash, int num_bits) {
    for (int bit = 0; bit < num_bits; ++bit) {
        double changed = 0;
        constexpr int num_trials = 2000;
        for (int i = 0; i < num_trials; ++i) {
            const uint64_t x = hash_pair(99, static_cast<uint64_t>(i)) >> (64 - num_bits);
            changed += std::popcount(hash(x) ^ hash(x ^ (1ull << bit)));
        }
        EXPECT_NEAR(changed / num_trials / num_bits, 0.5, 0.02) << "bit " << bit;
    }
}

TEST(Random, every_input_bit_changes_half_of_the_output_bits) {
    expect_avalanche([](uint64_t x) { return static_cast<uint64_t>(hash_u32(static_cast<uint32_t>(x))); }, 32);
    expect_avalanche([](uint64_t x) { return hash_u64(x); }, 64);
}

TEST(Random, hash_pair_tells_order_and_zeros_apart) {
    std::set<uint64_t> seen;
    for (uint64_t a = 0; a < 40; ++a)
        for (uint64_t b = 0; b < 40; ++b) seen.insert(hash_pair(hash_pair(0, a), b));
    EXPECT_EQ(seen.size(), 1600u);
}

}  // namespace
}  // namespace warpath
