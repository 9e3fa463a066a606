#pragma once

#include "cli/text_flag.h"
#include "warpath/scene.h"

namespace warpath::cli {

/// The scene file and the flags that change what is loaded from it.
class SceneFlags {
  public:
    void add_to(CLI::App& flags, bool scene_required);
    bool has_scene() const { return !scene_.empty(); }
    const std::string& scene() const { return scene_; }
    /// Errors:  BadOption.
    LoadOptions load_options() const;

  private:
    std::string scene_;
    TextFlag environment_{"--env"}, camera_{"--camera"}, bvh_{"--bvh"}, bvh_cache_{"--bvh-cache"},
        instancing_{"--instancing"},
        threads_{"--threads"};
};

}  // namespace warpath::cli
