#pragma once

#include <cstdint>

#include "core/platform.h"

/// What schedulers and backends agree on. A scheduler decides who runs which stage on which slots, and when; it knows slot numbers and
/// stage ids only.
namespace warpath {

/// What the user asked for; 0 means "choose".
struct ScheduleOptions {
    uint32_t num_slots = 0, batch = 0, num_threads = 0, blocks_per_sm = 0;
    uint32_t block_size = 0;             ///< lanes per block of resident kernels
    uint32_t refill_below = 0;
    uint32_t reserve_sms = 0;            ///< CUDA: multiprocessors that resident kernels leave to others

    bool operator==(const ScheduleOptions&) const = default;
};

/// How many groups a backend can run at the same time, and what it likes.
struct DeviceLimits {
    uint32_t group_size = 1;             ///< lanes per group
    uint32_t groups_per_block = 1;       ///< of the scheduler's resident kernel
    uint32_t max_resident_groups = 1;    ///< groups of the largest kernel that are resident together
    uint32_t batch = 1;                  ///< paths or items per grab that amortise the grab
    uint32_t refill_below = 1;           ///< lanes with a ray under way below which the others take new ones
    uint32_t slots_per_group = 16;       ///< for pools that belong to a block
    uint32_t slots_per_pool = 4096;      ///< for a pool that all groups share
    uint32_t max_slots = 0x7ffffffe;     ///< what fits in memory
};

/// Sizes of everything a scheduler needs. A pure function of limits, options and the number of paths makes it.
struct SchedulePlan {
    uint32_t num_slots = 0;
    uint32_t num_groups = 0;             ///< of persistent kernels
    uint32_t groups_per_block = 1;       ///< of persistent kernels
    uint32_t batch = 0;                  ///< paths taken from the work counter at a time
    uint32_t refill_below = 1;           ///< as DeviceLimits has it
    uint32_t max_depth = 0;              ///< scattering events that end every path; 0 where nobody asked
    uint32_t block_storage_words = 0;    ///< 32-bit words that the groups of a block share while a kernel runs
    uint32_t num_queue_words = 0;        ///< 32-bit words of queues in device memory
    uint64_t least_wide = 0;             ///< rays below which steps of full width leave what is left to another kernel
    uint32_t num_control_words = 0;      ///< 64-bit words of counters in device memory, cleared before the frame
};

/// Device memory of a plan. `control` words start at zero.
struct ScheduleBuffers {
    uint32_t* queues = nullptr;
    uint64_t* control = nullptr;
    uint64_t* mailbox = nullptr;         ///< num_mailbox_words words of host memory that kernels write and the host reads while they run; zero at first
};
inline constexpr uint32_t num_mailbox_words = 8;

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

/// Slots of a pool that all groups share.
inline uint32_t shared_pool_slots(const DeviceLimits& limits, const ScheduleOptions& options, uint64_t num_paths) {
    uint64_t slots = options.num_slots ? options.num_slots : limits.slots_per_pool;
    slots = slots < num_paths ? slots : num_paths;
    return static_cast<uint32_t>(slots < limits.max_slots ? slots : limits.max_slots);
}

/// A plan with what all schedulers fill in alike.
inline SchedulePlan common_plan(const DeviceLimits& limits, const ScheduleOptions& options) {
    SchedulePlan plan;
    plan.groups_per_block = limits.groups_per_block;
    plan.num_groups = limits.max_resident_groups;
    plan.batch = options.batch ? options.batch : limits.batch;
    plan.refill_below = options.refill_below ? options.refill_below : limits.refill_below;
    if (plan.refill_below > limits.group_size) plan.refill_below = limits.group_size;
    return plan;
}

}  // namespace warpath
