#pragma once

#include "core/platform.h"
#include "warpath/counters.h"

/// `Ctx` is the whole difference between backends on the device side. Stages use the first group of members only; schedulers use all.
/// A group is a warp on CUDA and a thread on the CPU. A block is the groups that share block_storage(): a thread block, or the one thread.
///
///     void count(Counter, uint32_t n)            adds to this group's counter; lanes that are here together must name the same one
///     void count_ray(RayKind, uint32_t bounce)   adds one to the histogram of rays by bounce
///     T add(T* p, T n)                           relaxed atomic add on memory shared by all groups; returns the old value
///
///     uint32_t lane(), group_size(), group(), num_groups(), block(), group_in_block(), groups_per_block()
///     uint32_t ballot(bool)                      bit i: lane i's value; all lanes call together
///     T broadcast(T, uint32_t lane)              that lane's value; all lanes call together
///     void sync_group()                          orders the accesses of a group's lanes; all lanes call together
///     void sync_block()                          a barrier over the groups of a block, at which they are idle; only where none of them has left
///     void sync_grid()                           a barrier over all groups, at which they are idle; only in kernels launched with launch_cooperative
///     uint32_t* block_storage()                  words that the groups of a block share (shared memory on CUDA); not cleared
///     T add<scope>(T* p, T n)                    relaxed
///     T add_ordered<scope>(T* p, T n)            acquires and releases
///     void add_alike<scope>(T* p, T n)           relaxed; lanes that are here together give the same n
///     T swap<scope>(T* p, T v)                   relaxed exchange; returns the old value
///     void raise<scope>(T* p, T v)               relaxed: *p becomes v if that is more
///     T load<scope>(const T* p)                  acquires
///     T peek<scope>(const T* p)                  relaxed
///     void put<scope>(T* p, T v)                 relaxed
///     void store<scope>(T* p, T v)               releases
///     void acquire<scope>(const T* p)            orders what follows after the value that peek last gave of *p
///     void release<scope>()                      what this lane did and saw so far is released by every put_released of the scope from here on:
///                                                a store's release, done before there is anything to store
///     void put_released<scope>(T* p, T v)        see release
///     bool exchange_if<scope>(T* p, T& expected, T desired)   compare and exchange, relaxed; `expected` gets what was there
///     StopLevel stop_level()                     the host's wish (schedulers/schedule.h), the same in all lanes; all lanes call together
///     void report_stall(uint64_t where)          tells the host that a wait passed its limit; every stop_level() is Abort from now on
///     bool stalled()                             whether a wait of any group has; for one lane alone
///     uint64_t clock_ns()                        a clock that runs alike for all groups
///     uint64_t wait_limit_ns()                   how long a wait may last without progress
///     void pause(uint32_t ns)                    gives the processor to others for about so long
///     void flush()                               passes this group's counters on now; all lanes call together
///     void count_batch(StageId, bool active)     one batch, and one item per active lane; all lanes call together
///     uint32_t ticks()                           a fast clock for short times, modulo 2^32: cycles on CUDA, nanoseconds on the CPU
///     void open_task(uint64_t origin_ns)         in a kernel that stays: the group begins a task that was handed out then (clock_ns), and accounts for it
///     void close_task()                          it is through with the task; other groups may see what it did there after a barrier or a release
///     void begin_idle(), end_idle()              the group has looked for work and found none; it has work again
///     bool has_timeline()                        whether record_depth is heard
///     void record_depth(QueueId, uint32_t)       the depth of a queue, for the timeline; one lane calls
namespace warpath {

enum class RayKind : uint32_t { Extension, Shadow };
inline constexpr uint32_t num_bounce_bins = 64;  ///< the last bin holds all deeper ones

/// Words of one group's counters: those that kernels count, then the two histograms.
inline constexpr uint32_t num_counter_words = static_cast<uint32_t>(num_kernel_counters) + 2 * num_bounce_bins;
WARPATH_HD inline uint32_t bounce_word(RayKind kind, uint32_t bounce) {
    const uint32_t bin = bounce < num_bounce_bins ? bounce : num_bounce_bins - 1;
    return static_cast<uint32_t>(num_kernel_counters) + static_cast<uint32_t>(kind) * num_bounce_bins + bin;
}

/// Queues whose depth a timeline shows.
enum class QueueId : uint32_t { Trace, Shade, Free };
inline constexpr uint32_t num_queue_ids = 3;

/// Who takes part in an atomic operation.
enum class Scope { Block, Device, System };

}  // namespace warpath
