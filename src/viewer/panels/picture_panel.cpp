#include <imgui.h>

#include "viewer/layers.h"
#include "viewer/panels/panels.h"
#include "viewer/panels/widgets.h"

namespace warpath::viewer {
namespace {

void draw_scale(Session& session) {
    DevelopOptions& develop = session.develop;
    bool is_own = develop.scale_max > 0;
    if (ImGui::Checkbox("own ends of the scale", &is_own)) develop.scale_min = 0, develop.scale_max = is_own ? 100.0f : 0.0f;
    if (is_own) {
        ImGui::DragFloat("from", &develop.scale_min, 0.5f, 0, 1e9f, "%.1f");
        ImGui::DragFloat("to", &develop.scale_max, 0.5f, 0.001f, 1e9f, "%.1f");
    }
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, height = 0.6f * ImGui::GetFontSize();
    for (int i = 0; i < 64; ++i) {
        const float x = corner.x + width * static_cast<float>(i) / 64;
        ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(x, corner.y), ImVec2(x + width / 64 + 1, corner.y + height),
                                                  heat_color((static_cast<float>(i) + 0.5f) / 64));
    }
    ImGui::Dummy(ImVec2(width, height));
    ImGui::TextDisabled("%s", layer_names[static_cast<int>(develop.layer)].meaning);
    if (session.picture.scale_max > 0)
        ImGui::TextDisabled("%s to %s", short_number(static_cast<double>(session.picture.scale_min)).c_str(),
                            short_number(static_cast<double>(session.picture.scale_max)).c_str());
}

}  // namespace

void draw_picture_panel(Session& session) {
    const Picture& picture = session.picture;
    if (picture.width > 0) ImGui::Text("%u x %u, %u spp", picture.width, picture.height, picture.num_samples);
    DevelopOptions& develop = session.develop;
    if (ImGui::BeginCombo("layer (L)", layer_names[static_cast<int>(develop.layer)].label)) {
        for (uint32_t i = 0; i < num_layers; ++i) {
            if (!ImGui::Selectable(layer_names[i].label, static_cast<DisplayLayer>(i) == develop.layer)) continue;
            develop.layer = static_cast<DisplayLayer>(i);
            develop.scale_min = develop.scale_max = 0;
        }
        ImGui::EndCombo();
    }
    if (develop.layer == DisplayLayer::Color) {
        ImGui::SliderFloat("exposure", &develop.exposure, -10, 10, "%.2f stops");
        int curve = develop.tone_curve == ToneCurve::Linear ? 1 : 0;
        if (ImGui::Combo("tone curve", &curve, "filmic\0linear\0")) develop.tone_curve = curve == 1 ? ToneCurve::Linear : ToneCurve::Filmic;
    } else if (develop.layer >= DisplayLayer::Depth) {
        draw_scale(session);
    }
    ImGui::Checkbox("pause", &session.paused);
    ImGui::SameLine();
    if (ImGui::Button("Restart")) session.perform(Action::Restart);
    ImGui::SameLine();
    if (ImGui::Button("PNG")) session.perform(Action::SavePng);
    ImGui::SameLine();
    if (ImGui::Button("EXR")) session.perform(Action::SaveExr);
}

void draw_environment_panel(Session& session) {
    SceneState& scene = session.scene;
    if (scene.number == 0 || scene.info.environment == "none") return ImGui::TextDisabled("this scene has no environment; drop an .hdr or .exr");
    ImGui::TextDisabled("%s", scene.info.environment.c_str());
    if (ImGui::SliderFloat("rotation", &scene.environment_rotation_deg, -180, 180, "%.1f deg")) session.camera_moved();
    ImGui::SliderFloat("scale", &scene.environment_scale, 0, 100, "%.3f", ImGuiSliderFlags_Logarithmic);
}

}  // namespace warpath::viewer
