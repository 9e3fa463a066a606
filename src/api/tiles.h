#pragma once

#include <atomic>

#include "render/frame.h"

/// How a frame is shared among devices: each grabs consecutive paths from one counter on the host.
namespace warpath {

/// Paths of a tile: a sixteenth of a device's even share, so that the last tiles are small beside the frame; but at
/// least `least` where every device still gets one. A multiple of 32, the paths that start close together.
inline uint64_t tile_paths(uint64_t num_paths, uint64_t num_devices, uint64_t least) {
    constexpr uint64_t tiles_per_device = 16, neighbours = 32;
    const auto share = [&](uint64_t parts) { return (num_paths + parts - 1) / parts; };
    const uint64_t small = share(num_devices * tiles_per_device), large = share(num_devices);
    const uint64_t paths = small >= least ? small : least < large ? least : large;
    return (paths + neighbours - 1) / neighbours * neighbours;
}

/// Hands out the paths of a frame, each once. Any number of threads may grab.
class TileCounter {
  public:
    TileCounter(uint64_t num_paths, uint64_t tile_paths) : num_paths_(num_paths), tile_paths_(tile_paths) {}
    /// An empty range when nothing is left. The counter passes the end by at most a tile per thread, so 64 bits never
    /// wrap.
    PathRange grab() {
        const uint64_t first = next_.fetch_add(tile_paths_, std::memory_order_relaxed);
        if (first >= num_paths_) return {num_paths_, 0};
        return {first, num_paths_ - first < tile_paths_ ? num_paths_ - first : tile_paths_};
    }

  private:
    std::atomic<uint64_t> next_{0};
    uint64_t num_paths_, tile_paths_;
};

}  // namespace warpath
