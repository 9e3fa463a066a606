#pragma once

#include "experiments/cost_stream.h"
#include "warpath/renderer.h"

namespace warpath::experiments {

/// Classes of shading in a recorded stream: the ray left the scene, or 1 + the kind of the material that it met.
inline constexpr uint32_t miss_class = 0;

/// Renders a frame on the CPU with a hook in every ray, and gives what each cost: node steps and triangle tests together, in the order of paths and of
/// their rays, in the two-child tree, as devices walk it. The image is thrown away. `counters`, where asked for, gets those of the render.
/// Errors:  those of render(); Unavailable after the watchdog gave up.
CostStream record_costs(const LoadedScene& scene, const RenderOptions& options, Counters* counters = nullptr);

}  // namespace warpath::experiments
