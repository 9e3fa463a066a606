#pragma once

#include <filesystem>

#include "warpath/renderer.h"

/// What does it cost to hand work to a kernel that is there already? Empty tasks one after the other and as fast as the ring takes them, and
/// progressive frames of 256x256 pixels and one sample, rendered by the service and by `persistent`, launched for each, in turn. The hypothesis: the
/// service saves a launch and a synchronisation each, and overlaps the ends of frames. What would refute it: `persistent` at the same rate.
namespace warpath::experiments {

struct ServiceRequest {
    std::filesystem::path scene, output;
    uint32_t num_tasks = 10000, num_passes = 256, repeats = 10;
    RenderOptions options;
    BvhQuality bvh = BvhQuality::Fast;
};

/// False:   tasks were lost, or the images differ.
/// Errors:  those of Renderer.
bool run_service(const ServiceRequest& request);

}  // namespace warpath::experiments
