#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <barrier>
#include <bit>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "backends/account_storage.h"
#include "core/context.h"
#include "render/stage_id.h"
#include "schedulers/schedule.h"
#include "support/fibers.h"

/// Groups of N lanes on the CPU, for tests. Just like a warp where it matters: all lanes of a group must reach each vote together, or the test
/// fails; sanitizers see every access. Lanes are fibers, which take turns in an order that follows from a seed, or threads.
namespace warpath::testing {

/// How lanes run. At every atomic operation a lane may be held up, now and then for long, so that others overtake it anywhere.
struct Emulation {
    bool threads = false;      ///< a thread per lane instead of fibers: slow, and different each time
    uint64_t seed = 1;         ///< who is held up, and when
};

class EmulatedBarrier {
  public:
    explicit EmulatedBarrier(uint32_t size) : threads_(size), fibers_(size) {}
    /// `fiber`: the caller's, or null on a thread.
    void wait(Fibers::Fiber* fiber) { fiber ? fiber->wait(fibers_) : threads_.arrive_and_wait(); }

  private:
    std::barrier<> threads_;
    Fibers::Barrier fibers_;
};

/// What the lanes of a group share. Two sets of words by turns: a lane that is ahead by a vote does not overwrite what others still read.
class EmulatedGroup {
  public:
    explicit EmulatedGroup(uint32_t num_lanes) : barrier_(num_lanes), votes_(2 * num_lanes), num_lanes_(num_lanes) {}

    uint32_t ballot(uint32_t lane, bool vote, uint32_t turn, Fibers::Fiber* fiber) {
        uint8_t* votes = votes_.data() + turn % 2 * num_lanes_;
        votes[lane] = vote;
        barrier_.wait(fiber);
        uint32_t mask = 0;
        for (uint32_t i = 0; i < num_lanes_; ++i) mask |= votes[i] ? 1u << i : 0u;
        return mask;
    }
    uint64_t broadcast(uint32_t lane, uint64_t value, uint32_t from, uint32_t turn, Fibers::Fiber* fiber) {
        if (lane == from) words_[turn % 2] = value;
        barrier_.wait(fiber);
        return words_[turn % 2];
    }
    void sync(Fibers::Fiber* fiber) { barrier_.wait(fiber); }
    uint32_t num_lanes() const { return num_lanes_; }

  private:
    EmulatedBarrier barrier_;
    std::vector<uint8_t> votes_;
    uint64_t words_[2] = {};
    uint32_t num_lanes_;
};

/// What the groups of one launch share.
struct EmulatedLaunch {
    std::atomic<uint32_t> stop{0};
    std::atomic<uint64_t> stall{0};
    uint64_t wait_limit_ns = 20'000'000'000;
    std::array<std::atomic<uint64_t>, num_counter_words> counters{};
    EmulatedBarrier* grid_barrier = nullptr;
    AccountView accounts;
};

/// Room for a block: groups that share storage. Blocks that find none wait until one has left.
struct EmulatedBlock {
    EmulatedBlock(uint32_t num_lanes, uint32_t num_groups, uint32_t storage_words) : barrier(num_lanes * num_groups), storage(storage_words) {
        for (uint32_t g = 0; g < num_groups; ++g) groups.push_back(std::make_unique<EmulatedGroup>(num_lanes));
    }
    EmulatedBarrier barrier;
    std::vector<std::unique_ptr<EmulatedGroup>> groups;
    std::vector<uint32_t> storage;
    uint32_t next = 0;         ///< the block that runs here after this one
};

/// A lane's own generator and the fiber that it is, if it is one.
struct EmulatedLane {
    uint32_t lane, group;
    uint64_t random;
    Fibers::Fiber* fiber;
    uint32_t num_votes = 0;
    GroupAccount account{};    ///< lane 0's: the group's
};

/// See core/context.h for the meaning of the members.
class EmulatedContext {
  public:
    EmulatedContext(EmulatedBlock& block, EmulatedLaunch& launch, EmulatedLane& own, uint32_t num_groups, uint32_t groups_per_block)
        : shared_(*block.groups[own.group % groups_per_block]), block_(block), launch_(launch), own_(own), lane_(own.lane), group_(own.group),
          num_groups_(num_groups), groups_per_block_(groups_per_block) {}
    /// Around the kernel.
    void open_account() { account::open(*this, own_.account, launch_.accounts); }
    void close_account() { account::close(*this, own_.account, launch_.accounts); }

