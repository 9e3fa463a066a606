#pragma once

#include <cstdint>

#include "core/platform.h"

/// What schedulers and backends agree on. A scheduler decides who runs which stage on which slots, and when; it knows slot numbers and
/// stage ids only.
namespace warpath {

/// What the user asked for; 0 means "choose".
struct ScheduleOptions {
    uint32_t num_slots = 0, batch = 0, num_threads = 0, blocks_per_sm = 0;
};

/// How many groups a backend can run at the same time, and what it likes.
struct DeviceLimits {
    uint32_t group_size = 1;             ///< lanes per group
    uint32_t max_resident_groups = 1;    ///< groups of the largest kernel that are resident together
    uint32_t batch = 1;                  ///< paths or items per grab that amortise the grab
    uint32_t refill_below = 1;           ///< lanes with a ray under way below which the others take new ones
    uint32_t slots_per_group = 16;       ///< for pools that belong to a group
    uint32_t slots_per_pool = 4096;      ///< for a pool that all groups share
    uint32_t max_slots = 0xfffffffe;     ///< what fits in memory
};

/// Sizes of everything a scheduler needs. A pure function of limits, options and the number of paths makes it.
struct SchedulePlan {
    uint32_t num_slots = 0;
    uint32_t num_groups = 0;             ///< of persistent kernels
    uint32_t batch = 0;                  ///< paths taken from the work counter at a time
    uint32_t refill_below = 1;           ///< as DeviceLimits has it
    uint32_t group_storage_words = 0;    ///< 32-bit words private to each group while a kernel runs
    uint32_t num_queue_words = 0;        ///< 32-bit words of queues in device memory
    uint32_t num_control_words = 0;      ///< 64-bit words of counters in device memory, cleared before the frame
};

/// Device memory of a plan. `control` words start at zero.
struct ScheduleBuffers {
    uint32_t* queues = nullptr;
    uint64_t* control = nullptr;
};

/// Host's wishes, read by kernels while they run.
enum class StopLevel : uint32_t {
    Run = 0,
    NoNewPaths = 1,  ///< finish what is in flight: the image stays unbiased
    Abort = 2,       ///< leave at once: the watchdog expired, the image is incomplete
};

/// What a scheduler reports of one frame beside the counters.
struct ScheduleOutcome {
    uint64_t num_launches = 0;
    bool aborted = false;
};

}  // namespace warpath
