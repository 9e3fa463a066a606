#include <gtest/gtest.h>

#include "bsdf_cases.h"

/// That samples follow the stated density, and that weights are values over densities.
namespace warpath::test {
namespace {

constexpr int num_rows = 24, num_columns = 48, subdivision = 16;  // the chi-square grid, in cosine and azimuth
constexpr int num_samples = 100000;

/// Probability of each cell of the grid, by midpoint quadrature of the density.
std::vector<double> cell_probabilities(const MaterialParams& p, Vec3 wo) {
    std::vector<double> cells(num_rows * num_columns, 0.0);
    const int rows = num_rows * subdivision, columns = num_columns * subdivision;
    const double solid_angle = 4.0 * pi / (static_cast<double>(rows) * columns);
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) {
            const float z = -1.0f + 2.0f * (static_cast<float>(i) + 0.5f) / rows;
            const float phi = 2.0f * pi * (static_cast<float>(j) + 0.5f) / columns;
            cells[i / subdivision * num_columns + j / subdivision] +=
                solid_angle * pdf_bsdf(plain_scene(), p, wo, direction(z, phi));
        }
    return cells;
}

int cell_of(Vec3 w) {
    const float phi = std::atan2(w.y, w.x);
    const int row = std::clamp(static_cast<int>((w.z + 1.0f) * 0.5f * num_rows), 0, num_rows - 1);
    const int column = static_cast<int>((phi < 0.0f ? phi + 2.0f * pi : phi) / (2.0f * pi) * num_columns);
    return row * num_columns + std::min(column, num_columns - 1);
}

/// Standard normal deviate of a chi-square value (Wilson and Hilferty, PNAS 17, 1931).
double chi_square_deviate(double value, int freedom) {
    const double v = 2.0 / (9.0 * freedom);
    return (std::cbrt(value / freedom) - (1.0 - v)) / std::sqrt(v);
}

/// Deviate of the observed counts. Cells that expect under 5 samples are pooled, together with all that is not in the
/// density: delta lobes and absorbed samples.
double deviate(const MaterialParams& p, Vec3 wo, uint32_t seed) {
    const std::vector<double> expected = cell_probabilities(p, wo);
    std::vector<int> observed(expected.size(), 0);
    Uniform u(seed);
    int elsewhere = 0;
    for (int i = 0; i < num_samples; ++i) {
        const float u_lobe = u.next();
        const BsdfSample s = sample_bsdf(plain_scene(), p, wo, u_lobe, u.next2());
        s.valid && !s.delta ? ++observed[cell_of(s.wi)] : ++elsewhere;
    }
    double value = 0.0, pooled_expected = num_samples, pooled_observed = elsewhere;
    int freedom = 0;
    for (const double e : expected) pooled_expected -= e * num_samples;
    for (size_t i = 0; i < expected.size(); ++i) {
        const double e = expected[i] * num_samples, d = observed[i] - e;
        if (e < 5.0)
            pooled_expected += e, pooled_observed += observed[i];
        else
            value += d * d / e, ++freedom;
    }
    // A pool that expects less than 5 is no chi-square term, but may not hold many samples either.
    if (pooled_expected >= 5.0)
        value += (pooled_observed - pooled_expected) * (pooled_observed - pooled_expected) / pooled_expected;
    else
        EXPECT_LT(pooled_observed, 25.0);
    if (pooled_expected < 5.0) --freedom;
    return freedom > 0 ? chi_square_deviate(value, freedom) : 0.0;
}

TEST(Sampling, directions_follow_the_density) {
    const std::vector<BsdfCase> cases = bsdf_cases({0.3f, 0.6f, 1.0f});
    const float cosines[] = {0.15f, 0.8f};
    // Significance 1e-4 over about 100 tests: 1e-6 each, which a normal deviate passes at 4.75.
    for (size_t i = 0; i < cases.size(); ++i)
        for (const float cos_o : cosines)
            EXPECT_LT(deviate(cases[i].params(), direction(cos_o, 1.1f), static_cast<uint32_t>(i) + 1), 4.75)
                << cases[i].name << " cos " << cos_o;
}

TEST(Sampling, density_beside_a_delta_lobe_integrates_to_its_share) {
    for (const BsdfCase& c : bsdf_cases({0.0f})) {
        const Vec3 wo = direction(0.5f, 1.1f);
        double share = 0.0;
        for_sphere(64, [&](Vec3 wi, double w) { share += w * pdf_bsdf(plain_scene(), c.params(), wo, wi); });
        Uniform u(29);
        int hits = 0;
        for (int i = 0; i < 20000; ++i) {
            const float u_lobe = u.next();
            const BsdfSample s = sample_bsdf(plain_scene(), c.params(), wo, u_lobe, u.next2());
            ASSERT_TRUE(s.valid) << c.name;
            EXPECT_EQ(s.delta ? 0.0f : 1.0f, s.pdf > 0.0f ? 1.0f : 0.0f) << c.name;
            hits += s.delta ? 0 : 1;
        }
        EXPECT_NEAR(share, hits / 20000.0, 0.016) << c.name;  // 4.5 sigma
        EXPECT_EQ(has_non_delta(c.params()), share > 0.0) << c.name;
    }
}

TEST(Sampling, weight_is_value_over_density) {
    Uniform u(31);
    for (const BsdfCase& c : bsdf_cases({0.05f, 0.3f, 1.0f}))
        for (int i = 0; i < 3000; ++i) {
            const Vec3 wo = direction(std::max(u.next(), 0.02f), 6.0f * u.next());
            const float u_lobe = u.next();
            const BsdfSample s = sample_bsdf(plain_scene(), c.params(), wo, u_lobe, u.next2());
            if (!s.valid || s.delta) continue;
            const BsdfValue v = evaluate_bsdf(plain_scene(), c.params(), wo, s.wi);
            // A narrow lobe amplifies the rounding of the half vector: relative error about 1e-7 / alpha.
            const float tolerance = c.material.roughness < 0.1f ? 2e-2f : 2e-3f;
            EXPECT_NEAR(v.pdf / s.pdf, 1.0f, tolerance) << c.name << " wo.z " << wo.z << " wi.z " << s.wi.z;
            EXPECT_NEAR(v.value.x / v.pdf, s.weight.x, tolerance * std::max(s.weight.x, 0.01f)) << c.name;
            EXPECT_EQ(s.transmitted, s.wi.z < 0.0f) << c.name;
        }
}

TEST(Sampling, mean_weight_is_the_integral_of_the_value) {
    for (const BsdfCase& c : bsdf_cases({0.4f, 1.0f})) {
        const Vec3 wo = direction(0.6f, 0.3f);
        double integral = 0.0, sum = 0.0, squares = 0.0;
        for_sphere(256, [&](Vec3 wi, double w) { integral += w * eval_bsdf(plain_scene(), c.params(), wo, wi).y; });
        Uniform u(37);
        const int n = 40000;
        for (int i = 0; i < n; ++i) {
            const float u_lobe = u.next();
            const BsdfSample s = sample_bsdf(plain_scene(), c.params(), wo, u_lobe, u.next2());
            const double weight = s.valid ? s.weight.y : 0.0;
            sum += weight, squares += weight * weight;
        }
        const double mean = sum / n, sigma = std::sqrt(std::max(squares / n - mean * mean, 0.0) / n);
        EXPECT_NEAR(mean, integral, 4.5 * sigma + 5e-4) << c.name;  // 5e-4: the grid's own error
    }
}

}  // namespace
}  // namespace warpath::test
