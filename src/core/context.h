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
///     uint64_t group_add(uint64_t* p, uint64_t n)   one lane adds, all lanes get the old value (uint32_t too)
///     uint32_t ballot(bool)                      bit i: lane i's value; every lane of the group must call it together
///     void sync_group()                          orders the group's accesses to its own storage
///     uint32_t* group_storage()                  words private to the group (shared memory on CUDA)
///     bool stop_requested()                      the host wants no new path to start
namespace warpath {

enum class RayKind : uint32_t { Extension, Shadow };
inline constexpr uint32_t num_bounce_bins = 64;  ///< the last bin holds all deeper ones

}  // namespace warpath
