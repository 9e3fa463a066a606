#pragma once

#include <atomic>

#include "core/context.h"
#include "render/stage_id.h"
#include "schedulers/schedule.h"

namespace warpath {

/// What the groups of one CPU launch share.
struct CpuLaunchState {
    std::atomic<uint32_t> stop_level{0};
    std::atomic<uint64_t> heartbeat{0};
};

/// A group on the CPU: one thread, one lane. See core/context.h for the meaning of the members.
/// Include from .cpp files only: in a .cu, nvcc would warn about every call of it.
class CpuContext {
  public:
    CpuContext(uint32_t group, uint32_t num_groups, uint32_t* storage, uint64_t* counters, CpuLaunchState& state)
        : group_(group), num_groups_(num_groups), storage_(storage), counters_(counters), state_(state) {}

    void count(Counter counter, uint32_t n) { bump(static_cast<size_t>(counter), n); }
    void count_ray(RayKind kind, uint32_t bounce) { bump(bounce_word(kind, bounce), 1); }
    template <class T>
    T add(T* p, T n) { return std::atomic_ref<T>(*p).fetch_add(n, std::memory_order_relaxed); }

    uint32_t lane() const { return 0; }
    uint32_t group_size() const { return 1; }
    uint32_t group() const { return group_; }
    uint32_t num_groups() const { return num_groups_; }
    uint64_t group_add(uint64_t* p, uint64_t n) { return add(p, n); }
    uint32_t ballot(bool vote) const { return vote ? 1u : 0u; }
    void sync_group() const {}
    uint32_t* group_storage() const { return storage_; }
    StopLevel stop_level() {
        state_.heartbeat.fetch_add(1, std::memory_order_relaxed);
        return static_cast<StopLevel>(state_.stop_level.load(std::memory_order_relaxed));
    }
    void count_batch(StageId stage, bool active) {
        bump(static_cast<size_t>(Counter::GenerateBatches) + static_cast<size_t>(stage), 1);
        bump(static_cast<size_t>(Counter::GenerateItems) + static_cast<size_t>(stage), active ? 1 : 0);
    }

  private:
    /// One writer, and a monitor that reads: an ordinary addition that is atomic for the reader.
    void bump(size_t word, uint64_t n) {
        const std::atomic_ref<uint64_t> counter(counters_[word]);
        counter.store(counter.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
    }

    uint32_t group_, num_groups_;
    uint32_t* storage_;
    uint64_t* counters_;
    CpuLaunchState& state_;
};

}  // namespace warpath
