// What lies over the picture.
#include <imgui.h>

#include <algorithm>

#include "viewer/panels/panels.h"
#include "viewer/panels/widgets.h"

namespace warpath::viewer {
namespace {

constexpr double message_s = 8;  // messages are shown for so long
constexpr ImGuiWindowFlags still = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                                   ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav;

void draw_loading(const Rectangle& picture, Session& session) {
    const bool is_uploading = session.scene.number > 0 && session.scene.backend.empty();
    if (!session.loader.is_loading() && !is_uploading) return;
    ImGui::SetNextWindowPos(ImVec2(picture.left + picture.width / 2, picture.top + picture.height / 2), ImGuiCond_Always, ImVec2(0.5f, 0.5f));
    if (ImGui::Begin("loading", nullptr, still)) {
        if (is_uploading && !session.loader.is_loading()) {
            ImGui::Text("%s: to the device", session.scene.path.filename().string().c_str());
        } else {
            const LoadProgress progress = session.loader.progress();
            ImGui::Text("%s: %s", session.loader.path().filename().string().c_str(), describe(progress.stage));
            ImGui::ProgressBar(static_cast<float>(progress.share), ImVec2(18 * ImGui::GetFontSize(), 0));
            ImGui::TextDisabled("%s", progress.item.c_str());
            if (ImGui::Button("Cancel (Esc)")) session.cancel_loading();
        }
    }
    ImGui::End();
}

void draw_messages(const Rectangle& picture, const Session& session) {
    std::vector<const Message*> fresh;
    for (const Message& message : session.messages)
        if (session.now_s() - message.time_s < message_s) fresh.push_back(&message);
    if (fresh.empty()) return;
    ImGui::SetNextWindowPos(ImVec2(picture.left + 8, picture.top + picture.height - 8), ImGuiCond_Always, ImVec2(0, 1));
    ImGui::SetNextWindowBgAlpha(0.75f);
    if (ImGui::Begin("messages", nullptr, still | ImGuiWindowFlags_NoInputs)) {
        ImGui::PushTextWrapPos(std::max(60.0f, picture.width - 40));
        for (size_t i = fresh.size() > 6 ? fresh.size() - 6 : 0; i < fresh.size(); ++i) {
            if (fresh[i]->is_error) ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(1, 0.55f, 0.45f, 1));
            ImGui::TextUnformatted(fresh[i]->text.c_str());
            if (fresh[i]->is_error) ImGui::PopStyleColor();
        }
        ImGui::PopTextWrapPos();
    }
    ImGui::End();
}

void draw_label(const char* id, const std::string& text, float x, float y, float pivot, ImU32 color) {
    ImGui::SetNextWindowPos(ImVec2(x, y), ImGuiCond_Always, ImVec2(pivot, 0));
    ImGui::SetNextWindowBgAlpha(0.6f);
    if (ImGui::Begin(id, nullptr, still | ImGuiWindowFlags_NoInputs))
        ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(color), "%s", text.c_str());
    ImGui::End();
}

void draw_split_labels(const Rectangle& picture, const Session& session) {
    if (session.mode != Mode::Split || session.picture.num_planes != 2) return;
    const float line = picture.left + session.wipe * picture.width;
    draw_label("label A", "A " + session.scheduler_a, line - 6, picture.top + 8, 1, series_color(0));
    draw_label("label B", "B " + session.scheduler_b, line + 6, picture.top + 8, 0, series_color(1));
}

void draw_welcome(const Rectangle& picture, const Session& session) {
    if (session.scene.number > 0 || session.loader.is_loading()) return;
    ImGui::SetNextWindowPos(ImVec2(picture.left + picture.width / 2, picture.top + picture.height / 2), ImGuiCond_Always, ImVec2(0.5f, 0.5f));
    if (ImGui::Begin("welcome", nullptr, still | ImGuiWindowFlags_NoInputs)) ImGui::TextUnformatted("drop a scene here: .obj, .gltf, .glb or .json");
    ImGui::End();
}

}  // namespace

void draw_overlays(const Rectangle& picture, const Rectangle& window, Session& session) {
    draw_split_labels(picture, session);
    draw_welcome(picture, session);
    draw_messages(picture, session);
    draw_loading(picture, session);
    if (session.show_help) draw_help(window, session);
}

}  // namespace warpath::viewer
