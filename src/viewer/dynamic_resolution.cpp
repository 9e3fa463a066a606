#include "viewer/dynamic_resolution.h"

#include <algorithm>
#include <cmath>

namespace warpath::viewer {

double DynamicResolution::area_ratio(size_t level, size_t of_level) const {
    const double ratio = static_cast<double>(scales[level]) / scales[of_level];
    return ratio * ratio;
}

/// From the coarsest scale seen that is not coarser than `level`.
double DynamicResolution::predicted_ms(size_t level) const {
    size_t seen = level;
    while (seen > 0 && !(share_[seen] > 0)) --seen;
    return full_ms_ * (seen > 0 ? share_[seen] : 1) * area_ratio(level, seen);
}

void DynamicResolution::go_down(double budget_ms) {
    while (level_ + 1 < scales.size() && predicted_ms(level_) > budget_ms) ++level_;
}

void DynamicResolution::begin(double full_ms, double budget_ms) {
    level_ = 0;
    full_ms_ = full_ms;
    go_down(budget_ms);
}

void DynamicResolution::add(double time_ms, double budget_ms) {
    if (level_ == 0) full_ms_ = time_ms;
    if (full_ms_ > 0) share_[level_] = time_ms / full_ms_;
    if (time_ms > budget_ms)
        go_down(budget_ms);
    else if (level_ > 0 && time_ms * area_ratio(level_ - 1, level_) < 0.8 * budget_ms)
        --level_;
}

uint32_t scaled(uint32_t full, float scale) {
    return std::max(1u, static_cast<uint32_t>(std::lround(static_cast<double>(full) * scale)));
}

}  // namespace warpath::viewer
