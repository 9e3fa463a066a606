#pragma once

#include "backends/render_backend.h"

namespace warpath {

/// Checks options and turns them into a job for a backend.
/// Errors:  BadOption naming the option (size, spp, max-depth, sampler, filter, aov); Unavailable for an unknown scheduler.
RenderJob make_job(const SceneData& scene, const Bvh& bvh, const RenderOptions& options);

/// The film's scale for a scene seen from `eye`, and what its layer of costs counts.
FilmConstants film_of(const SceneConstants& scene, Vec3 eye, uint32_t spp, std::optional<CostKind> cost);

/// The backend that the options ask for, once for each device, and why it was chosen.
/// Errors:  Unavailable when one was asked for that is not here: never a silent fall-back.
using Devices = std::vector<std::unique_ptr<RenderBackend>>;
struct ChosenBackend {
    Devices devices;
    std::string reason;
};
ChosenBackend choose_backend(const RenderOptions& options);

}  // namespace warpath
