#pragma once

#include <cstdint>

#include "render/stage_id.h"
#include "schedulers/persistent.h"
#include "schedulers/stage_items.h"

/// Block sizes, residency and pool sizes, in one place.
namespace warpath {

inline constexpr uint32_t warp_size = 32;

/// Threads per block and the fewest blocks per SM that the compiler must leave registers for (65,536 registers per SM).
template <class Kernel>
struct KernelTuning {
    static constexpr int block_threads = 128, min_blocks_per_sm = 4;  ///< at most 128 registers a thread
};
/// All stages in one kernel: 64 registers spill in shading, but twice the warps hide more latency than the spills cost.
template <class Stages>
struct KernelTuning<PersistentKernel<Stages>> {
    static constexpr int block_threads = 128, min_blocks_per_sm = 8;
};
/// Tracing alone needs few registers and hides latency by many warps.
template <class Stages>
struct KernelTuning<RunItems<StageId::Intersect, Stages>> {
    static constexpr int block_threads = 128, min_blocks_per_sm = 8;
};
template <class Stages>
struct KernelTuning<RunItems<StageId::Occlude, Stages>> {
    static constexpr int block_threads = 128, min_blocks_per_sm = 8;
};

/// A warp's own pool: four rings of a warp's lanes, so that some ring always fills the lanes (schedulers/persistent.h).
inline constexpr uint32_t slots_per_warp = 4 * warp_size;

/// Lanes of a warp with a ray under way below which the others take new ones.
inline constexpr uint32_t refill_below_lanes = 20;

/// The pool that `launch` shares: about eight paths per resident lane of a large device; bounded whatever the film.
inline constexpr uint32_t slots_per_launch_pool = 1u << 21;

/// Groups write their counters to different copies, so that adding them up does not serialise on a few addresses.
inline constexpr uint32_t counter_copies = 64;

/// A warp's counters are 32-bit words in shared memory and are flushed after so many batches: at most 32 lanes * 100,000 steps * 1,024
/// batches stay below 2^32.
inline constexpr uint32_t batches_between_flushes = 1024;

}  // namespace warpath
