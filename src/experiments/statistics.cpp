#include "experiments/statistics.h"

#include <cstddef>
#include <random>

namespace warpath::experiments {
namespace {

constexpr size_t num_resamples = 2000;

double resampled_median(const std::vector<double>& values, std::vector<double>& space, std::mt19937_64& random) {
    space.resize(values.size());
    std::uniform_int_distribution<size_t> any(0, values.size() - 1);
    for (double& value : space) value = values[any(random)];
    const auto middle = space.begin() + static_cast<std::ptrdiff_t>(space.size() / 2);
    std::nth_element(space.begin(), middle, space.end());
    if (space.size() % 2) return *middle;
    return 0.5 * (*middle + *std::max_element(space.begin(), middle));
}

/// The central part of the resamples that `confidence` asks for.
Interval central(std::vector<double>& resamples) {
    std::sort(resamples.begin(), resamples.end());
    const auto outside = static_cast<size_t>(std::floor(0.5 * (1 - confidence) * static_cast<double>(resamples.size())));
    return {resamples[outside], resamples[resamples.size() - 1 - outside]};
}

}  // namespace

Interval median_interval(const std::vector<double>& values, uint64_t seed) {
    if (values.empty()) return {};
    if (values.size() == 1) return {values.front(), values.front()};
    std::mt19937_64 random(seed);
    std::vector<double> space, resamples(num_resamples);
    for (double& resample : resamples) resample = resampled_median(values, space, random);
    return central(resamples);
}

Interval ratio_interval(const std::vector<double>& a, const std::vector<double>& b, uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<double> space, resamples(num_resamples);
    for (double& resample : resamples) {
        const double above = resampled_median(a, space, random);
        resample = above / resampled_median(b, space, random);
    }
    return central(resamples);
}

}  // namespace warpath::experiments
