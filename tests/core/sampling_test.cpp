#include "core/sampling.h"

#include <gtest/gtest.h>

#include <vector>

#include "core/random.h"
#include "support/statistics.h"

namespace warpath {
namespace {

constexpr int grid = 256;
Vec2 cell_center(int i, int j) { return {(i + 0.5f) / grid, (j + 0.5f) / grid}; }

TEST(Sampling, disc_samples_are_uniform_in_area) {
    // Rings of equal area and sectors of equal angle get equal shares.
    std::vector<int> counts(8 * 8);
    constexpr int n = 200000;
    for (int i = 0; i < n; ++i) {
        const uint64_t bits = hash_pair(5, static_cast<uint64_t>(i));
        const Vec2 p =
            sample_disc({unit_float(static_cast<uint32_t>(bits)), unit_float(static_cast<uint32_t>(bits >> 32))});
        const float r2 = p.x * p.x + p.y * p.y;
        ASSERT_LE(r2, 1.0f + 1e-6f);
        const int ring = std::min(7, static_cast<int>(r2 * 8));
        const int sector = std::min(7, static_cast<int>((std::atan2(p.y, p.x) / (2 * pi) + 0.5f) * 8));
        ++counts[ring * 8 + sector];
    }
    ChiSquare chi;
    for (int count : counts) chi.add(count, n / 64.0);
    EXPECT_LT(chi.deviations(), 4.0);
}

TEST(Sampling, triangle_samples_are_uniform_in_area) {
    // Weights of a uniform point: mean 1/3 each, second moment 1/6, mixed moment 1/12.
    double a = 0, b = 0, aa = 0, ab = 0;
    for (int j = 0; j < grid; ++j)
        for (int i = 0; i < grid; ++i) {
            const Vec2 p = sample_triangle(cell_center(i, j));
            ASSERT_GE(p.x, 0.0f);
            ASSERT_GE(p.y, 0.0f);
            ASSERT_LE(p.x + p.y, 1.0f);
            a += p.x, b += p.y, aa += p.x * p.x, ab += p.x * p.y;
        }
    const double n = grid * grid;
    EXPECT_NEAR(a / n, 1.0 / 3, 1e-4);
    EXPECT_NEAR(b / n, 1.0 / 3, 1e-4);
    EXPECT_NEAR(aa / n, 1.0 / 6, 1e-4);
    EXPECT_NEAR(ab / n, 1.0 / 12, 1e-4);
}

TEST(Sampling, cone_samples_fill_the_cone_uniformly_even_if_it_is_as_narrow_as_the_sun) {
    for (double half_angle : {0.0001, 0.0046, 0.5, 1.5, 3.14159265}) {
        const double one_minus_cos = 2 * std::pow(std::sin(half_angle / 2), 2.0);
        double sum = 0;
        for (int j = 0; j < grid; ++j)
            for (int i = 0; i < grid; ++i) {
                const Vec3 w = sample_cone(cell_center(i, j), static_cast<float>(one_minus_cos));
                EXPECT_NEAR(length(w), 1.0f, 1e-6f);
                // 1 - cos from the sine, which is exact for small angles, or from the cosine for wide ones
                const double sine2 = double(w.x) * w.x + double(w.y) * w.y;
                const double h = w.z > 0.5f ? 1 - std::sqrt(1 - sine2) : 1.0 - w.z;
                ASSERT_LE(h, one_minus_cos * 1.00001);
                sum += h;
            }
        EXPECT_NEAR(sum / (grid * grid) / one_minus_cos, 0.5, 1e-3) << half_angle;
    }
}

TEST(Sampling, power_heuristic_weights_of_two_techniques_sum_to_1) {
    for (float a : {1e-20f, 0.1f, 1.0f, 1e20f})
        for (float b : {1e-20f, 0.3f, 1e20f}) EXPECT_NEAR(power_heuristic(a, b) + power_heuristic(b, a), 1.0f, 1e-6f);
    EXPECT_EQ(power_heuristic(1.0f, infinity), 0.0f);
    EXPECT_EQ(power_heuristic(infinity, 1.0f), 1.0f);
    EXPECT_EQ(power_heuristic(1.0f, 0.0f), 1.0f);
}

}  // namespace
}  // namespace warpath
