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

/// Draws where a path at `at` goes on; `throughput` is updated.
/// Returns an invalid sample if the light was absorbed or the roulette ended the path. A throughput that is not finite
/// is kept, also with an invalid sample, so that the film can report the pixel.
WARPATH_HD inline BsdfSample continue_path(const FrameView& frame, const SurfacePoint& at, const MaterialParams& params,
                                           const Sampler& sampler, uint32_t depth, Vec3& throughput) {
    const SampleGroup random = sampler.get_group(bounce_dimension(depth) + dimension_bsdf_uv);
    BsdfSample sample = sample_surface(frame.scene, at, params, random.third(), random.pair());
    if (!sample.valid) return sample;
    throughput = throughput * sample.weight;
    if (is_zero(throughput) || !is_finite(throughput) || !is_finite(sample.wi)) {
        sample.valid = false;
        return sample;
    }
    const float survival = survival_probability(throughput, depth + 1);
    if (survival < 1.0f && random.fourth() >= survival) sample.valid = false;
    throughput = throughput * (1.0f / survival);
    return sample;
}

}  // namespace warpath
