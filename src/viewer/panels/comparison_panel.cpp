#include <imgui.h>

#include "viewer/panels/panels.h"
#include "viewer/panels/widgets.h"

namespace warpath::viewer {
namespace {

const ImVec4 good(0.45f, 0.85f, 0.5f, 1), bad(0.95f, 0.4f, 0.35f, 1);

void draw_verdict(const Session& session) {
    const Band ratio = session.comparison.ratio();
    ImGui::Text("time of B by A: %.3f", ratio.median);
    if (ratio.has_interval) {
        ImGui::SameLine();
        ImGui::Text("[%.3f, %.3f]", ratio.lo, ratio.hi);
    }
    ImGui::TextDisabled("median of %zu pairs, 95 %% confidence", ratio.num_values);
    switch (session.comparison.verdict()) {
        case AbComparison::Verdict::TooFew: ImGui::TextDisabled("more pairs are needed"); break;
        case AbComparison::Verdict::Same: ImGui::TextWrapped("neither is shown to be faster"); break;
        case AbComparison::Verdict::AFaster: ImGui::TextColored(good, "A, %s, is faster by %.2fx", session.scheduler_a.c_str(), ratio.median); break;
        case AbComparison::Verdict::BFaster: ImGui::TextColored(good, "B, %s, is faster by %.2fx", session.scheduler_b.c_str(), 1 / ratio.median); break;
    }
}

void draw_pixels(const Picture& picture) {
    if (!picture.compared) return ImGui::TextDisabled("pixels: waiting for films of as many samples");
    const unsigned long long num_pixels = static_cast<unsigned long long>(picture.width) * picture.height;
    if (picture.num_different_pixels == 0)
        ImGui::TextColored(good, "all %llu pixels compared: identical", num_pixels);
    else
        ImGui::TextColored(bad, "%llu of %llu pixels differ", static_cast<unsigned long long>(picture.num_different_pixels), num_pixels);
}

}  // namespace

void draw_comparison_panel(Session& session) {
    if (session.mode == Mode::Single) {
        ImGui::TextDisabled("B alternates the last two, V splits the view");
        return;
    }
    if (!session.comparison.a().empty()) {
        ImGui::Text("A %s: %s ms", session.scheduler_a.c_str(), short_number(session.comparison.a().band().median).c_str());
        ImGui::Text("B %s: %s ms", session.scheduler_b.c_str(), short_number(session.comparison.b().band().median).c_str());
        plot("pairs", {{&session.comparison.a(), series_color(0)}, {&session.comparison.b(), series_color(1)}}, 3 * ImGui::GetFontSize());
        draw_verdict(session);
    }
    if (session.mode == Mode::Split) {
        draw_pixels(session.picture);
        ImGui::SliderFloat("wipe", &session.wipe, 0, 1, "%.2f");
    }
}

}  // namespace warpath::viewer
