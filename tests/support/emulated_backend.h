#pragma once

#include <array>
#include <atomic>
#include <barrier>
#include <memory>
#include <thread>
#include <vector>

#include "core/context.h"
#include "render/stage_id.h"
#include "schedulers/parts/drain.h"
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
    template <class F>
    uint64_t from_first_lane(uint32_t lane, F&& f) {
        if (lane == 0) word_ = f();
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

/// See core/context.h for the meaning of the members.
class EmulatedContext {
  public:
    EmulatedContext(EmulatedGroup& shared, uint32_t lane, uint32_t group, uint32_t num_groups, uint32_t* storage,
                    std::array<std::atomic<uint64_t>, num_counter_words>& counters, std::atomic<uint32_t>& stop)
        : shared_(shared), lane_(lane), group_(group), num_groups_(num_groups), storage_(storage), counters_(counters), stop_(stop) {}

    void count(Counter counter, uint32_t n) { counters_[static_cast<size_t>(counter)].fetch_add(n, std::memory_order_relaxed); }
    void count_ray(RayKind kind, uint32_t bounce) { counters_[bounce_word(kind, bounce)].fetch_add(1, std::memory_order_relaxed); }
    template <class T>
    T add(T* p, T n) { return std::atomic_ref<T>(*p).fetch_add(n, std::memory_order_relaxed); }
    uint32_t lane() const { return lane_; }
    uint32_t group_size() const { return shared_.num_lanes(); }
    uint32_t group() const { return group_; }
    uint32_t num_groups() const { return num_groups_; }
    uint64_t group_add(uint64_t* p, uint64_t n) {
        return shared_.from_first_lane(lane_, [&] { return add(p, n); });
    }
    uint32_t ballot(bool vote) { return shared_.ballot(lane_, vote); }
    void sync_group() { shared_.sync(); }
    uint32_t* group_storage() const { return storage_; }
    StopLevel stop_level() {
        return static_cast<StopLevel>(shared_.from_first_lane(lane_, [&] { return uint64_t{stop_.load()}; }));
    }
    void count_batch(StageId stage, bool active) {
        if (lane_ == 0) count(static_cast<Counter>(static_cast<size_t>(Counter::GenerateBatches) + static_cast<size_t>(stage)), 1);
        if (active) count(static_cast<Counter>(static_cast<size_t>(Counter::GenerateItems) + static_cast<size_t>(stage)), 1);
    }

  private:
    EmulatedGroup& shared_;
    uint32_t lane_, group_, num_groups_;
    uint32_t* storage_;
    std::array<std::atomic<uint64_t>, num_counter_words>& counters_;
    std::atomic<uint32_t>& stop_;
};

/// Backend operations over emulated groups.
class EmulatedBackend {
  public:
    EmulatedBackend(uint32_t num_lanes, uint32_t num_groups) : num_lanes_(num_lanes), num_groups_(num_groups) {}

    DeviceLimits limits() const {
        DeviceLimits limits;
        limits.group_size = limits.batch = num_lanes_;
        limits.max_resident_groups = num_groups_;
        limits.slots_per_group = 4 * num_lanes_;
        limits.refill_below = (num_lanes_ + 1) / 2;
        limits.slots_per_pool = 64;
        return limits;
    }
    template <class Body>
    void for_each_item(const char*, uint64_t num_items, uint32_t batch, const Body& body) {
        if (num_items == 0) return;
        launch(num_groups_, 0, [&](EmulatedContext& ctx) { drain(ctx, GroupStride::for_group(ctx, batch), num_items, body); });
    }
    template <class Kernel>
    StopLevel run_resident(const char*, uint32_t num_groups, uint32_t storage_words, const Kernel& kernel, uint64_t*) {
        launch(num_groups, storage_words, kernel);
        return static_cast<StopLevel>(stop.load());
    }
    void write(uint64_t* word, uint64_t value) { *word = value; }
    uint64_t read(const uint64_t* word) { return *word; }
    StopLevel poll(uint64_t) { return static_cast<StopLevel>(stop.load()); }
    uint64_t num_launches() const { return num_launches_; }
    uint64_t counter(Counter id) const { return counters_[static_cast<size_t>(id)]; }

    std::atomic<uint32_t> stop{0};

  private:
    template <class Kernel>
    void launch(uint32_t num_groups, uint32_t storage_words, const Kernel& kernel) {
        std::vector<std::unique_ptr<EmulatedGroup>> groups;
        std::vector<std::vector<uint32_t>> storage(num_groups, std::vector<uint32_t>(storage_words));
        std::vector<std::jthread> lanes;
        for (uint32_t g = 0; g < num_groups; ++g) groups.push_back(std::make_unique<EmulatedGroup>(num_lanes_));
        for (uint32_t g = 0; g < num_groups; ++g)
            for (uint32_t lane = 0; lane < num_lanes_; ++lane)
                lanes.emplace_back([&, g, lane] {
                    EmulatedContext ctx(*groups[g], lane, g, num_groups, storage[g].data(), counters_, stop);
                    kernel(ctx);
                });
        ++num_launches_;
    }

    uint32_t num_lanes_, num_groups_;
    std::array<std::atomic<uint64_t>, num_counter_words> counters_{};
    uint64_t num_launches_ = 0;
};

}  // namespace warpath::testing
