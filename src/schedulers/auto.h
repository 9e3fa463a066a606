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
    double steps_per_ray = 0.0;  ///< nodes of the two-child tree that such a ray visits, in the mean
};

inline constexpr const char* auto_scheduler_name = "auto";

/// The name of a scheduler that the backend runs.
///
/// On the CPU (docs/measurements/2026-12-01-cpu.md), where threads share nothing but the path counter and no barrier waits for the slowest: `persistent`, whose
/// stages follow each other in batches, or `megakernel-persistent`, which moves no path about, where most camera rays meet nothing.
///
/// On CUDA (docs/measurements/2026-11-30-h200-schedulers-c79cf7b.md, one H200; within 3 % of the fastest in all 30 cells of five scenes):
///  - where most camera rays meet nothing, what moves paths about costs most: `megakernel`, which moves none;
///  - frames whose rays fill the device: `hybrid`, whose full-width kernels are the fastest while rays are many, and whose finish is while they are few;
///  - smaller ones: `megakernel` where fewer paths meet something than lanes wait for them, or paths are short and their rays cheap; else `persistent`, whose
///    lanes are worth filling.
inline const char* choose_scheduler(const AutoQuestion& frame) {
    constexpr double many_paths = 1u << 18, few_paths = 50'000, half_hits = 0.5, few_hits = 0.25, many_steps = 30;
    if (!frame.on_cuda) return frame.hit_share < half_hits ? "megakernel-persistent" : "persistent";
    constexpr uint32_t shallow = 8;
    if (frame.hit_share < few_hits) return "megakernel";
    const double lasting_paths = static_cast<double>(frame.num_paths) * frame.hit_share;
    if (lasting_paths >= many_paths) return "hybrid";
    const bool is_short = frame.max_depth <= shallow && frame.steps_per_ray < many_steps;
    return lasting_paths < few_paths || is_short ? "megakernel" : "persistent";
}

}  // namespace warpath
