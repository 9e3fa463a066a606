#include "viewer/dynamic_resolution.h"

#include <algorithm>
#include <cmath>

namespace warpath::viewer {

void DynamicResolution::add(double time_ms, double budget_ms) {
    const auto predicted = [&](size_t level) {
        const double ratio = static_cast<double>(scales[level]) / scales[level_];
        return time_ms * ratio * ratio;
    };
    if (time_ms > budget_ms) {
        size_t level = level_;
        while (level + 1 < scales.size() && predicted(level) > budget_ms) ++level;
        level_ = level;
    } else if (level_ > 0 && predicted(level_ - 1) < 0.8 * budget_ms) {
        --level_;
    }
}

uint32_t scaled(uint32_t full, float scale) {
    return std::max(1u, static_cast<uint32_t>(std::lround(static_cast<double>(full) * scale)));
}

}  // namespace warpath::viewer
