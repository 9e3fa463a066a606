#pragma once

#include <imgui.h>

#include <functional>
#include <string>
#include <vector>

#include "viewer/rolling.h"

namespace warpath::viewer {

/// Three digits that count, such as "1.23", "45.6" or "12345".
std::string short_number(double value);
/// A colour that belongs to a name, the same everywhere. `index` is its place in a list.
ImU32 series_color(size_t index, float alpha = 1);

/// One curve of a plot.
struct Curve {
    const RollingSeries* series;
    ImU32 color;
};
/// Curves above each other's median and confidence band, in a frame of the panel's width. All share one scale, which begins at 0.
void plot(const char* id, const std::vector<Curve>& curves, float height, double unit = 1);

/// Values of rows and columns as coloured cells, 0..1 by `color`. NaN leaves a cell empty. `hover` tells about a cell.
void heat_map(const char* id, size_t num_columns, size_t num_rows, const std::vector<float>& values, float height,
              const std::function<std::string(size_t column, size_t row)>& hover);
/// The colour scale of heat maps, 0..1.
ImU32 heat_color(float x);

/// Points of a curve of steps: from x on, the value is y.
struct Step {
    double x, y;
};
/// Areas under curves of steps, over 0..x_max, with a common scale.
void step_plot(const char* id, const std::vector<std::vector<Step>>& curves, const std::vector<ImU32>& colors, double x_max, float height);

/// A slider of a whole number where 0 lets the renderer choose; false while nothing changes.
bool slider_or_auto(const char* label, uint32_t* value, int max);

}  // namespace warpath::viewer
