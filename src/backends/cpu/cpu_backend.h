#pragma once

#include <array>
#include <memory>
#include <vector>

#include "backends/cpu/cpu_context.h"
#include "backends/cpu/thread_pool.h"
#include "backends/run_monitor.h"
#include "schedulers/parts/drain.h"

namespace warpath {

/// Backend operations on threads: a group is a thread. See schedulers/ for who calls them.
class CpuBackend {
  public:
    using CounterWords = std::array<uint64_t, num_counter_words>;
    static constexpr uint32_t num_counter_copies = 1;

    explicit CpuBackend(uint32_t num_threads) : pool_(num_threads) {}

    /// Host memory. `upload` refers to the caller's data instead of copying it: the CPU shares the host's memory.
    template <class T>
    class Array {
      public:
        void allocate(CpuBackend& backend, const char*, size_t size) {
            storage_.assign(size, T{});
            data_ = storage_.data();
            backend.allocated_bytes_ += size * sizeof(T);
        }
        void upload(CpuBackend& backend, const char*, const std::vector<T>& host) {
            data_ = const_cast<T*>(host.data());  // only ever read: views of uploaded columns are const
            backend.allocated_bytes_ += host.size() * sizeof(T);
        }
        void download(CpuBackend&, std::vector<T>& host) { host = std::move(storage_); }
        T* data() { return storage_.empty() && !data_ ? nullptr : data_; }

      private:
        std::vector<T> storage_;
        T* data_ = nullptr;
    };

    DeviceLimits limits(const RenderJob&) const {
        DeviceLimits limits;
        limits.group_size = 1;
        limits.max_resident_groups = pool_.size();
        limits.batch = 16;
        limits.slots_per_group = 16;
        limits.slots_per_pool = 1u << 15;
        return limits;
    }
    void begin(const RenderJob& job) {
        monitor_ = std::make_unique<RunMonitor>(job, [this](auto& counters) { read_counters(counters); });
        counters_.fill(0);
        allocated_bytes_ = sizeof(counters_);
        num_launches_ = 0;
        state_.stop_level = 0;
    }
    void synchronize() {}

    template <class Body>
    void for_each_item(const char*, uint64_t num_items, uint32_t batch, const Body& body) {
        if (num_items == 0) return;
        uint64_t head = 0;
        launch(0, pool_.size(), [&](CpuContext& ctx) { drain(ctx, SharedCounter{&head, batch}, num_items, body); }, nullptr);
    }
    template <class Kernel>
    StopLevel run_resident(const char*, uint32_t num_groups, uint32_t storage_words, const Kernel& kernel, uint64_t* progress) {
        launch(storage_words, num_groups, kernel, progress);
        return monitor_->level();
    }
    void write(uint64_t* word, uint64_t value) { *word = value; }
    uint64_t read(const uint64_t* word) { return *word; }
    StopLevel poll(uint64_t started_paths) { return monitor_->update(started_paths, ++host_heartbeat_); }

    uint64_t num_launches() const { return num_launches_; }
    uint64_t allocated_bytes() const { return allocated_bytes_; }
    uint64_t context_bytes() const { return 0; }
    /// Finished launches, and the running one so far.
    void read_counters(CounterWords& counters) {
        counters = counters_;
        for (CounterWords& own : running_counters_)
            for (uint32_t i = 0; i < num_counter_words; ++i)
                counters[i] += std::atomic_ref<uint64_t>(own[i]).load(std::memory_order_relaxed);
    }
    template <class Kernel>
    uint32_t resident_groups(uint32_t) const { return pool_.size(); }

  private:
    template <class Kernel>
    void launch(uint32_t storage_words, uint32_t num_groups, const Kernel& kernel, uint64_t* progress) {
        running_counters_.assign(num_groups, CounterWords{});
        pool_.start(num_groups, [&](uint32_t group) {
            std::vector<uint32_t> storage(storage_words);
            CpuContext ctx(group, num_groups, storage.data(), running_counters_[group].data(), state_);
            kernel(ctx);
        });
        while (!pool_.wait(std::chrono::milliseconds(20))) {
            const uint64_t started = progress ? std::atomic_ref<uint64_t>(*progress).load(std::memory_order_relaxed) : started_;
            started_ = started;
            state_.stop_level = static_cast<uint32_t>(monitor_->update(started, state_.heartbeat + host_heartbeat_));
        }
        CounterWords total;
        read_counters(total);
        counters_ = total;
        running_counters_.clear();
        ++num_launches_;
    }

    ThreadPool pool_;
    std::unique_ptr<RunMonitor> monitor_;
    CpuLaunchState state_;
    CounterWords counters_{};
    std::vector<CounterWords> running_counters_;  ///< one per group of the running launch
    uint64_t allocated_bytes_ = 0, num_launches_ = 0, host_heartbeat_ = 0, started_ = 0;
};

}  // namespace warpath
