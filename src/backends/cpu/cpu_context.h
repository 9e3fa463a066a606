#pragma once

#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <thread>

#include "backends/group_account.h"
#include "core/context.h"
#include "render/stage_id.h"
#include "schedulers/schedule.h"

namespace warpath {

/// What the groups of one CPU launch share.
struct CpuLaunchState {
    std::atomic<uint32_t> stop_level{0};
    std::atomic<uint64_t> heartbeat{0};
    std::atomic<uint64_t> stall{0};          ///< where a wait passed its limit; 0: none did
    uint64_t wait_limit_ns = 10'000'000'000;
    std::barrier<>* grid_barrier = nullptr;  ///< of cooperative kernels
    bool is_crowded = false;                 ///< more threads than the machine runs at once
};

/// A group on the CPU: one thread, one lane, a block of its own. See core/context.h for the meaning of the members.
/// Include from .cpp files only: in a .cu, nvcc would warn about every call of it.
class CpuContext {
  public:
    /// place: the thread that runs the group. account: the group's own, which copies of the context share.
    CpuContext(uint32_t group, uint32_t num_groups, uint32_t place, uint32_t* storage, uint64_t* counters, CpuLaunchState& state,
               const AccountView& accounts, GroupAccount& account)
        : group_(group), num_groups_(num_groups), place_(place), storage_(storage), counters_(counters), state_(state), accounts_(accounts),
          account_(account) {}
    /// Around the kernel.
    /// The frame begins with its first group, whoever ends first: threads start far apart, and few of them ask.
    void open_account() {
        account::open(*this, account_, accounts_);
        if (!account::writes(*this, accounts_) || accounts_.by_task) return;
        account_.begin_ns = account_.mark_ns = std::max(account_.begin_ns, account::origin(*this, account_, accounts_));
    }
    /// It ends with its last one, whoever writes last.
    void close_account() {
        if (!account::writes(*this, accounts_) || accounts_.by_task) return;
        account::end(*this, account_, accounts_);
        account::write(*this, account_, accounts_);
        raise<Scope::Device>(accounts_.frame + last_end_ns, account_.end_ns);
    }

    void count(Counter counter, uint32_t n) { bump(static_cast<size_t>(counter), n); }
    void count_ray(RayKind kind, uint32_t bounce) { bump(bounce_word(kind, bounce), 1); }
    template <Scope scope = Scope::Device, class T>
    T add(T* p, T n) { return std::atomic_ref<T>(*p).fetch_add(n, std::memory_order_relaxed); }

    uint32_t lane() const { return 0; }
    uint32_t group_size() const { return 1; }
    uint32_t group() const { return group_; }
    uint32_t num_groups() const { return num_groups_; }
    uint32_t block() const { return group_; }
    uint32_t group_in_block() const { return 0; }
    uint32_t groups_per_block() const { return 1; }
    uint32_t ballot(bool vote) const { return vote ? 1u : 0u; }
    template <class T>
    T broadcast(T value, uint32_t) const { return value; }
    void sync_group() const {}
    void sync_block() const {}
    void sync_grid() {
        begin_idle();
        state_.grid_barrier->arrive_and_wait();
        end_idle();
    }
    uint32_t* block_storage() const { return storage_; }

    template <Scope scope, class T>
    void add_alike(T* p, T n) { add<scope>(p, n); }
    template <Scope, class T>
    T swap(T* p, T v) { return std::atomic_ref<T>(*p).exchange(v, std::memory_order_relaxed); }
    template <Scope scope, class T>
    void raise(T* p, T v) {
        T old = peek<scope>(p);
        while (old < v && !exchange_if<scope>(p, old, v)) {}
    }
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
    template <Scope, class T>
    void put(T* p, T v) { std::atomic_ref<T>(*p).store(v, std::memory_order_relaxed); }
    template <Scope scope, class T>
    void acquire(const T* p) const { load<scope>(p); }
    template <Scope>
    void release() const {}
    template <Scope scope, class T>
    void put_released(T* p, T v) { store<scope>(p, v); }
    StopLevel stop_level() {
        state_.heartbeat.fetch_add(1, std::memory_order_relaxed);
        if (state_.stall.load(std::memory_order_relaxed)) return StopLevel::Abort;
        return static_cast<StopLevel>(state_.stop_level.load(std::memory_order_relaxed));
    }
    void report_stall(uint64_t where) { state_.stall.store(where, std::memory_order_relaxed); }
    bool stalled() const { return state_.stall.load(std::memory_order_relaxed) != 0; }
    uint64_t clock_ns() const {
        return static_cast<uint64_t>(std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count());
    }
    uint64_t wait_limit_ns() const { return state_.wait_limit_ns; }
    /// Mostly spun where each thread has a processor: a yield costs a whole time slice if other programs want it, and what is waited for is near.
    void pause(uint32_t ns) {
        if (state_.is_crowded || ++num_pauses_ % pauses_per_yield == 0) return std::this_thread::yield();
        const uint64_t start = clock_ns();
        while (clock_ns() - start < ns) {}
    }
    void flush() const {}
    uint32_t ticks() const { return static_cast<uint32_t>(clock_ns()); }
    uint32_t place() const { return place_; }
    void open_task(uint64_t origin_ns) { account::open_task(*this, account_, accounts_, origin_ns); }
    void close_task() { account::close_task(*this, account_, accounts_); }
    void begin_idle() { account::begin_idle(*this, account_, accounts_); }
    void end_idle() { account::end_idle(*this, account_, accounts_); }
    bool has_timeline() const { return accounts_.events != nullptr; }
    void record_depth(QueueId queue, uint32_t depth) { account::record_depth(*this, accounts_, queue, depth); }
    void count_batch(StageId stage, bool active) {
        if (!active) return;
        if (has_timeline()) account::record_batch(*this, account_, accounts_, stage, 1);
        bump(static_cast<size_t>(Counter::GenerateBatches) + static_cast<size_t>(stage), 1);
        bump(static_cast<size_t>(Counter::GenerateItems) + static_cast<size_t>(stage), 1);
    }

  private:
    static constexpr uint32_t pauses_per_yield = 64;

    /// One writer, and a monitor that reads: an ordinary addition that is atomic for the reader.
    void bump(size_t word, uint64_t n) {
        const std::atomic_ref<uint64_t> counter(counters_[word]);
        counter.store(counter.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
    }

    uint32_t group_, num_groups_, place_;
    uint32_t num_pauses_ = 0;
    uint32_t* storage_;
    uint64_t* counters_;
    CpuLaunchState& state_;
    const AccountView& accounts_;
    GroupAccount& account_;
};

}  // namespace warpath
