#include "experiments/schedule_bound.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>

namespace warpath::experiments {

std::vector<uint64_t> path_spins(const SyntheticWork& work) {
    const CostStream& stream = work.stream;
    std::vector<uint64_t> spins(stream.num_paths());
    for (uint64_t path = 0; path < spins.size(); ++path)
        for (uint32_t i = stream.first_ray[path]; i < stream.first_ray[path + 1]; ++i) {
            const uint32_t ray = stream.rays[i];
            spins[path] += static_cast<uint64_t>(steps_of_ray(ray)) * work.spins_per_step + (is_shadow_ray(ray) ? 0 : work.shade_spins[class_of_ray(ray)]);
        }
    return spins;
}

uint64_t list_makespan(std::vector<uint64_t> jobs, uint64_t num_lanes) {
    std::sort(jobs.begin(), jobs.end(), std::greater<>());
    std::priority_queue<uint64_t, std::vector<uint64_t>, std::greater<>> lanes;  // when each is free
    uint64_t end = 0;
    for (const uint64_t job : jobs) {
        uint64_t start = 0;
        if (lanes.size() == num_lanes) {
            start = lanes.top();
            lanes.pop();
        }
        lanes.push(start + job);
        end = std::max(end, start + job);
    }
    return end;
}

CostStream longest_paths_first(const CostStream& stream) {
    std::vector<uint64_t> steps(stream.num_paths());
    for (uint64_t path = 0; path < steps.size(); ++path) steps[path] = stream.path_steps(path);
    std::vector<uint32_t> order(stream.num_paths());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return steps[a] > steps[b]; });
    CostStream sorted;
    sorted.rays.reserve(stream.rays.size());
    for (const uint32_t path : order) {
        sorted.rays.insert(sorted.rays.end(), stream.rays.begin() + stream.first_ray[path], stream.rays.begin() + stream.first_ray[path + 1]);
        sorted.first_ray.push_back(static_cast<uint32_t>(sorted.rays.size()));
    }
    return sorted;
}

}  // namespace warpath::experiments
