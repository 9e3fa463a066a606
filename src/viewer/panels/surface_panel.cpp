#include <imgui.h>

#include <algorithm>

#include "viewer/panels/panels.h"

namespace warpath::viewer {
namespace {

std::string label(const char* text, const MaterialInfo& info, const char* parameter) {
    const bool is_textured = std::find(info.textured.begin(), info.textured.end(), parameter) != info.textured.end();
    return std::string(text) + (is_textured ? " (x texture)" : "");
}

bool draw_parameters(MaterialParameters& m, const MaterialInfo& info) {
    const ImGuiColorEditFlags linear = ImGuiColorEditFlags_Float | ImGuiColorEditFlags_HDR | ImGuiColorEditFlags_NoInputs;
    bool changed = ImGui::ColorEdit3(label("base colour", info, "base_color").c_str(), m.base_color.data(), ImGuiColorEditFlags_Float);
    changed |= ImGui::SliderFloat(label("metallic", info, "metallic").c_str(), &m.metallic, 0, 1);
    changed |= ImGui::SliderFloat(label("roughness", info, "roughness").c_str(), &m.roughness, 0, 1);
    changed |= ImGui::SliderFloat(label("transmission", info, "transmission").c_str(), &m.transmission, 0, 1);
    changed |= ImGui::SliderFloat("ior", &m.ior, 1, 3);
    changed |= ImGui::SliderFloat(label("specular", info, "specular").c_str(), &m.specular, 0, 1);
    changed |= ImGui::ColorEdit3(label("specular tint", info, "specular_color").c_str(), m.specular_color.data(), linear);
    changed |= ImGui::DragFloat3("absorption", m.absorption.data(), 0.05f, 0, 1000, "%.2f");
    changed |= ImGui::DragFloat3(label("emission", info, "emission").c_str(), m.emission.data(), 0.1f, 0, 1e6f, "%.2f");
    changed |= ImGui::Checkbox("thin walled", &m.thin_walled);
    if (info.may_be_transparent) {
        changed |= ImGui::SliderFloat(label("alpha", info, "alpha").c_str(), &m.alpha, 0, 1);
        if (info.alpha_mode == "mask") changed |= ImGui::SliderFloat("alpha cutoff", &m.alpha_cutoff, 0, 1);
    }
    return changed;
}

}  // namespace

void draw_surface_panel(Session& session) {
    if (!session.selection || session.selection->material >= session.scene.materials.size())
        return ImGui::TextDisabled("click on a surface to see and edit it");
    const Pick& pick = *session.selection;
    const MaterialInfo& info = session.scene.materials[pick.material];
    ImGui::TextWrapped("%s", pick.object_name.empty() ? "unnamed object" : pick.object_name.c_str());
    ImGui::Text("material: %s", info.name.empty() ? "unnamed" : info.name.c_str());
    ImGui::TextDisabled("triangle %llu, distance %.3g", static_cast<unsigned long long>(pick.triangle), static_cast<double>(pick.distance));
    MaterialParameters parameters = session.material(pick.material);
    if (draw_parameters(parameters, info)) session.edit_material(pick.material, parameters);
    if (ImGui::Button("As loaded")) session.edit_material(pick.material, info.parameters);
    ImGui::SameLine();
    if (ImGui::Button("Focus here")) {
        session.scene.camera.focus_on(pick.position, pick.view_distance);
        session.camera_moved();
    }
}

}  // namespace warpath::viewer
