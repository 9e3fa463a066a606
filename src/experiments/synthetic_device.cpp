#include "experiments/synthetic_device.h"

#include <algorithm>

namespace warpath::experiments {

namespace {

uint64_t path_spins(const SyntheticWork& work, uint64_t path) {
    uint64_t spins = 0;
    for (uint32_t i = work.stream.first_ray[path]; i < work.stream.first_ray[path + 1]; ++i) {
        const uint32_t ray = work.stream.rays[i];
        spins += static_cast<uint64_t>(steps_of_ray(ray)) * work.spins_per_step + (is_shadow_ray(ray) ? 0 : work.shade_spins[class_of_ray(ray)]);
    }
    return spins;
}

}  // namespace

uint64_t SyntheticWork::total_spins() const {
    if (!has_stream()) return num_paths * rays_per_path * shade_spins[0];
    uint64_t sum = 0;
    for (uint64_t path = 0; path < paths(); ++path) sum += path_spins(*this, path);
    return sum;
}

uint64_t SyntheticWork::longest_path_spins() const {
    if (!has_stream()) return static_cast<uint64_t>(rays_per_path) * shade_spins[0];
    uint64_t most = 0;
    for (uint64_t path = 0; path < paths(); ++path) most = std::max(most, path_spins(*this, path));
    return most;
}

double SpinRates::least_ms(const SyntheticWork& work) const {
    return std::max(static_cast<double>(work.total_spins()) / all_lanes, static_cast<double>(work.longest_path_spins()) / one_lane);
}

}  // namespace warpath::experiments
