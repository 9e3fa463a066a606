#pragma once

#include <vector>

#include "bvh/bvh.h"
#include "experiments/json.h"
#include "experiments/traversal_probe.h"

namespace warpath::experiments {

/// How the results of two ray tracers differ, ray by ray.
struct Agreement {
    /// Distances agree within this share, or, near a ray's origin, within this share of the scene's diagonal.
    static constexpr double relative = 1e-4, of_diagonal = 1e-5;
    static constexpr size_t most_listed = 256;

    uint64_t num_rays = 0;
    uint64_t ties = 0;      ///< another triangle within `relative` of the same distance: both are right
    uint64_t near = 0;      ///< distances differ by more than `relative`, but by no more than `of_diagonal`
    uint64_t distance = 0;  ///< distances differ by more than both
    uint64_t hit_miss = 0;  ///< one found something and the other did not
    std::vector<uint32_t> listed;  ///< the first rays of the last two kinds

    uint64_t num_disagreeing() const { return distance + hit_miss; }
    Json json() const;
};

/// Threads: uses oneTBB.
Agreement compare_results(const TraversalResults& reference, const TraversalResults& other, size_t num_rays, float diagonal);

/// Of the rays of `rays`, how many have a result that the exact distance (infinity: none) refutes. Shapes: exact[rays.size()].
size_t num_refuted(const TraversalResults& results, const std::vector<uint32_t>& rays, const std::vector<double>& exact, float diagonal);

}  // namespace warpath::experiments
