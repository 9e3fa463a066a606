#pragma once

#include <cstdint>

/// `auto`, the default: picks a scheduler for a frame. The image does not depend on it.
namespace warpath {

/// What `auto` looks at.
struct AutoQuestion {
    bool on_cuda = false;
    uint64_t num_paths = 0;      ///< of the frame
    uint32_t max_depth = 0;
    uint64_t num_triangles = 0;  ///< of the scene
};

inline constexpr const char* auto_scheduler_name = "auto";

/// The name of a scheduler that the backend runs.
///
/// On the CPU, threads share nothing but the path counter in `persistent`, and no barrier waits for the slowest.
///
/// On CUDA (docs/measurements/2026-11-29-h200-scheduler-family.md, one H200):
///  - a frame of few paths ends when its longest path does, and a lane that keeps its path waits for nobody: `megakernel` was the fastest or within
///    1 % of it in all 15 cells of 256x256;
///  - where rays cost next to nothing, what moves paths about costs most: `megakernel-persistent` was within 2 % of the best on the small scene;
///  - more paths than slots, or a long tail of bounces, is what `persistent` loses least on: the fastest at 33 million paths, and on two of four scenes
///    at depth 64 within 5 % of the best (on sponza 8 %, on ice_glass 25 % behind);
///  - else `launch-async`, the fastest in all nine other cells of the large scenes.
inline const char* choose_scheduler(const AutoQuestion& frame) {
    if (!frame.on_cuda) return "persistent";
    constexpr uint64_t few_paths = 1u << 18, more_than_slots = 1u << 23;
    constexpr uint32_t deep = 40;
    constexpr uint64_t few_triangles = 1u << 12;
    if (frame.num_paths < few_paths) return "megakernel";
    if (frame.num_triangles < few_triangles) return "megakernel-persistent";
    if (frame.num_paths > more_than_slots || frame.max_depth >= deep) return "persistent";
    return "launch-async";
}

}  // namespace warpath
