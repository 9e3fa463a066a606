#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/render_flags.h"

namespace warpath::cli {

/// Times that the command measures itself, beside those in RenderResult.
struct CommandTimes {
    double write_ms = 0, total_ms = 0;
};

uint64_t num_rays(const Counters& counters);
/// Rays of all kinds by the time spent rendering.
double mrays_per_s(const RenderResult& result);
/// Finished samples per pixel, on average.
double mean_spp(const RenderResult& result);

/// The last lines of the log: time, rates, rays by kind.
std::vector<std::string> summary_lines(const RenderRequest& request, const RenderResult& result);

/// What --json writes.
nlohmann::ordered_json statistics_json(const RenderRequest& request, const SceneInfo& scene, const RenderResult& result,
                                       const CommandTimes& times);

/// Attributes of an EXR: how this image was made.
std::map<std::string, std::string> image_attributes(const RenderRequest& request, const SceneInfo& scene,
                                                    const RenderResult& result);

}  // namespace warpath::cli
