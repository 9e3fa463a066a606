#pragma once

#include <cstdint>
#include <vector>

#include "experiments/synthetic_device.h"

namespace warpath::experiments {

/// Spins of each path, its shadings included.
std::vector<uint64_t> path_spins(const SyntheticWork& work);

/// When the last of `num_lanes` equal lanes is through, if each takes the next job of the list as soon as it has done one: of jobs by falling length, within 4/3
/// of the best schedule there is.
/// Source:  Graham, "Bounds on Multiprocessing Timing Anomalies", SIAM J. Appl. Math. 17(2), 1969.
uint64_t list_makespan(std::vector<uint64_t> jobs, uint64_t num_lanes);

/// The same paths, those with most steps first; paths of equal steps keep their order.
CostStream longest_paths_first(const CostStream& stream);

}  // namespace warpath::experiments
