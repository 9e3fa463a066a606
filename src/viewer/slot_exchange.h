#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "viewer/view_request.h"

namespace warpath::viewer {

/// What a developed picture shows.
struct Picture {
    uint64_t scene = 0, serial = 0;  ///< of the request that it answers
    uint32_t width = 0, height = 0;
    uint32_t num_planes = 1;         ///< 2 in Mode::Split: A, then B
    uint32_t num_samples = 0;        ///< of each pixel
    uint64_t num_passes = 0;         ///< rendered since the window opened
    uint64_t checksum = 0;           ///< of the film, where the request asks for it
    std::string scheduler;           ///< of its last pass
    bool on_device = false;          ///< how it came to the window: by CUDA-OpenGL interop, else through host memory
    float scale_min = 0, scale_max = 0;  ///< ends of the colour scale, where it has one
    /// Mode::Split: films of equal numbers of samples were compared, all pixels of them.
    bool compared = false;
    uint64_t num_different_pixels = 0;

    size_t plane_bytes() const { return size_t{4} * width * height; }
};

/// Three places for pictures between the thread that renders and the one that shows: neither ever waits for the other. Of pictures that were not
/// shown yet the newest stays.
class SlotExchange {
  public:
    static constexpr int num_slots = 3;

    /// Render thread: a place to write to. One is always there, since one at most is shown, and one ready.
    int begin_write();
    void publish(int slot, Picture picture);
    void abandon(int slot);  ///< writing failed
    /// Whether the window has taken the last picture, so that another one is of use.
    bool is_wanted() const;

    /// Window: the newest picture, which stays as it is until the next take(). Unset where nothing came since.
    std::optional<std::pair<int, Picture>> take();

  private:
    enum class State { Free, Writing, Ready, Shown };
    mutable std::mutex mutex_;
    std::array<State, num_slots> states_{};
    Picture ready_;
};

}  // namespace warpath::viewer
