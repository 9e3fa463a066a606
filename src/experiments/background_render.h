#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>

#include "experiments/rendered_cell.h"

namespace warpath::experiments {

/// Renders a frame again and again in a thread of its own, from the constructor's end until stop(). All that it needs is allocated and loaded, and the frame has run
/// twice, when the constructor returns, so that nothing but launches, copies and waits happens meanwhile.
class BackgroundRender {
  public:
    /// `parks`: after each frame of `resident`, one of `launch` with a single path, which sends the service away.
    BackgroundRender(const Renderer& renderer, const RenderOptions& options, bool parks = false);
    ~BackgroundRender();
    BackgroundRender(const BackgroundRender&) = delete;
    BackgroundRender& operator=(const BackgroundRender&) = delete;

    /// Ends with the frame under way, and sends a service away. Gives frames per second since the constructor's end.
    /// Errors:  what a run threw.
    double stop();

  private:
    void render();

    PreparedFrame frame_;
    std::unique_ptr<PreparedFrame> parking_frame_;
    bool parks_;
    std::atomic<bool> stop_{false};
    std::atomic<uint64_t> num_frames_{0};
    std::exception_ptr failure_;
    std::chrono::steady_clock::time_point start_;
    std::thread thread_;
};

}  // namespace warpath::experiments
