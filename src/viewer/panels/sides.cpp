#include <imgui.h>

#include "viewer/panels/panels.h"

namespace warpath::viewer {
namespace {

bool begin_side(const char* name, const Rectangle& where) {
    ImGui::SetNextWindowPos(ImVec2(where.left, where.top));
    ImGui::SetNextWindowSize(ImVec2(where.width, where.height));
    return ImGui::Begin(name, nullptr,
                        ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoCollapse |
                            ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus);
}

void part(const char* title, void (*draw)(Session&), Session& session, bool is_open = true) {
    if (!ImGui::CollapsingHeader(title, is_open ? ImGuiTreeNodeFlags_DefaultOpen : 0)) return;
    ImGui::PushID(title);
    draw(session);
    ImGui::PopID();
    ImGui::Spacing();
}

}  // namespace

void draw_schedule_side(const Rectangle& where, Session& session) {
    if (begin_side("schedule", where)) {
        ImGui::PushItemWidth(where.width * 0.5f);
        part("Scheduler", draw_schedulers_panel, session);
        part("Throughput", draw_throughput_panel, session);
        part("A against B", draw_comparison_panel, session);
        part("Last frame", draw_occupancy_panel, session);
        part("Queues", draw_queues_panel, session, false);
        ImGui::PopItemWidth();
    }
    ImGui::End();
}

void draw_scene_side(const Rectangle& where, Session& session) {
    if (begin_side("scene", where)) {
        ImGui::PushItemWidth(where.width * 0.52f);
        part("Parameters", draw_parameters_panel, session);
        part("Camera", draw_camera_panel, session);
        part("Picture", draw_picture_panel, session);
        part("Environment", draw_environment_panel, session, false);
        part("Surface", draw_surface_panel, session);
        ImGui::PopItemWidth();
    }
    ImGui::End();
}

}  // namespace warpath::viewer
