#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <barrier>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "core/context.h"
#include "render/stage_id.h"
#include "schedulers/schedule.h"

/// Groups of N lanes on the CPU, for tests: every lane is a thread, and votes are barriers. Slow, and just like a warp where it matters: all
/// lanes of a group must reach each vote together, or the test hangs; sanitizers see every access.
namespace warpath::testing {

class EmulatedGroup {
  public:
    explicit EmulatedGroup(uint32_t num_lanes) : barrier_(num_lanes), votes_(num_lanes) {}
    uint32_t ballot(uint32_t lane, bool vote) {
        votes_[lane] = vote;
        barrier_.arrive_and_wait();
        uint32_t mask = 0;
        for (uint32_t i = 0; i < votes_.size(); ++i) mask |= votes_[i] ? 1u << i : 0u;
        barrier_.arrive_and_wait();
        return mask;
    }
    uint64_t broadcast(uint32_t lane, uint64_t value, uint32_t from) {
        if (lane == from) word_ = value;
        barrier_.arrive_and_wait();
        const uint64_t result = word_;
        barrier_.arrive_and_wait();
        return result;
    }
    void sync() { barrier_.arrive_and_wait(); }
    uint32_t num_lanes() const { return static_cast<uint32_t>(votes_.size()); }

  private:
    std::barrier<> barrier_;
    std::vector<uint8_t> votes_;
    uint64_t word_ = 0;
};

/// What the groups of one launch share.
struct EmulatedLaunch {
    std::atomic<uint32_t> stop{0};
    std::atomic<uint64_t> stall{0};
    uint64_t wait_limit_ns = 20'000'000'000;
    std::array<std::atomic<uint64_t>, num_counter_words> counters{};
    std::barrier<>* grid_barrier = nullptr;
};

/// A block: groups that share storage.
struct EmulatedBlock {
    EmulatedBlock(uint32_t num_lanes, uint32_t num_groups, uint32_t storage_words) : barrier(num_lanes * num_groups), storage(storage_words) {}
    std::barrier<> barrier;
    std::vector<uint32_t> storage;
};

/// See core/context.h for the meaning of the members.
class EmulatedContext {
  public:
    EmulatedContext(EmulatedGroup& shared, EmulatedBlock& block, EmulatedLaunch& launch, uint32_t lane, uint32_t group, uint32_t num_groups,
                    uint32_t groups_per_block)
        : shared_(shared), block_(block), launch_(launch), lane_(lane), group_(group), num_groups_(num_groups), groups_per_block_(groups_per_block) {}

    void count(Counter counter, uint32_t n) { launch_.counters[static_cast<size_t>(counter)].fetch_add(n, std::memory_order_relaxed); }
    void count_ray(RayKind kind, uint32_t bounce) { launch_.counters[bounce_word(kind, bounce)].fetch_add(1, std::memory_order_relaxed); }
    template <Scope scope = Scope::Device, class T>
    T add(T* p, T n) { return std::atomic_ref<T>(*p).fetch_add(n, std::memory_order_relaxed); }
    uint32_t lane() const { return lane_; }
    uint32_t group_size() const { return shared_.num_lanes(); }
    uint32_t group() const { return group_; }
    uint32_t num_groups() const { return num_groups_; }
    uint32_t block() const { return group_ / groups_per_block_; }
    uint32_t group_in_block() const { return group_ % groups_per_block_; }
    uint32_t groups_per_block() const { return groups_per_block_; }
    uint32_t ballot(bool vote) { return shared_.ballot(lane_, vote); }
    template <class T>
    T broadcast(T value, uint32_t lane) { return static_cast<T>(shared_.broadcast(lane_, static_cast<uint64_t>(value), lane)); }
    void sync_group() { shared_.sync(); }
    void sync_block() { block_.barrier.arrive_and_wait(); }
    void sync_grid() { launch_.grid_barrier->arrive_and_wait(); }
    uint32_t* block_storage() const { return block_.storage.data(); }
    template <Scope, class T>
    T add_ordered(T* p, T n) { return std::atomic_ref<T>(*p).fetch_add(n, std::memory_order_acq_rel); }
    template <Scope, class T>
    T load(const T* p) const { return std::atomic_ref<T>(*const_cast<T*>(p)).load(std::memory_order_acquire); }
    template <Scope, class T>
    void store(T* p, T v) { std::atomic_ref<T>(*p).store(v, std::memory_order_release); }
    template <Scope, class T>
    bool exchange_if(T* p, T& expected, T desired) {
        return std::atomic_ref<T>(*p).compare_exchange_strong(expected, desired, std::memory_order_relaxed);
    }
    template <Scope, class T>
    T peek(const T* p) const { return std::atomic_ref<T>(*const_cast<T*>(p)).load(std::memory_order_relaxed); }
    StopLevel stop_level() {
        const uint32_t level = launch_.stall.load() ? static_cast<uint32_t>(StopLevel::Abort) : launch_.stop.load();
        return static_cast<StopLevel>(broadcast(level, 0));
    }
    void report_stall(uint64_t where) { launch_.stall = where; }
    uint64_t clock_ns() const {
        return static_cast<uint64_t>(std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count());
    }
    uint64_t wait_limit_ns() const { return launch_.wait_limit_ns; }
    void pause(uint32_t) const { std::this_thread::yield(); }
    void count_batch(StageId stage, bool active) {
        const bool any = ballot(active) != 0;
        if (any && lane_ == 0) count(static_cast<Counter>(static_cast<size_t>(Counter::GenerateBatches) + static_cast<size_t>(stage)), 1);
        if (active) count(static_cast<Counter>(static_cast<size_t>(Counter::GenerateItems) + static_cast<size_t>(stage)), 1);
    }

