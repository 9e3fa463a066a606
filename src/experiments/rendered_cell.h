#pragma once

#include <map>
#include <memory>

#include "experiments/context.h"
#include "warpath/renderer.h"

namespace warpath::experiments {

/// A scene of the plan in the device's memory.
class LoadedView {
  public:
    /// Loads and uploads; `blocks_per_sm` belongs to the renderer, so another number is another upload.
    /// Errors:  those of LoadedScene and Renderer.
    LoadedView(const ExperimentContext& context, const View& view, uint32_t blocks_per_sm = 0);
    const std::string& name() const { return name_; }
    const LoadedScene& scene() const { return scene_; }
    /// Uploaded once for each number of blocks.
    const Renderer& renderer(uint32_t blocks_per_sm = 0);

  private:
    std::string name_;
    LoadedScene scene_;
    RenderOptions options_;
    std::map<uint32_t, std::unique_ptr<Renderer>> renderers_;
};

/// One variant of a cell of renders.
struct RenderVariant {
    Json key;
    RenderOptions options;
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
