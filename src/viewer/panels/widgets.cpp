#include "viewer/panels/widgets.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "warpath/live_frame.h"

namespace warpath::viewer {
namespace {

/// A dark frame for a drawing, hovered or not.
struct Canvas {
    Canvas(const char* id, float height)
        : corner(ImGui::GetCursorScreenPos()), size(ImGui::GetContentRegionAvail().x, height), list(*ImGui::GetWindowDrawList()) {
        size.x = std::max(size.x, 8.0f);
        ImGui::InvisibleButton(id, size);
        list.AddRectFilled(corner, ImVec2(corner.x + size.x, corner.y + size.y), IM_COL32(14, 15, 18, 255), 3);
    }
    ImVec2 at(double x, double y) const {  // 0..1, y upwards
        return {corner.x + static_cast<float>(x) * size.x, corner.y + static_cast<float>(1 - y) * size.y};
    }
    ImVec2 corner, size;
    ImDrawList& list;
};

void draw_curve(const Canvas& canvas, const Curve& curve, double top) {
    const std::vector<double> values = curve.series->list();
    const Band band = median_band(values);
    const auto y = [&](double value) { return std::clamp(value / top, 0.0, 1.0); };
    const ImU32 faint = (curve.color & 0x00ffffffu) | 0x38000000u;
    if (band.has_interval) canvas.list.AddRectFilled(canvas.at(0, y(band.hi)), canvas.at(1, y(band.lo)), faint);
    canvas.list.AddLine(canvas.at(0, y(band.median)), canvas.at(1, y(band.median)), (curve.color & 0x00ffffffu) | 0xa0000000u);
    std::vector<ImVec2> points;
    const double step = 1.0 / static_cast<double>(std::max<size_t>(values.size(), 2) - 1);
    for (size_t i = 0; i < values.size(); ++i) points.push_back(canvas.at(static_cast<double>(i) * step, y(values[i])));
    canvas.list.AddPolyline(points.data(), static_cast<int>(points.size()), curve.color, 0, 1.2f);
}

}  // namespace

std::string short_number(double value) {
    std::array<char, 32> text;
    const double size = std::abs(value);
    const int digits = size >= 100 || size == 0 ? 0 : size >= 10 ? 1 : 2;
    std::snprintf(text.data(), text.size(), "%.*f", digits, value);
    return text.data();
}

ImU32 series_color(size_t index, float alpha) {
    static constexpr std::array<std::array<uint8_t, 3>, 8> palette = {{{86, 180, 233}, {230, 159, 0}, {0, 190, 130}, {240, 228, 66},
                                                                       {204, 121, 167}, {213, 94, 0}, {140, 150, 255}, {190, 190, 190}}};
    const auto& c = palette[index % palette.size()];
    return IM_COL32(c[0], c[1], c[2], static_cast<int>(alpha * 255));
}

void plot(const char* id, const std::vector<Curve>& curves, float height, double unit) {
    const Canvas canvas(id, height);
    double top = 0;
    for (const Curve& curve : curves) {
        const std::vector<double> values = curve.series->list();
        if (values.empty()) continue;
        // A single outlier does not flatten all the others.
        top = std::max({top, 1.6 * median_band(values).median, values.back()});
    }
    if (!(top > 0)) return;
    canvas.list.PushClipRect(canvas.at(0, 1), canvas.at(1, 0), true);
    for (const Curve& curve : curves)
        if (!curve.series->empty()) draw_curve(canvas, curve, top);
    canvas.list.PopClipRect();
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("0 to %s; line: median, band: its 95 %% confidence interval", short_number(top * unit).c_str());
}

ImU32 heat_color(float x) {
    const std::array<uint8_t, 3> color = scale_color(std::clamp(x, 0.0f, 1.0f));
    return IM_COL32(color[0], color[1], color[2], 255);
}

void heat_map(const char* id, size_t num_columns, size_t num_rows, const std::vector<float>& values, float height,
              const std::function<std::string(size_t column, size_t row)>& hover) {
    const Canvas canvas(id, height);
    const double w = 1.0 / static_cast<double>(std::max<size_t>(num_columns, 1)), h = 1.0 / static_cast<double>(std::max<size_t>(num_rows, 1));
    const float gap_x = canvas.size.x * static_cast<float>(w) > 6 ? 1.0f : 0.0f, gap_y = canvas.size.y * static_cast<float>(h) > 6 ? 1.0f : 0.0f;
    for (size_t row = 0; row < num_rows; ++row) {
        for (size_t column = 0; column < num_columns; ++column) {
            const float value = values[row * num_columns + column];
            if (std::isnan(value)) continue;
            const ImVec2 a = canvas.at(static_cast<double>(column) * w, 1 - static_cast<double>(row) * h);
            const ImVec2 b = canvas.at(static_cast<double>(column + 1) * w, 1 - static_cast<double>(row + 1) * h);
            canvas.list.AddRectFilled(a, ImVec2(b.x - gap_x, b.y - gap_y), heat_color(value));
        }
    }
    if (!ImGui::IsItemHovered()) return;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const auto cell = [](float offset, float size, size_t count) {
        return std::min(count - 1, static_cast<size_t>(std::max(0.0f, offset / size) * static_cast<float>(count)));
    };
    ImGui::SetTooltip("%s", hover(cell(mouse.x - canvas.corner.x, canvas.size.x, num_columns),
                                  cell(mouse.y - canvas.corner.y, canvas.size.y, num_rows)).c_str());
}

void step_plot(const char* id, const std::vector<std::vector<Step>>& curves, const std::vector<ImU32>& colors, double x_max, float height) {
    const Canvas canvas(id, height);
    double top = 0;
    for (const auto& curve : curves)
        for (const Step& step : curve) top = std::max(top, step.y);
    if (!(top > 0) || !(x_max > 0)) return;
    for (size_t i = 0; i < curves.size(); ++i) {
        const ImU32 fill = (colors[i] & 0x00ffffffu) | 0x50000000u;
        for (size_t k = 0; k < curves[i].size(); ++k) {
            const double begin = curves[i][k].x / x_max, end = k + 1 < curves[i].size() ? curves[i][k + 1].x / x_max : 1.0;
            const double y = curves[i][k].y / top;
            canvas.list.AddRectFilled(canvas.at(begin, y), canvas.at(end, 0), fill);
            canvas.list.AddLine(canvas.at(begin, y), canvas.at(end, y), colors[i]);
        }
    }
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("0 to %s over %s ms", short_number(top).c_str(), short_number(x_max * 1e-6).c_str());
}

bool slider_or_auto(const char* label, uint32_t* value, int max) {
    int shown = static_cast<int>(*value);
    if (!ImGui::SliderInt(label, &shown, 0, max, shown == 0 ? "chosen" : "%d", ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_AlwaysClamp)) return false;
    *value = static_cast<uint32_t>(std::max(shown, 0));
    return true;
}

}  // namespace warpath::viewer
