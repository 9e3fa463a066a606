#pragma once

#include <memory>
#include <string>

#include "cli/scene_flags.h"
#include "viewer/view_options.h"

namespace warpath::viewer {

/// The flags of `warpath view`.
class ViewFlags {
  public:
    void add_to(CLI::App& flags);
    /// Errors:  BadOption, Unavailable (a backend that is not here), Io (files that cannot be written).
    ViewOptions options() const;

  private:
    cli::SceneFlags scene_;
    cli::TextFlag size_{"--size"}, spp_{"--spp"}, max_depth_{"--max-depth"}, seed_{"--seed"}, sampler_{"--sampler"}, filter_{"--filter"};
    cli::TextFlag scheduler_{"--scheduler"}, backend_{"--backend"}, device_{"--device"}, watchdog_{"--watchdog"};
    cli::TextFlag window_{"--window"}, ui_scale_{"--ui-scale"}, bookmarks_{"--bookmarks"};
    cli::TextFlag script_{"--script"}, screenshot_{"--screenshot"}, exit_after_{"--exit-after"}, time_limit_{"--time-limit"};
    bool full_screen_ = false, no_panels_ = false;
};

/// A scene that comes with warpath, looked for beside the program and in this folder; empty where there is none.
std::filesystem::path shipped_scene();

}  // namespace warpath::viewer
