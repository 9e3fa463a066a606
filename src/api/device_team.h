#pragma once

#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <vector>

#include "api/tiles.h"
#include "backends/render_backend.h"

namespace warpath {

using DeviceFrames = std::vector<std::unique_ptr<BackendFrame>>;

/// Several devices that render one frame, tile by tile, each with a thread of its own. Integer films and counters add
/// up, so who rendered which tile cannot be seen in them.
class DeviceTeam {
  public:
    /// tiles: of the whole frame, see tiles_of_frame(). The frames must outlive the team. Theirs are the films, which the caller clears before and adds up afterwards.
    DeviceTeam(const DeviceFrames& frames, std::vector<PathRange> tiles);

    /// Renders the frame; once. A device that fails, or whose watchdog gives up, keeps the others from starting paths.
    /// Hooks:   called from this thread.
    /// Errors:  the first that a device's thread threw.
    RunOutcome run(const RunHooks& hooks);

  private:
    void work(size_t device);
    void render_tiles(size_t device);
    /// Passes the caller's stop flag on and reports progress until all have ended.
    void watch(const RunHooks& hooks);
    CounterWords counters_so_far();

    const DeviceFrames& frames_;
    TileCounter tiles_;
    std::atomic<bool> stop_{false};
    bool reports_ = false;  ///< somebody asks how far the devices are; set before the threads start
    std::mutex mutex_;      ///< guards all below
    std::condition_variable ended_;
    size_t num_working_;
    std::vector<RunOutcome> outcomes_;   ///< by device, of its finished tiles
    std::vector<CounterWords> running_;  ///< by device, of the tile that runs
    std::exception_ptr failure_;
};

}  // namespace warpath
