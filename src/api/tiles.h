#pragma once

#include <algorithm>
#include <atomic>
#include <vector>

#include "render/frame.h"

/// How a frame is shared among devices: each grabs consecutive paths from one counter on the host.
namespace warpath {

/// The tiles of a frame in the order in which they are grabbed. Each round has one tile for every device: the first rounds hand out three quarters of
/// what is left, the last one all of it. So equal devices take a few large tiles, as every tile costs a device the ramp and the tail of a frame
/// (2 to 4 ms on an H200 at depth 16: docs/measurements), while the last tiles are small enough for a slow one to take fewer.
/// least:    fewer paths than these are not worth a device's turn, unless the devices would go without.
/// Returns:  ranges that follow each other, of whole neighbourhoods of 32 paths but for the last.
/// Source:   Hummel, Schonberg and Flynn 1992 (factoring).
inline std::vector<PathRange> tiles_of_frame(uint64_t num_paths, uint64_t num_devices, uint64_t least) {
    constexpr uint64_t num_rounds = 3, neighbours = 32;
    std::vector<PathRange> tiles;
    uint64_t first = 0;
    for (uint64_t round = 1; first < num_paths; ++round) {
        const uint64_t left = num_paths - first, handed_out = round < num_rounds ? left - left / 4 : left;
        const uint64_t share = (handed_out + num_devices - 1) / num_devices, largest = (left + num_devices - 1) / num_devices;
        const uint64_t paths = (std::min(std::max(share, least), largest) + neighbours - 1) / neighbours * neighbours;
        for (uint64_t device = 0; device < num_devices && first < num_paths; ++device) {
            tiles.push_back({first, std::min(paths, num_paths - first)});
            first += paths;
        }
    }
    return tiles;
}

/// Hands out the tiles of a frame, each once. Any number of threads may grab.
class TileCounter {
  public:
    explicit TileCounter(std::vector<PathRange> tiles) : tiles_(std::move(tiles)) {}
    /// An empty range when nothing is left. The counter passes the end by at most one per call.
    PathRange grab() {
        const uint64_t next = next_.fetch_add(1, std::memory_order_relaxed);
        return next < tiles_.size() ? tiles_[next] : PathRange{0, 0};
    }

  private:
    std::atomic<uint64_t> next_{0};
    std::vector<PathRange> tiles_;
};

}  // namespace warpath
