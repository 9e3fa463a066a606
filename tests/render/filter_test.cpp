#include "render/filter.h"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "render/sampler.h"
#include "support/statistics.h"

namespace warpath {
namespace {

constexpr int cells = 48;  // per axis

/// Chi-square of sampled offsets against `density` (unnormalised, in pixels) over the square of half width `radius`.
double deviations(FilterKind kind, double radius, const std::function<double(double, double)>& density) {
    std::vector<double> counts(cells * cells), expected(cells * cells);
    constexpr uint32_t n = 1000000;
    for (uint32_t i = 0; i < n; ++i) {
        const Vec2 p = sample_filter(kind, Sampler(SamplerKind::Independent, 3, i, 0).get_2d(0));
        const int x = static_cast<int>(std::floor((p.x / radius * 0.5 + 0.5) * cells));
        const int y = static_cast<int>(std::floor((p.y / radius * 0.5 + 0.5) * cells));
        if (x < 0 || y < 0 || x >= cells || y >= cells) return 1e9;
        counts[y * cells + x] += 1;
    }
    double total = 0;
    constexpr int sub = 8;  // points per cell and axis for the integral over a cell
    for (int y = 0; y < cells * sub; ++y)
        for (int x = 0; x < cells * sub; ++x) {
            const double d =
                density(((x + 0.5) / (cells * sub) * 2 - 1) * radius, ((y + 0.5) / (cells * sub) * 2 - 1) * radius);
            expected[(y / sub) * cells + x / sub] += d;
            total += d;
        }
    ChiSquare chi;
    for (int i = 0; i < cells * cells; ++i) chi.add(counts[i], expected[i] / total * n);
    return chi.deviations();
}

TEST(Filter, box_samples_fill_the_pixel_evenly) {
    EXPECT_LT(deviations(FilterKind::Box, 0.5, [](double, double) { return 1.0; }), 4.0);
}

TEST(Filter, gaussian_samples_follow_the_gaussian) {
    EXPECT_LT(
        deviations(FilterKind::Gaussian, 1.5,
                   [](double x, double y) { return x * x + y * y < 2.25 ? std::exp(-(x * x + y * y) / 0.5) : 0.0; }),
        4.0);
}

double blackman_harris(double x) {
    const double t = 2 * 3.14159265358979 * (x / 3 + 0.5);
    return 0.35875 - 0.48829 * std::cos(t) + 0.14128 * std::cos(2 * t) - 0.01168 * std::cos(3 * t);
}

TEST(Filter, blackman_harris_samples_follow_the_window) {
    EXPECT_LT(deviations(FilterKind::BlackmanHarris, 1.5,
                         [](double x, double y) { return blackman_harris(x) * blackman_harris(y); }),
              4.0);
}

TEST(Filter, extreme_random_numbers_stay_within_a_pixel_and_a_half_of_the_centre) {
    const float last = 1.0f - 0x1p-24f;
    for (FilterKind kind : {FilterKind::Box, FilterKind::Gaussian, FilterKind::BlackmanHarris})
        for (float u : {0.0f, 0x1p-24f, 0.5f, last})
            for (float v : {0.0f, 0x1p-24f, 0.5f, last}) {
                const Vec2 p = sample_filter(kind, {u, v});
                EXPECT_TRUE(std::abs(p.x) <= 1.5f && std::abs(p.y) <= 1.5f) << p.x << " " << p.y;
            }
}

TEST(Filter, samples_are_centred) {
    for (FilterKind kind : {FilterKind::Box, FilterKind::Gaussian, FilterKind::BlackmanHarris}) {
        double x = 0, y = 0;
        for (uint32_t s = 0; s < 4096; ++s) {
            const Vec2 p = sample_filter(kind, Sampler(SamplerKind::Sobol, 1, 0, s).get_2d(0));
            x += p.x, y += p.y;
        }
        EXPECT_NEAR(x / 4096, 0.0, 2e-3);
        EXPECT_NEAR(y / 4096, 0.0, 2e-3);
    }
}

}  // namespace
}  // namespace warpath
