#pragma once

#include <algorithm>
#include <cmath>
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

}  // namespace warpath::experiments
