#pragma once

#include <map>
#include <memory>

#include "experiments/context.h"
#include "warpath/renderer.h"

namespace warpath::experiments {

/// A scene of the plan, loaded and uploaded when it is first asked for: where all rows are complete, or no time is left, it never is.
class LoadedView {
  public:
    LoadedView(const ExperimentContext& context, const View& view) : context_(context), view_(view) {}
    const std::string& name() const { return view_.name; }
    /// Uploaded once for each number of blocks per SM, which belong to the renderer.
    /// Errors:  those of Renderer and of ExperimentContext::scene.
    const Renderer& renderer(uint32_t blocks_per_sm = 0);

  private:
    const ExperimentContext& context_;
    View view_;
    std::map<uint32_t, std::unique_ptr<Renderer>> renderers_;
};

/// One variant of a cell of renders.
struct RenderVariant {
    Json key;
    RenderOptions options;
    std::optional<int> carve_out = {};  ///< CUDA: for CarveOut, while it is prepared and runs
};

/// Measures renders of one frame against each other, in milliseconds of FrameTiming, with the film's checksum of every run. The rows' data hold
/// counters, figures, rays by bounce, rates, and where the time went (`time_shares`). Frames that memory has no room for, and options that a
/// scheduler refuses, are left out with their reason.
/// Shapes:  one outcome for each variant, in order. `repeats`: as in Cell.
std::vector<Outcome> measure_renders(ExperimentContext& context, LoadedView& view, const Json& cell, const std::vector<RenderVariant>& variants,
                                     uint32_t repeats = 0);

/// The scheduler names of the plan as variants over `options`.
std::vector<RenderVariant> scheduler_variants(const Plan& plan, const RenderOptions& options);

}  // namespace warpath::experiments
