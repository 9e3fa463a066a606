#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "experiments/ray_cost.h"

namespace warpath::experiments {

/// What every ray of every path of a frame cost, in path order: recorded from a render, or drawn by a WorkDial. Enough to run a scheduler on the same work
/// without the scene.
struct CostStream {
    std::vector<uint32_t> first_ray{0};  ///< num_paths + 1; the rays of path p are first_ray[p] .. first_ray[p + 1] - 1
    std::vector<uint32_t> rays;          ///< pack_ray()

    uint64_t num_paths() const { return first_ray.size() - 1; }
    /// Of one path, and of all of them.
    uint64_t path_steps(uint64_t path) const {
        uint64_t sum = 0;
        for (uint32_t i = first_ray[path]; i < first_ray[path + 1]; ++i) sum += steps_of_ray(rays[i]);
        return sum;
    }
    uint64_t total_steps() const;
    uint64_t longest_path_steps() const;
    /// Extension rays of the path that has most.
    uint32_t most_bounces() const;
    bool operator==(const CostStream&) const = default;
};

/// Errors:  BadInput, naming what is wrong: a path without rays, one that begins with a shadow ray, or two shadow rays in a row.
void check_stream(const CostStream& stream);

/// A file of one stream: the magic "warpath cost 1\n\0", the numbers of paths and rays (64 bits), first_ray, rays, and a 64-bit checksum (FNV-1a over
/// 32-bit words) of all before it; little-endian.
/// Errors:  Io; BadInput for a file that is no such stream, is cut short, or whose checksum or contents are wrong.
void write_stream(const std::filesystem::path& path, const CostStream& stream);
CostStream read_stream(const std::filesystem::path& path);

}  // namespace warpath::experiments
