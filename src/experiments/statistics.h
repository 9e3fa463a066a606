#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace warpath::experiments {

/// The middle value, or the mean of the two middle ones; 0 of none.
inline double median(std::vector<double> values) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    const size_t middle = values.size() / 2;
    return values.size() % 2 ? values[middle] : 0.5 * (values[middle - 1] + values[middle]);
}

/// The smallest value that at least `percent` % of the values do not exceed (nearest rank): always one of them, of few
/// values the largest.
inline double percentile(std::vector<double> values, double percent) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    const double rank = std::ceil(percent / 100 * static_cast<double>(values.size()));
    return values[std::min(values.size(), std::max<size_t>(1, static_cast<size_t>(rank))) - 1];
}

/// The nearest number of so many decimal digits: rows need no more of them than a measurement means, and stay short.
inline double to_digits(int digits, double value) {
    if (value == 0 || !std::isfinite(value)) return value;
    const double unit = std::pow(10.0, digits - 1 - std::floor(std::log10(std::abs(value))));
    return std::round(value * unit) / unit;
}
/// Of a time that was measured: a nanosecond in ten milliseconds.
inline constexpr int time_digits = 7;

struct Interval {
    double low = 0, high = 0;
    bool contains(double x) const { return low <= x && x <= high; }
};

/// What an interval promises: in so many of many repetitions of the whole measurement it holds the true value.
inline constexpr double confidence = 0.95;

/// Bootstrap interval of the median of `values`, at `confidence`; {0, 0} of none, the value itself of one. The seed only fixes which
/// resamples are drawn.
/// Source:  Efron and Tibshirani, "An Introduction to the Bootstrap", 1993, chapter 13: the percentile interval.
Interval median_interval(const std::vector<double>& values, uint64_t seed = 0);

/// Bootstrap interval of median(a) / median(b), the two resampled apart. Both must be positive and not empty.
Interval ratio_interval(const std::vector<double>& a, const std::vector<double>& b, uint64_t seed = 0);

/// Width of an interval of the median by the median; 0 of none.
inline double relative_width(const Interval& interval, double median) {
    return median != 0 ? (interval.high - interval.low) / std::abs(median) : 0;
}

}  // namespace warpath::experiments
