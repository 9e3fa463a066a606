#include <imgui.h>

#include <algorithm>

#include "viewer/panels/panels.h"
#include "viewer/panels/widgets.h"

namespace warpath::viewer {

void draw_parameters_panel(Session& session) {
    RenderOptions& o = session.schedule;
    slider_or_auto("batch", &o.batch, 65536);
    slider_or_auto("slot pool", &o.pool, 1 << 24);
    slider_or_auto("refill below", &o.refill_below, 32);
    if (session.scene.backend == "cuda") {
        slider_or_auto("blocks per SM", &o.blocks_per_sm, 32);
        slider_or_auto("block size", &o.block_size, 1024);
    }
    int bounces = static_cast<int>(std::min(o.max_depth, 128u)), per_pass = static_cast<int>(session.samples_per_pass);
    int limit = static_cast<int>(session.sample_limit);
    if (ImGui::SliderInt("bounces", &bounces, 0, 128, "%d", ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_AlwaysClamp))
        o.max_depth = static_cast<uint32_t>(bounces);
    if (ImGui::SliderInt("spp per frame", &per_pass, 1, 256, "%d", ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_AlwaysClamp))
        session.samples_per_pass = static_cast<uint32_t>(per_pass);
    if (ImGui::SliderInt("stop at spp", &limit, 0, 65536, limit == 0 ? "never" : "%d", ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_AlwaysClamp))
        session.sample_limit = static_cast<uint32_t>(limit);
    ImGui::Checkbox("coarser while moving", &session.dynamic_resolution);
    if (session.dynamic_resolution) {
        ImGui::SliderFloat("budget", &session.frame_budget_ms, 4, 500, "%.0f ms a frame", ImGuiSliderFlags_Logarithmic);
        if (session.is_moving()) ImGui::TextDisabled("%u x %u pixels now", session.picture.width, session.picture.height);
    }
}

}  // namespace warpath::viewer
