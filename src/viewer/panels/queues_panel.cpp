#include <imgui.h>

#include <map>

#include "viewer/panels/panels.h"
#include "viewer/panels/widgets.h"

namespace warpath::viewer {

void draw_queues_panel(Session& session) {
    ImGui::Checkbox("keep timelines (costs time)", &session.timelines);
    if (session.depths.empty())
        return ImGui::TextDisabled("%s", session.timelines ? "this scheduler keeps no queues" : "depths of queues need timelines");
    std::map<std::string, std::vector<Step>> by_queue;
    double end = 1;
    for (const Timeline::Depth& depth : session.depths) {
        by_queue[depth.queue].push_back({static_cast<double>(depth.time_ns), static_cast<double>(depth.num_entries)});
        end = std::max(end, static_cast<double>(depth.time_ns));
    }
    std::vector<std::vector<Step>> curves;
    std::vector<ImU32> colors;
    for (auto& [name, steps] : by_queue) {
        colors.push_back(series_color(colors.size()));
        ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(colors.back()), "%s", name.c_str());
        ImGui::SameLine();
        curves.push_back(std::move(steps));
    }
    ImGui::TextDisabled("slots in queues over %s ms", short_number(end * 1e-6).c_str());
    step_plot("depths", curves, colors, end, 5 * ImGui::GetFontSize());
}

}  // namespace warpath::viewer
