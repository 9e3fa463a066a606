#include <imgui.h>

#include <algorithm>

#include "viewer/panels/panels.h"
#include "viewer/panels/widgets.h"

namespace warpath::viewer {
namespace {

void draw_lens(Session& session) {
    CameraController& camera = session.scene.camera;
    const CameraOption view = camera.camera();
    float vfov = view.vfov_deg, aperture = view.aperture, focus = view.focus_distance;
    if (ImGui::SliderFloat("field of view", &vfov, 1, 170, "%.1f deg")) camera.set_vfov(vfov), session.camera_moved();
    if (ImGui::SliderFloat("aperture", &aperture, 0, camera.speed(), aperture == 0 ? "pinhole" : "%.4f", ImGuiSliderFlags_Logarithmic))
        camera.set_aperture(aperture), session.camera_moved();
    if (ImGui::SliderFloat("focus", &focus, 0, 32 * camera.speed(), focus == 0 ? "at the target" : "%.3f", ImGuiSliderFlags_Logarithmic))
        camera.set_focus_distance(focus), session.camera_moved();
    ImGui::TextDisabled("eye %.3g %.3g %.3g, speed %s/s", static_cast<double>(view.eye[0]), static_cast<double>(view.eye[1]),
                        static_cast<double>(view.eye[2]), short_number(static_cast<double>(camera.speed())).c_str());
}

void draw_bookmarks(Session& session) {
    if (ImGui::Button("Bookmark")) session.add_bookmark();
    ImGui::SameLine();
    if (ImGui::Button("Copy JSON")) session.perform(Action::CopyCamera);
    ImGui::SameLine();
    if (ImGui::Button("Home")) session.perform(Action::HomeView);
    for (size_t i = 0; i < session.scene.bookmarks.size(); ++i) {
        ImGui::PushID(static_cast<int>(i));
        if (ImGui::Selectable(session.scene.bookmarks[i].name.c_str(), i == session.scene.bookmark)) session.go_to_bookmark(i);
        ImGui::PopID();
    }
}

}  // namespace

void draw_camera_panel(Session& session) {
    if (session.scene.number == 0) return ImGui::TextDisabled("no scene yet");
    draw_lens(session);
    ImGui::Checkbox("turntable", &session.turntable);
    if (session.turntable) ImGui::SliderFloat("speed", &session.turntable_deg_per_s, -180, 180, "%.0f deg/s");
    draw_bookmarks(session);
}

}  // namespace warpath::viewer
