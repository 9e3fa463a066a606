#pragma once

#include <cstdint>
#include <string>

#include "viewer/view_request.h"

namespace warpath::viewer {

/// Numbers of one pass, as plots, tables and recordings want them.
struct PassSample {
    double time_s = 0;               ///< since the window opened
    std::string scheduler;           ///< that ran
    char side = ' ';                 ///< 'A' or 'B' in the modes with two, else ' '
    uint32_t width = 0, height = 0, num_samples = 0, max_depth = 0;
    double time_ms = 0, mrays_per_s = 0, msamples_per_s = 0;
    double launches = 0;             ///< by the host
    double launch_overhead = 0, tail_share = 0, idle_share = 0;  ///< of the frame; 0 where no times were kept
    double simt_efficiency = 0;      ///< lanes at work per BVH node step
};

/// One column of a recording, and one curve of the throughput panel.
struct SampleColumn {
    const char *name, *unit, *title;
    double PassSample::*value;
    bool percent = false;
};
/// All numbers of a sample, in order.
inline constexpr SampleColumn sample_columns[] = {
    {"time_ms", "ms", "frame", &PassSample::time_ms},
    {"mrays_per_s", "Mrays/s", "rays", &PassSample::mrays_per_s},
    {"msamples_per_s", "Msamples/s", "samples", &PassSample::msamples_per_s},
    {"launches", "", "launches", &PassSample::launches},
    {"launch_overhead", "%", "launch overhead", &PassSample::launch_overhead, true},
    {"tail_share", "%", "tail", &PassSample::tail_share, true},
    {"idle_share", "%", "idle", &PassSample::idle_share, true},
    {"simt_efficiency", "%", "SIMT efficiency", &PassSample::simt_efficiency, true},
};

/// Of a pass of a film of that size.
PassSample summarize(const LivePass& pass, const RenderOptions& options);

}  // namespace warpath::viewer
