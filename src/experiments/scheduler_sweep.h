#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "experiments/views.h"
#include "warpath/renderer.h"

/// How fast is each scheduler on the same frame? Scenes are loaded and uploaded once; for every cell (a film size,
/// samples per pixel and a depth limit) one frame per scheduler is prepared, and the frames are run in turn, so that a
/// drift of the clocks meets all of them. What would refute a ratio from it: another order of the schedulers, or a
/// scheduler measured alone, giving another ratio.
namespace warpath::experiments {

struct SweepCell {
    uint32_t width = 0, height = 0, spp = 1, max_depth = 16;
};

struct SweepRequest {
    std::vector<View> views;
    std::vector<SweepCell> cells;
    std::vector<std::string> schedulers;  ///< empty: all that the backend runs
    uint32_t repeats = 10, warm_up = 2;   ///< runs of each frame that are, and that are not, timed
    double limit_s = 0;                   ///< cells after this time are left out; 0: none are
    RenderOptions options;                ///< all but film, samples, depth and scheduler
    BvhQuality bvh = BvhQuality::Fast;
    std::string commit;                   ///< for the record
    std::filesystem::path output;  ///< JSON, rewritten after every cell
};

/// Runs a sweep; progress goes to stderr.
/// False:   a film differed from the first scheduler's, or a run was given up by its watchdog.
/// Errors:  those of Renderer, but for frames that the memory has no room for: they are left out, and the file says so.
bool run_sweep(const SweepRequest& request);

}  // namespace warpath::experiments
