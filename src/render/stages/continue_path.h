#pragma once

#include "render/frame.h"
#include "render/medium.h"
#include "render/sampler.h"
#include "render/scatter.h"

/// The next segment of a path: bsdf sampling and Russian roulette.
namespace warpath {

inline constexpr uint32_t roulette_from_depth = 3;  ///< scattering events that every path may have
inline constexpr float least_survival = 0.05f;      ///< bounds the weight of survivors

/// Probability of going on, from what the path still carries. Paths that carry 1 always do.
WARPATH_HD inline float survival_probability(Vec3 throughput, uint32_t depth) {
    if (depth < roulette_from_depth) return 1.0f;
    return clamp(max_component(throughput), least_survival, 1.0f);
}

/// The direction in which a path at `at` may go on; see draw_surface.
WARPATH_HD inline BsdfSample draw_direction(const SurfacePoint& at, const Lobes& lobes, const SampleGroup& random) {
    return draw_surface(at, lobes, random.third(), random.pair());
}

/// Decides whether the path goes on along the completed sample `next`; `throughput` is updated.
/// False if the light was absorbed or the roulette ended the path. A throughput that is not finite is kept even then,
/// so that the film can report the pixel. `depth`: scattering events before this one.
WARPATH_HD inline bool continue_path(const BsdfSample& next, const SampleGroup& random, uint32_t depth,
                                     Vec3& throughput) {
    if (!next.valid) return false;
    throughput = throughput * next.weight;
    if (is_zero(throughput) || !is_finite(throughput) || !is_finite(next.wi)) return false;
    const float survival = survival_probability(throughput, depth + 1);
    throughput = throughput * (1.0f / survival);
    return survival == 1.0f || random.fourth() < survival;
}

}  // namespace warpath
