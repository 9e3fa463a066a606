#pragma once

#include <array>
#include <functional>
#include <vector>

#include "bvh/bvh.h"
#include "experiments/traversal_scenes.h"

namespace warpath::experiments {

/// Rays of a path tracer, by what they are for.
enum class RaySetKind { Primary, Diffuse1, Diffuse3, Shadow };
inline constexpr size_t num_ray_sets = 4;
inline constexpr const char* ray_set_names[num_ray_sets] = {"primary", "diffuse1", "diffuse3", "shadow"};

/// One set for each kind; those that were not asked for are empty.
using RaySets = std::array<std::vector<Ray>, num_ray_sets>;

struct RaySetOptions {
    uint32_t width = 0, height = 0;
    uint32_t num_rays = 0;  ///< of each set; fewer where most_samples do not give as many
    std::array<bool, num_ray_sets> wanted{true, true, true, true};
    static constexpr uint32_t most_samples = 40;
};

/// Nearest hits. Shapes:  hits[rays.size()].
using TraceRays = std::function<void(const std::vector<Ray>& rays, std::vector<Hit>& hits)>;

/// Jittered camera rays, cosine-distributed rays from what they hit, the third bounce of these, and rays from what they hit to a point of the light, as far as 0.999 of the
/// way. Pixels come in tiles of 8 x 4, so that 32 rays that follow each other start close together; rays that miss have no successors, and the others keep their
/// order. Origins lie 2e-5 of the scene's diagonal off the surface; t_min is 0. Samples are added until the sets are full. The same bytes for any number of
/// threads, as long as `trace` gives the same.
RaySets make_ray_sets(const TraversalScene& scene, const RaySetOptions& options, const TraceRays& trace);

}  // namespace warpath::experiments
