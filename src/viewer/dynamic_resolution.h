#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace warpath::viewer {

/// Chooses how coarse the film is while the camera moves, so that a frame fits a budget. Pure; tested without a renderer.
class DynamicResolution {
  public:
    static constexpr std::array<float, 7> scales = {1.0f, 0.75f, 0.5f, 0.35f, 0.25f, 0.175f, 0.125f};

    /// Movement begins, and a pass at full size takes `full_ms` (0: nobody knows). Chooses the finest scale that fits the budget by what passes at coarser
    /// scales took before, in proportion to one at full size, and where none did, by their pixels.
    void begin(double full_ms, double budget_ms);
    /// A pass at the present scale took `time_ms` of the `budget_ms`. Goes down at once as far as it takes, and up one step where the next finer
    /// scale would take less than 80 % of the budget.
    void add(double time_ms, double budget_ms);
    float scale() const { return scales[level_]; }

  private:
    double area_ratio(size_t level, size_t of_level) const;
    double predicted_ms(size_t level) const;
    void go_down(double budget_ms);

    size_t level_ = 0;
    double full_ms_ = 0;
    std::array<double, scales.size()> share_{};  ///< of full_ms_ that a pass took; 0: never seen
};

/// `full` pixels at that scale, at least 1.
uint32_t scaled(uint32_t full, float scale);

}  // namespace warpath::viewer
