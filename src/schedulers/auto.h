#pragma once

#include <cstdint>

/// `auto`, the default: picks a scheduler for a frame. The image does not depend on it.
namespace warpath {

/// What `auto` looks at.
struct AutoQuestion {
    bool on_cuda = false;
    uint64_t num_paths = 0;      ///< of the frame
    uint32_t max_depth = 0;
};

inline constexpr const char* auto_scheduler_name = "auto";

/// The name of a scheduler that the backend runs.
/// On the CPU, threads share nothing but the path counter in `persistent`, and no barrier waits for the slowest.
/// On CUDA, the thresholds are those of docs/measurements (scheduler family on an H200).
inline const char* choose_scheduler(const AutoQuestion& frame) {
    if (!frame.on_cuda) return "persistent";
    return "launch";
}

}  // namespace warpath
