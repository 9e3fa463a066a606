#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace warpath::viewer {

/// Chooses how coarse the film is while the camera moves, so that a frame fits a budget. Pure; tested without a renderer.
class DynamicResolution {
  public:
    static constexpr std::array<float, 7> scales = {1.0f, 0.75f, 0.5f, 0.35f, 0.25f, 0.175f, 0.125f};

    /// A pass at the present scale took `time_ms` of the `budget_ms`. Goes down at once as far as it takes, and up one step where the next finer
    /// scale would take less than 80 % of the budget.
    void add(double time_ms, double budget_ms);
    float scale() const { return scales[level_]; }
    void reset() { level_ = 0; }

  private:
    size_t level_ = 0;
};

/// `full` pixels at that scale, at least 1.
uint32_t scaled(uint32_t full, float scale);

}  // namespace warpath::viewer
