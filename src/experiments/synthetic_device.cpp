#include "experiments/synthetic_device.h"

#include <algorithm>
#include <numeric>

#include "experiments/schedule_bound.h"

namespace warpath::experiments {

uint64_t SyntheticWork::total_spins() const {
    if (!has_stream()) return num_paths * rays_per_path * shade_spins[0];
    const std::vector<uint64_t> spins = path_spins(*this);
    return std::accumulate(spins.begin(), spins.end(), uint64_t{0});
}

uint64_t SyntheticWork::longest_path_spins() const {
    if (!has_stream()) return static_cast<uint64_t>(rays_per_path) * shade_spins[0];
    const std::vector<uint64_t> spins = path_spins(*this);
    return *std::max_element(spins.begin(), spins.end());
}

double SpinRates::least_ms(const SyntheticWork& work) const {
    return std::max(static_cast<double>(work.total_spins()) / all_lanes, static_cast<double>(work.longest_path_spins()) / one_lane);
}

}  // namespace warpath::experiments
