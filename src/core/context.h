#pragma once

#include "core/platform.h"
#include "warpath/counters.h"

/// `Ctx` is the whole difference between backends on the device side. Stages use the first group of members only; schedulers use all.
///
///     void count(Counter, uint32_t n)            adds to this group's counter
///     void count_ray(RayKind, uint32_t bounce)   adds one to the group's histogram of rays by bounce
///     uint64_t add(uint64_t* p, uint64_t n)      relaxed atomic add on memory shared by all groups; returns the old value
///     uint32_t add(uint32_t* p, uint32_t n)
///
///     uint32_t lane(), group_size(), group(), num_groups()
///     uint64_t group_add(uint64_t* p, uint64_t n)   one lane adds, all lanes get the old value; all lanes call together
///     uint32_t ballot(bool)                      bit i: lane i's value; all lanes call together
///     void sync_group()                          orders the group's accesses to its own storage; all lanes call together
///     uint32_t* group_storage()                  words private to the group (shared memory on CUDA)
///     StopLevel stop_level()                     the host's wish (schedulers/schedule.h), the same in all lanes; all lanes call together
///     void count_batch(StageId, bool active)     one batch, and one item per active lane; all lanes call together
namespace warpath {

enum class RayKind : uint32_t { Extension, Shadow };
inline constexpr uint32_t num_bounce_bins = 64;  ///< the last bin holds all deeper ones

/// Words of one group's counters: the counters, then the two histograms.
inline constexpr uint32_t num_counter_words = static_cast<uint32_t>(num_counters) + 2 * num_bounce_bins;
WARPATH_HD inline uint32_t bounce_word(RayKind kind, uint32_t bounce) {
    const uint32_t bin = bounce < num_bounce_bins ? bounce : num_bounce_bins - 1;
    return static_cast<uint32_t>(num_counters) + static_cast<uint32_t>(kind) * num_bounce_bins + bin;
}

}  // namespace warpath
