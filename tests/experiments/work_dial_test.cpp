#include "experiments/work_dial.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "warpath/error.h"

namespace warpath::experiments {
namespace {

constexpr uint64_t num_draws = 400'000;

WorkDial dial_of(Spread spread, double amount) {
    WorkDial dial;
    dial.spread = spread, dial.amount = amount, dial.num_paths = num_draws;
    return dial;
}

std::vector<double> draws(const WorkDial& dial) {
    std::vector<double> values(num_draws);
    for (uint64_t path = 0; path < num_draws; ++path) values[path] = draw_cost(dial, path);
    return values;
}

struct Moments {
    double mean = 0, variance = 0;
};
Moments moments(const std::vector<double>& values) {
    Moments m;
    for (const double x : values) m.mean += x / static_cast<double>(values.size());
    for (const double x : values) m.variance += (x - m.mean) * (x - m.mean) / static_cast<double>(values.size());
    return m;
}

double share_above(const std::vector<double>& values, double limit) {
    return static_cast<double>(std::count_if(values.begin(), values.end(), [&](double x) { return x > limit; })) / static_cast<double>(values.size());
}

TEST(work_dial, every_spread_has_mean_1) {
    for (const WorkDial& standard : standard_dials(num_draws, 256)) {
        const Moments m = moments(draws(standard));
        // Three standard errors of the sample's own spread, and what cutting the tail at 10,000 takes off.
        const double error = 3 * std::sqrt(m.variance / num_draws);
        const double cut = standard.spread == Spread::Pareto ? std::pow(WorkDial::most, 1 - standard.amount) : 0;
        EXPECT_NEAR(m.mean, 1, error + cut + 2e-3) << standard.name();
    }
}

TEST(work_dial, log_normal_costs_have_the_logarithms_moments) {
    for (const double sigma : {0.5, 1.0, 2.0}) {
        std::vector<double> logarithms = draws(dial_of(Spread::LogNormal, sigma));
        for (double& x : logarithms) x = std::log(x);
        const Moments m = moments(logarithms);
        EXPECT_NEAR(m.mean, -sigma * sigma / 2, 4 * sigma / std::sqrt(num_draws));
        EXPECT_NEAR(m.variance, sigma * sigma, 4 * sigma * sigma * std::sqrt(2.0 / num_draws));
    }
}

TEST(work_dial, pareto_costs_have_the_tail_of_the_exponent) {
    const double exponent = 1.5, least = (exponent - 1) / exponent;
    const std::vector<double> values = draws(dial_of(Spread::Pareto, exponent));
    EXPECT_GE(*std::min_element(values.begin(), values.end()), least);
    for (const double limit : {1.0, 10.0, 100.0}) {
        const double expected = std::pow(least / limit, exponent);
        EXPECT_NEAR(share_above(values, limit), expected, 4 * std::sqrt(expected / num_draws)) << limit;
    }
}

TEST(work_dial, bimodal_costs_are_light_or_a_hundred_times_that) {
    for (const double share : {0.001, 0.01, 0.1}) {
        const std::vector<double> values = draws(dial_of(Spread::Bimodal, share));
        const double light = *std::min_element(values.begin(), values.end()), heavy = *std::max_element(values.begin(), values.end());
        EXPECT_NEAR(heavy / light, WorkDial::heavy_factor, 1e-9);
        EXPECT_NEAR(share_above(values, 2 * light), share, 4 * std::sqrt(share / num_draws));
    }
}

TEST(work_dial, clustered_costs_are_heavy_in_one_corner_of_the_film) {
    WorkDial dial = dial_of(Spread::Clustered, 0.04);
    dial.num_paths = 250'000;  // 500 x 500, of which 100 x 100 are heavy
    for (const uint64_t y : {0u, 99u, 100u, 499u})
        for (const uint64_t x : {0u, 99u, 100u, 499u})
            EXPECT_EQ(draw_cost(dial, y * 500 + x) > 1, x < 100 && y < 100) << x << ", " << y;
}

TEST(work_dial, a_stream_has_the_mean_and_shares_a_paths_cost_evenly) {
    WorkDial dial = dial_of(Spread::LogNormal, 1);
    dial.num_paths = 50'000, dial.rays_per_path = 3;
    const CostStream stream = make_stream(dial);
    check_stream(stream);
    EXPECT_NEAR(static_cast<double>(stream.total_steps()) / 50'000, dial.mean_steps, 256 * 0.03);
    for (uint64_t path = 0; path < 100; ++path) {
        ASSERT_EQ(stream.first_ray[path + 1] - stream.first_ray[path], 3u);
        const uint32_t* rays = stream.rays.data() + stream.first_ray[path];
        EXPECT_LE(steps_of_ray(rays[0]) - steps_of_ray(rays[2]), 1u);
        EXPECT_NEAR(static_cast<double>(stream.path_steps(path)), std::max(3.0, draw_cost(dial, path) * dial.mean_steps), 1);
    }
}

TEST(work_dial, an_order_changes_nothing_but_the_order) {
    WorkDial dial = dial_of(Spread::LogNormal, 1.5);
    dial.num_paths = 5000;
    const CostStream drawn = make_stream(dial);
    dial.order = WorkOrder::Ascending;
    const CostStream up = make_stream(dial);
    dial.order = WorkOrder::LongestFirst;
    const CostStream down = make_stream(dial);
    EXPECT_EQ(up.total_steps(), drawn.total_steps());
    EXPECT_EQ(down.total_steps(), drawn.total_steps());
    for (uint64_t path = 1; path < dial.num_paths; ++path) {
        EXPECT_LE(up.path_steps(path - 1), up.path_steps(path));
        EXPECT_GE(down.path_steps(path - 1), down.path_steps(path));
    }
    EXPECT_TRUE(make_stream(dial) == down) << "the same dial gives the same stream";
    dial.seed = 1;
    EXPECT_FALSE(make_stream(dial) == down) << "another seed gives another";
}

TEST(work_dial, dials_without_sense_are_refused) {
    EXPECT_THROW(make_stream(dial_of(Spread::Pareto, 1)), Error);
    EXPECT_THROW(make_stream(dial_of(Spread::LogNormal, std::nan(""))), Error);
    EXPECT_THROW(make_stream(dial_of(Spread::Bimodal, 1.5)), Error);
    WorkDial dial;
    dial.num_paths = 0;
    EXPECT_THROW(make_stream(dial), Error);
    dial = {};
    dial.mean_steps = 1e9;
    EXPECT_THROW(make_stream(dial), Error);
}

}  // namespace
}  // namespace warpath::experiments
