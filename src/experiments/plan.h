#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/json.h"
#include "experiments/views.h"
#include "warpath/renderer.h"

namespace warpath::experiments {

struct Film {
    uint32_t width = 0, height = 0;
    std::string text() const { return std::to_string(width) + "x" + std::to_string(height); }
};

/// What is to be measured, and how: the axes, the protocol's numbers, the time. Each experiment takes the axes that it varies, and the first value
/// of the others.
struct Plan {
    std::vector<std::string> experiments;  ///< by name; in the order of list_experiments
    std::vector<View> scenes;
    std::vector<std::string> schedulers;   ///< all that the backend runs, unless the plan names some
    std::vector<Film> films;
    std::vector<uint32_t> spp, depths, batches, blocks, pools, block_sizes, refills;  ///< "choose" (0) is a value too
    std::string backend;                   ///< "cpu" or "cuda": chosen by then
    uint32_t device = 0, threads = 0;
    uint64_t seed = 0;
    uint32_t warm_up = 2, repeats = 10, max_repeats = 30;
    double interval = 0.02;                ///< of the median, relative
    double budget_s = 300;                 ///< for all of it, the report included
    BvhQuality bvh = BvhQuality::Fast;
    Json options = Json::object();         ///< by experiment: numbers of its own
    Json document;                         ///< all of the above, as the rows keep it

    /// Options of a render of the plan's device, with the first value of every axis.
    RenderOptions render_options() const;
};

/// A good default for a backend: shipped scenes, all its schedulers, films that the device renders in some milliseconds to some tens of them.
/// Errors:  Unavailable where the shipped scenes are not found.
Plan default_plan(const std::string& backend);

/// Fills `document` from the rest.
void describe_plan(Plan& plan);

}  // namespace warpath::experiments