    void count(Counter counter, uint32_t n) { launch_.counters[static_cast<size_t>(counter)].fetch_add(n, std::memory_order_relaxed); }
    void count_ray(RayKind kind, uint32_t bounce) { launch_.counters[bounce_word(kind, bounce)].fetch_add(1, std::memory_order_relaxed); }
    template <Scope scope = Scope::Device, class T>
    T add(T* p, T n) { return held_up(p).fetch_add(n, std::memory_order_relaxed); }
    uint32_t lane() const { return lane_; }
    uint32_t group_size() const { return shared_.num_lanes(); }
    uint32_t group() const { return group_; }
    uint32_t num_groups() const { return num_groups_; }
    uint32_t block() const { return group_ / groups_per_block_; }
    uint32_t group_in_block() const { return group_ % groups_per_block_; }
    uint32_t groups_per_block() const { return groups_per_block_; }
    uint32_t ballot(bool vote) { return shared_.ballot(lane_, vote, own_.num_votes++, own_.fiber); }
    template <class T>
    T broadcast(T value, uint32_t lane) {
        return static_cast<T>(shared_.broadcast(lane_, static_cast<uint64_t>(value), lane, own_.num_votes++, own_.fiber));
    }
    void sync_group() { shared_.sync(own_.fiber); }
    void sync_block() {
        const uint64_t since = account::begin_barrier(*this, launch_.accounts);
        block_.barrier.wait(own_.fiber);
        account::end_barrier(*this, own_.account, launch_.accounts, since);
    }
    void sync_grid() {
        begin_idle();
        launch_.grid_barrier->wait(own_.fiber);
        end_idle();
    }
    uint32_t* block_storage() const { return block_.storage.data(); }
    template <Scope scope, class T>
    void add_alike(T* p, T n) { add<scope>(p, n); }
    template <Scope, class T>
    T swap(T* p, T v) { return held_up(p).exchange(v, std::memory_order_relaxed); }
    template <Scope scope, class T>
    void raise(T* p, T v) {
        T old = peek<scope>(p);
        while (old < v && !exchange_if<scope>(p, old, v)) {}
    }
    template <Scope, class T>
    T add_ordered(T* p, T n) { return held_up(p).fetch_add(n, std::memory_order_acq_rel); }
    template <Scope, class T>
    T load(const T* p) const { return held_up(p).load(std::memory_order_acquire); }
    template <Scope, class T>
    void store(T* p, T v) { held_up(p).store(v, std::memory_order_release); }
    template <Scope, class T>
    bool exchange_if(T* p, T& expected, T desired) {
        return held_up(p).compare_exchange_strong(expected, desired, std::memory_order_relaxed);
    }
    template <Scope, class T>
    T peek(const T* p) const { return held_up(p).load(std::memory_order_relaxed); }
    template <Scope, class T>
    void put(T* p, T v) { std::atomic_ref<T>(*p).store(v, std::memory_order_relaxed); }
    template <Scope scope, class T>
    void acquire(const T* p) const { load<scope>(p); }
    template <Scope>
    void release() const {}
    template <Scope scope, class T>
    void put_released(T* p, T v) { store<scope>(p, v); }
    StopLevel stop_level() {
        const uint32_t level = stalled() ? static_cast<uint32_t>(StopLevel::Abort) : launch_.stop.load(std::memory_order_relaxed);
        return static_cast<StopLevel>(broadcast(level, 0));
    }
    void report_stall(uint64_t where) { launch_.stall.store(where, std::memory_order_relaxed); }
    bool stalled() const { return launch_.stall.load(std::memory_order_relaxed) != 0; }
    uint64_t clock_ns() const {
        if (own_.fiber) return (1 + own_.fiber->now()) * ns_per_turn;
        return static_cast<uint64_t>(std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count());
    }
    uint64_t wait_limit_ns() const { return launch_.wait_limit_ns; }
    void pause(uint32_t ns) const { own_.fiber ? own_.fiber->sleep(1 + ns / ns_per_turn) : std::this_thread::yield(); }
    void flush() const {}
    uint32_t ticks() const { return static_cast<uint32_t>(clock_ns()); }
    uint32_t place() const { return group_; }
    void open_task(uint64_t origin_ns) { account::open_task(*this, own_.account, launch_.accounts, origin_ns); }
    void close_task() { account::close_task(*this, own_.account, launch_.accounts); }
    void begin_idle() { account::begin_idle(*this, own_.account, launch_.accounts); }
    void end_idle() { account::end_idle(*this, own_.account, launch_.accounts); }
    bool has_timeline() const { return launch_.accounts.events != nullptr; }
    void record_depth(QueueId queue, uint32_t depth) { account::record_depth(*this, launch_.accounts, queue, depth); }
    void count_batch(StageId stage, bool active) {
        const uint32_t votes = ballot(active);
        const bool any = votes != 0;
        if (any && lane_ == 0 && has_timeline())
            account::record_batch(*this, own_.account, launch_.accounts, stage, static_cast<uint32_t>(std::popcount(votes)));
        if (any && lane_ == 0) count(static_cast<Counter>(static_cast<size_t>(Counter::GenerateBatches) + static_cast<size_t>(stage)), 1);
        if (active) count(static_cast<Counter>(static_cast<size_t>(Counter::GenerateItems) + static_cast<size_t>(stage)), 1);
    }

