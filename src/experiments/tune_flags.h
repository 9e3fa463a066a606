#pragma once

#include <CLI/CLI.hpp>

#include "experiments/bench.h"

namespace warpath::experiments {

/// The flags of `warpath tune`.
class TuneFlags {
  public:
    void add_to(CLI::App& flags);
    /// Searches, prints what came of it, and keeps the profile. Returns the exit status.
    /// Errors:  BadOption, BadInput, Io, Unavailable.
    int run(const std::string& command);

  private:
    Plan plan(const LoadedScene& scene, const RenderOptions& options) const;
    RenderOptions options(const SceneInfo& scene) const;

    std::string scene_, scheduler_ = "auto", size_, folder_, profiles_, commit_, bvh_ = "fast";
    RenderOptions given_;
    uint32_t spp_ = 0, max_depth_ = 0;
    double budget_s_ = 60;
    CLI::Option* max_depth_flag_ = nullptr;
};

}  // namespace warpath::experiments
