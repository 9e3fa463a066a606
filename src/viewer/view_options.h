#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "viewer/window.h"
#include "warpath/renderer.h"

namespace warpath::viewer {

/// What the command line asks for.
struct ViewOptions {
    std::filesystem::path scene;         ///< empty: the shipped one
    LoadOptions load;
    RenderOptions render;                ///< backend, device, scheduler, threads and the schedule's parameters
    std::optional<Size> film;            ///< of that size whatever the window's
    std::optional<uint32_t> spp, max_depth;
    std::optional<uint64_t> seed;
    std::optional<std::string> sampler, filter;
    Size window{1440, 810};
    bool full_screen = false, no_panels = false;
    float ui_scale = 0;                  ///< of text and widgets; 0: the monitor's
    std::filesystem::path bookmarks;     ///< empty: SCENE.bookmarks.json beside the scene
    std::optional<std::filesystem::path> script, screenshot;
    uint32_t exit_after = 0;             ///< samples per pixel; 0: stay
    double time_limit_s = 0;             ///< of a run with script, screenshot or exit_after; 0: none
};

}  // namespace warpath::viewer
