// Who worked when in the last pass.
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "viewer/panels/panels.h"
#include "viewer/panels/widgets.h"

namespace warpath::viewer {
namespace {

enum class Shown { Busy, Idle, Tail };

/// Share of the time from the first group's beginning to the last one's end.
float share_of(const GroupTimes& group, double span, Shown shown) {
    switch (shown) {
        case Shown::Busy: return static_cast<float>(static_cast<double>(group.busy_ns) / span);
        case Shown::Idle: return static_cast<float>(static_cast<double>(group.idle_ns) / span);
        case Shown::Tail: return static_cast<float>(std::max(0.0, span - static_cast<double>(group.last_work_ns)) / span);
    }
    return 0;
}

/// A column for each SM and a row for each place of a warp on it; on the CPU a column for each thread.
struct Grid {
    explicit Grid(const std::vector<GroupTimes>& groups) {
        for (const GroupTimes& group : groups) {
            num_sms = std::max<size_t>(num_sms, group.sm + 1u);
            num_slots = std::max<size_t>(num_slots, group.slot + 1u);
        }
        threads_only = num_sms == 1;
    }
    size_t columns() const { return threads_only ? num_slots : num_sms; }
    size_t rows() const { return threads_only ? 1 : num_slots; }
    size_t cell(const GroupTimes& group) const { return threads_only ? group.slot : group.slot * columns() + group.sm; }
    size_t num_sms = 0, num_slots = 0;
    bool threads_only = false;
};

std::string describe_group(const GroupTimes* group, bool is_thread) {
    if (!group) return "nothing ran here";
    const auto ms = [](uint64_t ns) { return short_number(static_cast<double>(ns) * 1e-6) + " ms"; };
    const std::string place = is_thread ? "thread " + std::to_string(group->slot)
                                        : "SM " + std::to_string(group->sm) + ", warp slot " + std::to_string(group->slot);
    return place + "\nbusy " + ms(group->busy_ns) + ", idle " + ms(group->idle_ns) + "\nfirst work at " + ms(group->first_work_ns) +
           ", last at " + ms(group->last_work_ns);
}

void draw_grid(const FrameRecord& record, Shown shown) {
    const Grid grid(record.groups);
    const double span = static_cast<double>(std::max<uint64_t>(record.span_ns, 1));
    std::vector<float> values(grid.columns() * grid.rows(), std::numeric_limits<float>::quiet_NaN());
    std::vector<const GroupTimes*> groups(values.size(), nullptr);
    for (const GroupTimes& group : record.groups) {
        values[grid.cell(group)] = share_of(group, span, shown);
        groups[grid.cell(group)] = &group;
    }
    heat_map("groups", grid.columns(), grid.rows(), values, (grid.threads_only ? 2.0f : 7.0f) * ImGui::GetFontSize(),
             [&](size_t column, size_t row) { return describe_group(groups[row * grid.columns() + column], grid.threads_only); });
    ImGui::TextDisabled("%s", grid.threads_only ? "a column for each thread" : "a column for each SM, a row for each warp slot");
}

void draw_legend(Shown shown) {
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, height = 0.5f * ImGui::GetFontSize();
    for (int i = 0; i < 64; ++i) {
        const float x = corner.x + width * static_cast<float>(i) / 64;
        ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(x, corner.y), ImVec2(x + width / 64 + 1, corner.y + height),
                                                  heat_color((static_cast<float>(i) + 0.5f) / 64));
    }
    ImGui::Dummy(ImVec2(width, height));
    static constexpr const char* names[] = {"0 to 100 % of the frame at work", "0 to 100 % of the frame without work",
                                            "0 to 100 % of the frame after its last work"};
    ImGui::TextDisabled("%s", names[static_cast<int>(shown)]);
}

}  // namespace

void draw_occupancy_panel(Session& session) {
    static constexpr const char* names[] = {"busy", "idle", "tail"};
    if (!session.last_schedule) return ImGui::TextDisabled("no times were kept yet");
    const Schedule& schedule = *session.last_schedule;
    const FrameRecord& record = schedule.record;
    int shown = session.occupancy_view;
    for (int i = 0; i < 3; ++i) {
        if (i > 0) ImGui::SameLine();
        ImGui::RadioButton(names[i], &shown, i);
    }
    session.occupancy_view = shown;
    ImGui::SameLine();
    ImGui::TextDisabled("%s", schedule.scheduler.c_str());
    draw_grid(record, static_cast<Shown>(shown));
    draw_legend(static_cast<Shown>(shown));
    std::vector<Step> busy;
    for (const BusyStep& step : record.busy) busy.push_back({static_cast<double>(step.time_ns), static_cast<double>(step.num_busy)});
    ImGui::Text("groups at work over %s ms", short_number(static_cast<double>(record.span_ns) * 1e-6).c_str());
    step_plot("busy", {busy}, {series_color(0)}, static_cast<double>(std::max<uint64_t>(record.span_ns, 1)), 3 * ImGui::GetFontSize());
}

}  // namespace warpath::viewer