  private:
    EmulatedGroup& shared_;
    EmulatedBlock& block_;
    EmulatedLaunch& launch_;
    uint32_t lane_, group_, num_groups_, groups_per_block_;
};

/// Backend operations over emulated groups.
class EmulatedBackend {
  public:
    static constexpr bool runs_everything = false;

    EmulatedBackend(uint32_t num_lanes, uint32_t num_groups, uint32_t groups_per_block = 1)
        : num_lanes_(num_lanes), num_groups_(num_groups), groups_per_block_(groups_per_block) {}

    DeviceLimits limits() const {
        DeviceLimits limits;
        limits.group_size = limits.batch = num_lanes_;
        limits.groups_per_block = groups_per_block_;
        limits.max_resident_groups = num_groups_;
        limits.slots_per_group = num_lanes_ + 4;
        limits.refill_below = (num_lanes_ + 1) / 2;
        limits.slots_per_pool = 64;
        return limits;
    }
    template <class Kernel>
    void launch(const char*, const Kernel& kernel, uint32_t num_groups = 0, uint32_t storage_words = 0) {
        if (num_groups == 0) num_groups = num_groups_;
        const uint32_t per_block = num_groups % groups_per_block_ == 0 ? groups_per_block_ : 1;
        std::vector<std::unique_ptr<EmulatedGroup>> groups;
        std::vector<std::unique_ptr<EmulatedBlock>> blocks;
        for (uint32_t g = 0; g < num_groups; ++g) groups.push_back(std::make_unique<EmulatedGroup>(num_lanes_));
        for (uint32_t b = 0; b * per_block < num_groups; ++b) blocks.push_back(std::make_unique<EmulatedBlock>(num_lanes_, per_block, storage_words));
        std::vector<std::jthread> lanes;
        for (uint32_t g = 0; g < num_groups; ++g)
            for (uint32_t lane = 0; lane < num_lanes_; ++lane)
                lanes.emplace_back([&, g, lane] {
                    EmulatedContext ctx(*groups[g], *blocks[g / per_block], state, lane, g, num_groups, per_block);
                    kernel(ctx);
                });
        ++num_launches_;
    }
    template <class Kernel>
    void launch_cooperative(const char* name, const Kernel& kernel, uint32_t num_groups) {
        std::barrier<> barrier(num_groups * num_lanes_);
        state.grid_barrier = &barrier;
        launch(name, kernel, num_groups);
    }
    StopLevel wait(const uint64_t*) { return poll(0); }
    StopLevel poll(uint64_t) { return state.stall ? StopLevel::Abort : static_cast<StopLevel>(state.stop.load()); }
    void read(const uint64_t* from, uint64_t* to, size_t n) { std::copy_n(from, n, to); }
    uint64_t mail(uint32_t word) const { return mailbox_[word]; }
    uint64_t* mailbox() { return mailbox_.data(); }
    uint64_t num_launches() const { return num_launches_; }
    uint64_t counter(Counter id) const { return state.counters[static_cast<size_t>(id)]; }

    EmulatedLaunch state;

  private:
    uint32_t num_lanes_, num_groups_, groups_per_block_;
    std::array<uint64_t, num_mailbox_words> mailbox_{};
    uint64_t num_launches_ = 0;
};

}  // namespace warpath::testing
