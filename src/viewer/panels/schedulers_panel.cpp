#include <imgui.h>

#include "viewer/panels/panels.h"
#include "viewer/panels/widgets.h"

namespace warpath::viewer {
namespace {

void scheduler_combo(const char* label, const std::string& present, Session& session, bool with_auto,
                     const std::function<void(const std::string&)>& choose) {
    if (!ImGui::BeginCombo(label, present.c_str(), ImGuiComboFlags_HeightLarge)) return;
    if (with_auto && ImGui::Selectable("auto", present == "auto")) choose("auto");
    for (size_t i = 0; i < session.schedulers.size(); ++i) {
        const SchedulerInfo& info = session.schedulers[i];
        const std::string text = info.name + (i < 9 ? "  (" + std::to_string(i + 1) + ")" : "");
        if (ImGui::Selectable(text.c_str(), info.name == present)) choose(info.name);
        if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", info.summary.c_str());
    }
    ImGui::EndCombo();
}

}  // namespace

void draw_schedulers_panel(Session& session) {
    int mode = static_cast<int>(session.mode);
    bool changed = ImGui::RadioButton("one", &mode, 0);
    ImGui::SameLine();
    changed |= ImGui::RadioButton("A/B in turn", &mode, 1);
    ImGui::SameLine();
    changed |= ImGui::RadioButton("split view", &mode, 2);
    if (changed) session.set_mode(static_cast<Mode>(mode));
    if (session.mode == Mode::Single) {
        scheduler_combo("scheduler", session.scheduler, session, true, [&](const std::string& name) { session.choose_scheduler(name); });
        if (session.scheduler == "auto" && !session.picture.scheduler.empty()) ImGui::Text("auto chose %s", session.picture.scheduler.c_str());
        if (ImGui::Button(session.last_scheduler.empty() ? "flip (Tab)" : ("flip to " + session.last_scheduler + " (Tab)").c_str()))
            session.flip_scheduler();
    } else {
        scheduler_combo("A", session.scheduler_a, session, false, [&](const std::string& name) { session.scheduler_a = name; });
        scheduler_combo("B", session.scheduler_b, session, false, [&](const std::string& name) { session.scheduler_b = name; });
    }
    ImGui::TextDisabled("%s", session.scene.device.empty() ? "no scene yet" : session.scene.device.c_str());
    if (ImGui::Button(session.recording ? "Stop and write" : "Record")) session.toggle_recording();
    ImGui::SameLine();
    if (session.recording)
        ImGui::Text("%zu passes", session.recorded.size());
    else
        ImGui::TextDisabled("numbers to CSV and JSON");
}

}  // namespace warpath::viewer
