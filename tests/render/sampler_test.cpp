#include "render/sampler.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "support/statistics.h"

namespace warpath {
namespace {

Vec2 pair(SamplerKind kind, uint64_t seed, uint32_t pixel, uint32_t sample, uint32_t dimension) {
    return Sampler(kind, seed, pixel, sample).get_2d(dimension);
}

/// One point in each cell of every grid of 2^k x 2^(n-k) cells.
bool is_net(const std::vector<Vec2>& points) {
    for (size_t columns = 1; columns <= points.size(); columns *= 2) {
        const size_t rows = points.size() / columns;
        std::vector<int> counts(points.size());
        for (Vec2 p : points)
            ++counts[static_cast<size_t>(p.y * static_cast<float>(rows)) * columns +
                     static_cast<size_t>(p.x * static_cast<float>(columns))];
        for (int n : counts)
            if (n != 1) return false;
    }
    return true;
}

TEST(Sampler, every_pair_of_every_pixel_is_a_net_for_each_power_of_two_of_samples) {
    for (uint32_t pixel : {0u, 1u, 517u, 0xffffffffu})
        for (uint32_t dimension : {uint32_t(dimension_filter), uint32_t(dimension_lens), bounce_dimension(0),
                                   bounce_dimension(3) + dimension_bsdf_uv, bounce_dimension(1000)})
            for (uint32_t n = 1; n <= 1024; n *= 2) {
                std::vector<Vec2> points;
                for (uint32_t s = 0; s < n; ++s) points.push_back(pair(SamplerKind::Sobol, 42, pixel, s, dimension));
                EXPECT_TRUE(is_net(points)) << pixel << " " << dimension << " " << n;
            }
}

TEST(Sampler, the_second_block_of_samples_is_a_net_too) {
    std::vector<Vec2> points;
    for (uint32_t s = 256; s < 512; ++s) points.push_back(pair(SamplerKind::Sobol, 1, 9, s, dimension_lens));
    EXPECT_TRUE(is_net(points));
}

TEST(Sampler, single_dimensions_are_stratified) {
    for (uint32_t dimension : {bounce_dimension(0) + dimension_light_index, bounce_dimension(0) + dimension_light_kind,
                               bounce_dimension(2) + dimension_bsdf_lobe, bounce_dimension(2) + dimension_roulette}) {
        std::set<int> cells;
        for (uint32_t s = 0; s < 256; ++s)
            cells.insert(static_cast<int>(Sampler(SamplerKind::Sobol, 3, 5, s).get_1d(dimension) * 256));
        EXPECT_EQ(cells.size(), 256u);
    }
}

TEST(Sampler, unscrambled_points_are_those_of_Joe_and_Kuo) {
    // Points 0 to 7 in dimensions 0 to 3, in 1/8; the published list has them in the order of the Gray code.
    const double expected[8][4] = {{0, 0, 0, 0}, {4, 4, 4, 4}, {2, 6, 6, 6}, {6, 2, 2, 2},
                                   {1, 5, 3, 1}, {5, 1, 7, 5}, {3, 3, 5, 7}, {7, 7, 1, 3}};
    for (uint32_t i = 0; i < 8; ++i) {
        const uint32_t x[4] = {sobol_reversed<0>(i), sobol_reversed<1>(i), sobol_reversed<2>(i), sobol_reversed<3>(i)};
        for (int d = 0; d < 4; ++d) EXPECT_EQ(reverse_bits(x[d]) * 0x1p-29, expected[i][d]) << i << " " << d;
    }
}

TEST(Sampler, numbers_depend_on_seed_pixel_sample_and_dimension_only) {
    for (SamplerKind kind : {SamplerKind::Sobol, SamplerKind::Independent}) {
        const Sampler a(kind, 1ull << 40, 7, 3), b(kind, 1ull << 40, 7, 3);
        const uint32_t later = a.get_bits(12);
        a.get_2d(4), a.get_1d(99);
        EXPECT_EQ(a.get_bits(12), later);
        EXPECT_EQ(b.get_bits(12), later);
        EXPECT_NE(Sampler(kind, (1ull << 40) + 1, 7, 3).get_bits(12), later);
        EXPECT_NE(Sampler(kind, 0, 7, 3).get_bits(12), later) << "the upper half of the seed counts";
        EXPECT_NE(Sampler(kind, 1ull << 40, 8, 3).get_bits(12), later);
        EXPECT_NE(Sampler(kind, 1ull << 40, 7, 4).get_bits(12), later);
        EXPECT_NE(a.get_bits(13), later);
        EXPECT_EQ(a.get_2d(8).x, a.get_1d(8)) << "a pair is the first two numbers of its group";
        EXPECT_EQ(a.get_2d(8).y, a.get_1d(9));
    }
}

TEST(Sampler, bounces_never_share_dimensions) {
    std::set<uint32_t> used{0, 1, 4, 5};
    size_t expected = used.size();
    for (uint32_t depth = 0; depth <= 1000; ++depth)
        for (uint32_t d : {0, 1, 2, 3, 4, 5, 6, 7}) used.insert(bounce_dimension(depth) + d), ++expected;
    EXPECT_EQ(used.size(), expected);
}

/// Correlation of two dimensions over samples and pixels.
double correlation(SamplerKind kind, uint32_t a, uint32_t b, uint32_t pixel_step) {
    double sum = 0;
    int n = 0;
    for (uint32_t pixel = 0; pixel < 64; ++pixel)
        for (uint32_t s = 0; s < 256; ++s, ++n)
            sum += (Sampler(kind, 5, pixel, s).get_1d(a) - 0.5) *
                   (Sampler(kind, 5, pixel + pixel_step, s).get_1d(b) - 0.5) * 12.0;
    return sum / n;
}

TEST(Sampler, dimensions_and_pixels_are_uncorrelated) {
    // Standard error 1/128 for independent numbers.
    for (SamplerKind kind : {SamplerKind::Sobol, SamplerKind::Independent}) {
        for (uint32_t a = 0; a < 24; ++a)
            for (uint32_t b = a + 1; b < 24; ++b)
                EXPECT_NEAR(correlation(kind, a, b, 0), 0.0, 5.0 / 128) << a << " " << b;
        for (uint32_t a = 0; a < 24; ++a) EXPECT_NEAR(correlation(kind, a, a, 1), 0.0, 5.0 / 128) << a;
    }
}

TEST(Sampler, pairs_are_uniform_over_pixels) {
    for (SamplerKind kind : {SamplerKind::Sobol, SamplerKind::Independent})
        for (uint32_t dimension : {0u, 8u, 12u}) {
            std::vector<double> counts(16 * 16);
            constexpr uint32_t n = 100000;
            for (uint32_t pixel = 0; pixel < n; ++pixel) {
                const Vec2 p = pair(kind, 77, pixel, 5, dimension);
                counts[static_cast<size_t>(p.y * 16) * 16 + static_cast<size_t>(p.x * 16)] += 1;
            }
            ChiSquare chi;
            for (double c : counts) chi.add(c, n / 256.0);
            EXPECT_LT(chi.deviations(), 4.0);
        }
}

TEST(Sampler, scrambling_makes_the_error_of_an_integral_fall_faster_than_chance) {
    // x * y over the unit square is 1/4; independent samples have a standard error of 0.22 / sqrt(n).
    double squares = 0;
    constexpr uint32_t n = 256;
    for (uint32_t pixel = 0; pixel < 100; ++pixel) {
        double sum = 0;
        for (uint32_t s = 0; s < n; ++s) {
            const Vec2 p = pair(SamplerKind::Sobol, 0, pixel, s, dimension_lens);
            sum += p.x * p.y;
        }
        squares += (sum / n - 0.25) * (sum / n - 0.25);
    }
    EXPECT_LT(std::sqrt(squares / 100), 0.22 / 16 / 8);
}

}  // namespace
}  // namespace warpath
