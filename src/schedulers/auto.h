#pragma once

#include <cstdint>

/// `auto`, the default: picks a scheduler for a frame. The image does not depend on it.
namespace warpath {

/// What `auto` looks at.
struct AutoQuestion {
    bool on_cuda = false;
    uint64_t num_paths = 0;      ///< of the frame
    uint32_t max_depth = 0;
    double hit_share = 1.0;      ///< of camera rays that meet the scene, from a sample of them
};

inline constexpr const char* auto_scheduler_name = "auto";

/// The name of a scheduler that the backend runs.
///
/// On the CPU, threads share nothing but the path counter in `persistent`, and no barrier waits for the slowest.
///
/// On CUDA (docs/measurements/2026-11-30-h200-schedulers.md, one H200):
///  - where most camera rays meet nothing, what moves paths about costs most: `megakernel`, which moves none;
///  - frames whose rays fill the device: `hybrid`, whose full-width kernels are the fastest while rays are many, and whose finish is while they are few;
///  - smaller ones: `megakernel` where paths are short, else `persistent`: each is ahead in the mean over scenes, if not on each.
/// Within 1 % of the fastest in all large cells of the table; of the small ones, three are 6, 9 and 11 % behind.
inline const char* choose_scheduler(const AutoQuestion& frame) {
    if (!frame.on_cuda) return "persistent";
    constexpr double few_paths = 1u << 18, few_hits = 0.25;
    constexpr uint32_t shallow = 8;
    if (frame.hit_share < few_hits) return "megakernel";
    if (static_cast<double>(frame.num_paths) * frame.hit_share >= few_paths) return "hybrid";
    return frame.max_depth <= shallow ? "megakernel" : "persistent";
}

}  // namespace warpath
