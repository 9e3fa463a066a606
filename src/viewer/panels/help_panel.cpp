#include <imgui.h>

#include <algorithm>
#include <cstring>

#include "viewer/panels/panels.h"

namespace warpath::viewer {
namespace {

void draw_row(const char* keys, const char* meaning) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TextColored(ImVec4(1, 0.85f, 0.4f, 1), "%s", keys);
    ImGui::TableNextColumn();
    ImGui::TextWrapped("%s", meaning);
}

bool begin_rows(const char* id) {
    if (!ImGui::BeginTable(id, 2)) return false;
    ImGui::TableSetupColumn("keys", ImGuiTableColumnFlags_WidthFixed, 7.5f * ImGui::GetFontSize());
    ImGui::TableSetupColumn("meaning", ImGuiTableColumnFlags_WidthStretch);
    return true;
}

void draw_group(const char* group) {
    ImGui::TextDisabled("%s", group);
    if (!begin_rows(group)) return;
    for (const KeyBinding& binding : key_bindings()) {
        if (std::strcmp(binding.group, group) != 0) continue;
        draw_row(key_text(binding.key, binding.mods).c_str(), binding.meaning);
    }
    ImGui::EndTable();
}

}  // namespace

void draw_help(const Rectangle& window, Session& session) {
    const float width = std::min(window.width * 0.9f, 62 * ImGui::GetFontSize()), height = std::min(window.height * 0.92f, 46 * ImGui::GetFontSize());
    ImGui::SetNextWindowPos(ImVec2(window.width / 2, window.height / 2), ImGuiCond_Always, ImVec2(0.5f, 0.5f));
    ImGui::SetNextWindowSize(ImVec2(width, height));
    ImGui::SetNextWindowFocus();
    bool is_open = true;
    if (ImGui::Begin("Keys and mouse", &is_open, ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings)) {
        if (ImGui::BeginTable("columns", 2)) {
            ImGui::TableNextColumn();
            draw_group("Schedulers");
            draw_group("Moving");
            ImGui::TextDisabled("Mouse");
            if (begin_rows("mouse")) {
                for (const MouseBinding& binding : mouse_bindings()) draw_row(binding.gesture, binding.meaning);
                ImGui::EndTable();
            }
            ImGui::TableNextColumn();
            for (const char* group : {"Camera", "Picture", "Window"}) draw_group(group);
            ImGui::EndTable();
        }
    }
    ImGui::End();
    if (!is_open) session.show_help = false;
}

}  // namespace warpath::viewer
