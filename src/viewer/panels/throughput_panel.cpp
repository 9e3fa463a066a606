#include <imgui.h>

#include <algorithm>

#include "viewer/panels/panels.h"
#include "viewer/panels/widgets.h"

namespace warpath::viewer {
namespace {

size_t color_index(const Session& session, const std::string& name) {
    for (size_t i = 0; i < session.schedulers.size(); ++i)
        if (session.schedulers[i].name == name) return i;
    return session.schedulers.size();
}

/// Those whose curves are drawn: what runs now, and what ran before it.
std::vector<std::string> shown_schedulers(const Session& session) {
    std::vector<std::string> names;
    const auto add = [&](const std::string& name) {
        const bool is_known = session.statistics.count(name) && std::find(names.begin(), names.end(), name) == names.end();
        if (is_known) names.push_back(name);
    };
    if (session.mode != Mode::Single) add(session.scheduler_a), add(session.scheduler_b);
    add(session.picture.scheduler);
    add(session.last_scheduler);
    return names;
}

std::string band_text(const Band& band, double unit) {
    std::string text = short_number(band.median * unit);
    if (band.has_interval) text += " [" + short_number(band.lo * unit) + ", " + short_number(band.hi * unit) + "]";
    return text;
}

void draw_table(const Session& session) {
    if (!ImGui::BeginTable("medians", 4, ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_RowBg)) return;
    ImGui::TableSetupColumn("median of", ImGuiTableColumnFlags_WidthStretch, 2.2f);
    ImGui::TableSetupColumn("ms");
    ImGui::TableSetupColumn("Mrays/s");
    ImGui::TableSetupColumn("input ms");
    ImGui::TableHeadersRow();
    for (const auto& [name, entry] : session.statistics) {
        if (entry.series[0].empty()) continue;
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        ImGui::PushStyleColor(ImGuiCol_Text, series_color(color_index(session, name)));
        ImGui::TextUnformatted(name.c_str());
        ImGui::PopStyleColor();
        for (const size_t column : {size_t{0}, size_t{1}}) {
            ImGui::TableNextColumn();
            ImGui::TextUnformatted(short_number(entry.series[column].band().median).c_str());
        }
        ImGui::TableNextColumn();
        if (!entry.latency_ms.empty()) ImGui::TextUnformatted(short_number(entry.latency_ms.band().median).c_str());
    }
    ImGui::EndTable();
}

}  // namespace

void draw_throughput_panel(Session& session) {
    const std::vector<std::string> names = shown_schedulers(session);
    if (names.empty()) return ImGui::TextDisabled("nothing has run at full size yet");
    const float height = 2.0f * ImGui::GetFontSize();
    for (size_t column = 0; column < num_columns; ++column) {
        const SampleColumn& info = sample_columns[column];
        const double unit = info.percent ? 100 : 1;
        std::vector<Curve> curves;
        for (const std::string& name : names)
            curves.push_back({&session.statistics.at(name).series[column], series_color(color_index(session, name))});
        std::reverse(curves.begin(), curves.end());  // what runs now lies on top
        const std::string text = band_text(session.statistics.at(names.front()).series[column].band(), unit) + " " + info.unit;
        ImGui::TextUnformatted(info.title);
        ImGui::SameLine(ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(text.c_str()).x + ImGui::GetStyle().WindowPadding.x);
        ImGui::TextUnformatted(text.c_str());
        plot(info.name, curves, height, unit);
    }
    draw_table(session);
}

}  // namespace warpath::viewer