    static constexpr uint64_t ns_per_turn = 20;

  private:
    /// Every eighth atomic operation lets others go first; few are held up for long.
    template <class T>
    std::atomic_ref<T> held_up(const T* p) const {
        own_.random = own_.random * 6364136223846793005u + 1442695040888963407u;
        const uint32_t r = static_cast<uint32_t>(own_.random >> 33);
        const bool for_long = r % 1024 == 0;
        if (r % 8 == 0 && own_.fiber)
            own_.fiber->sleep(for_long ? r / 1024 % 4096 : r / 8 % 16);
        else if (r % 64 == 0)
            for_long ? std::this_thread::sleep_for(std::chrono::microseconds(r / 1024 % 256)) : std::this_thread::yield();
        return std::atomic_ref<T>(*const_cast<T*>(p));
    }

    EmulatedGroup& shared_;
    EmulatedBlock& block_;
    EmulatedLaunch& launch_;
    EmulatedLane& own_;
    uint32_t lane_, group_, num_groups_, groups_per_block_;
};

/// Backend operations over emulated groups.
class EmulatedBackend {
  public:
    static constexpr bool runs_everything = false;

    EmulatedBackend(uint32_t num_lanes, uint32_t num_groups, uint32_t groups_per_block = 1, Emulation emulation = {})
        : num_lanes_(num_lanes), num_groups_(num_groups), groups_per_block_(groups_per_block), emulation_(emulation) {
        keep_accounts(0);
    }
    /// events_per_place: 0 for no timeline. Place g is group g's; launches with more groups share places, which tests of accounts avoid.
    void keep_accounts(uint32_t events_per_place) {
        accounts.resize(max_places, 1, events_per_place);
        state.accounts = accounts.view();
    }

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
    /// Runs a kernel to its end, `num_groups` of the constructor at a time: a block starts when another has left.
    template <class Kernel>
    void launch(const char*, const Kernel& kernel, uint32_t num_groups = 0, uint32_t storage_words = 0) {
        if (num_groups == 0) num_groups = num_groups_;
        const uint32_t per_block = num_groups % groups_per_block_ == 0 ? groups_per_block_ : 1, num_blocks = num_groups / per_block;
        const uint32_t num_resident = std::min(num_blocks, std::max(1u, num_groups_ / per_block)), lanes_per_block = per_block * num_lanes_;
        std::vector<std::unique_ptr<EmulatedBlock>> blocks;
        for (uint32_t b = 0; b < num_resident; ++b) blocks.push_back(std::make_unique<EmulatedBlock>(num_lanes_, per_block, storage_words));
        std::atomic<uint32_t> next_block{num_resident};
        const auto run_lane = [&](uint32_t index, Fibers::Fiber* fiber) {
            const uint32_t rank = index % lanes_per_block;
            EmulatedBlock& block = *blocks[index / lanes_per_block];
            EmulatedLane own{rank % num_lanes_, 0, (emulation_.seed + num_launches_) * 0x9e3779b97f4a7c15u + index * 0xbf58476d1ce4e5b9u, fiber};
            for (uint32_t b = index / lanes_per_block; b < num_blocks; b = block.next) {
                own.group = b * per_block + rank / num_lanes_;
                EmulatedContext ctx(block, state, own, num_groups, per_block);
                ctx.open_account();
                kernel(ctx);
                ctx.close_account();
                block.barrier.wait(fiber);
                if (rank == 0) block.next = next_block.fetch_add(1, std::memory_order_relaxed);
                block.barrier.wait(fiber);
            }
        };
        run_lanes(num_resident * lanes_per_block, run_lane);
        ++num_launches_;
    }
    template <class Kernel>
    void launch_cooperative(const char* name, const Kernel& kernel, uint32_t num_groups) {
        if (num_groups > num_groups_) throw std::logic_error("a cooperative grid must be resident as a whole");
        EmulatedBarrier barrier(num_groups * num_lanes_);
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

    static constexpr uint32_t max_places = 4096;
    EmulatedLaunch state;
    GroupAccounts accounts;

  private:
    template <class RunLane>
    void run_lanes(uint32_t num_lanes, const RunLane& run_lane) {
        if (emulation_.threads) {
            std::vector<std::jthread> threads;
            for (uint32_t i = 0; i < num_lanes; ++i) threads.emplace_back([&, i] { run_lane(i, nullptr); });
        } else {
            for (uint32_t i = 0; i < num_lanes; ++i) fibers_.add([&, i](Fibers::Fiber& fiber) { run_lane(i, &fiber); });
            if (!fibers_.run()) throw std::logic_error("lanes wait for a vote or a barrier that others never reach");
        }
    }

    uint32_t num_lanes_, num_groups_, groups_per_block_;
    Emulation emulation_;
    Fibers fibers_;
    std::array<uint64_t, num_mailbox_words> mailbox_{};
    uint64_t num_launches_ = 0;
};

}  // namespace warpath::testing
