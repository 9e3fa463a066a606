#pragma once

#include <cstdint>

#include "render/stage_id.h"
#include "schedulers/list.h"

/// Block sizes, residency and pool sizes, in one place.
namespace warpath {

inline constexpr uint32_t warp_size = 32;
/// Warps that an SM holds at most, on any device.
inline constexpr uint32_t warp_slots_per_sm = 64;

/// Threads per block and the fewest blocks per SM that the compiler must leave registers for (65,536 registers per SM). Kernels of all stages gain by
/// 128 registers too where a frame is small or shading is long, and the megakernels lose by them where it is neither (docs/measurements/2026-11-30-h200-schedulers.md).
template <class Kernel>
struct KernelTuning {
    static constexpr int block_threads = 128, min_blocks_per_sm = 4;  ///< at most 128 registers a thread
};
/// Tracing alone needs few registers and hides latency by many warps; 72 registers keep the traversal loop free of spills.
template <class Stages>
struct KernelTuning<TraceStep<Stages>> {
    static constexpr int block_threads = 128, min_blocks_per_sm = 7;
};
/// Shading is long code: the warps of an SM go through it side by side (drain_together).
template <class Stages>
struct KernelTuning<ShadeStep<Stages>> {
    static constexpr int block_threads = 512, min_blocks_per_sm = 1;
};
/// One block takes the whole SM, so that all its warps share one pool and its rings. 16 warps with 128 registers: measured up to 1.4 times as fast as 28
/// with 72, whose shading spills and whose rays find less of the first-level cache (docs/measurements/2026-11-30-h200-schedulers.md).
template <class Stages>
struct KernelTuning<PersistentKernel<Stages>> {
    static constexpr int block_threads = 512, min_blocks_per_sm = 1;
};
template <class Stages>
struct KernelTuning<ResidentKernel<Stages>> : KernelTuning<PersistentKernel<Stages>> {};
/// Slots of a block's own pool, per warp: what the lanes hold, and two batches that wait to be shaded or traced.
inline constexpr uint32_t slots_per_warp = 96;

/// Lanes of a warp with a ray under way below which the others take new ones.
inline constexpr uint32_t refill_below_lanes = 24;

/// The pool that launch-based schedulers share: every path in flight where that fits, since each pool-full of paths ends in a tail.
inline constexpr uint32_t slots_per_launch_pool = 1u << 25;
/// Share of the free device memory that a pool nobody asked for may take.
inline constexpr uint64_t free_memory_per_pool = 4;

/// Groups write their counters to different copies, so that adding them up does not serialise on a few addresses.
inline constexpr uint32_t counter_copies = 64;

/// Counters are 32-bit words in shared memory and are flushed after so many batches: at most 32 lanes * 100,000 steps * 1,024
/// batches stay below 2^32.
inline constexpr uint32_t batches_between_flushes = 1024;

}  // namespace warpath
