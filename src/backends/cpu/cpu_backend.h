#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "backends/account_storage.h"
#include "backends/cpu/cpu_context.h"
#include "backends/cpu/thread_pool.h"
#include "backends/host_log.h"
#include "backends/run_monitor.h"
#include "backends/service_session.h"
#include "schedulers/resident.h"

namespace warpath {

/// Backend operations on threads: a group is a thread. See schedulers/ for who calls them.
class CpuBackend {
  public:
    static constexpr uint32_t group_size = 1;
    static constexpr bool runs_everything = false;  ///< some schedulers need what only CUDA has
    static constexpr bool shares_host_memory = true;

    explicit CpuBackend(uint32_t num_threads) : pool_(num_threads) { state_.is_crowded = pool_.size() > std::thread::hardware_concurrency(); }

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
        /// As upload, again and again; what was referred to before need not be there any more.
        void assign(CpuBackend&, const char*, const std::vector<T>& host) { data_ = const_cast<T*>(host.data()); }
        /// Its only entry.
        void set(CpuBackend&, T value) { storage_[0] = value; }
        void clear(CpuBackend&) { std::fill(storage_.begin(), storage_.end(), T{}); }
        void download(CpuBackend&, std::vector<T>& host) { host = storage_; }
        void download(CpuBackend&, T* host) { std::copy(storage_.begin(), storage_.end(), host); }
        /// As download, for the last time.
        void take(CpuBackend&, std::vector<T>& host) { host = std::move(storage_); }
        T* data() { return storage_.empty() && !data_ ? nullptr : data_; }

      private:
        std::vector<T> storage_;
        T* data_ = nullptr;
    };

    /// What the backend keeps of a frame between runs: its service, if the scheduler has one.
    class FrameState {
      public:
        void forget() {}

      private:
        friend class CpuBackend;
        std::unique_ptr<ServiceMail> mail_;
        std::unique_ptr<ServiceState> state_;
        std::unique_ptr<ServiceSession> session_;
    };

    DeviceLimits limits(uint64_t /*fixed_bytes*/) const {
        DeviceLimits limits;
        limits.group_size = 1;
        limits.max_resident_groups = pool_.size();
        limits.batch = 16;
        limits.slots_per_group = 16;
        limits.slots_per_pool = 1u << 15;
        return limits;
    }
    struct Turn {
        ~Turn() {}  // so that one that is only held is no unused variable
    };
    Turn take_turn() { return {}; }
    /// Before a run of a frame.
    void begin(const RenderJob& job, FrameState& frame) {
        if (frame_ != &frame) park_service();
        frame_ = &frame;
        monitor_ = std::make_unique<RunMonitor>(job, [this](auto& counters) { read_counters(counters); });
        counters_.fill(0);
        for (CounterWords& own : running_counters_) own.fill(0);  // of a kernel that stays, and waits for a task now
        num_launches_ = 0;
        state_.stop_level = 0;
        state_.stall = 0;
        state_.wait_limit_ns = static_cast<uint64_t>(std::min(job.watchdog_s, 1e9) * 1e9);
        mailbox_.fill(0);
        accounts_.resize(num_places(), 1, events_per_place(job));
        host_log_.begin(job.timeline ? max_host_events : 0);
    }
    void synchronize() {}
    HostSpan host_range(HostCall call, const char* name) { return {host_log_, call, name}; }
    const HostLog& host_log() const { return host_log_; }
    /// Memory of counters and accounts; what it will be for a job.
    uint64_t own_bytes() const { return sizeof(counters_) + GroupAccounts::size_bytes(num_places(), 1, accounts_.events_per_place); }
    uint64_t counter_bytes(const RenderJob& job) const {
        return sizeof(counters_) + GroupAccounts::size_bytes(num_places(), 1, events_per_place(job));
    }
    /// Of the run that has ended; once. A kernel that stays goes on writing to these.
    void read_accounts(GroupAccounts& accounts) {
        if (serving_)
            accounts = accounts_;
        else
            accounts = std::move(accounts_);
    }

    /// Runs a kernel to its end: 0 groups means as many as there are threads, and more are run by fewer threads. Kernels whose groups wait for
    /// each other are launched with no more groups than resident_groups().
    template <class Kernel>
    void launch(const char* name, const Kernel& kernel, uint32_t num_groups = 0, uint32_t storage_words = 0) {
        run_groups(name, kernel, num_groups == 0 ? pool_.size() : num_groups, storage_words);
    }
    template <class Kernel>
    void launch_cooperative(const char* name, const Kernel& kernel, uint32_t num_groups) {
        std::barrier<> barrier(num_groups);
        state_.grid_barrier = &barrier;
        run_groups(name, kernel, num_groups, 0);
    }
    /// Starts a kernel that stays, if the frame's does not run yet. make(ServiceView, wait_limit_ns) gives the kernel.
    template <class Make>
    void start_service(const char*, uint32_t num_groups, uint32_t storage_words, const Make& make) {
        if (!frame_->session_) {
            frame_->mail_ = std::make_unique<ServiceMail>();
            frame_->state_ = std::make_unique<ServiceState>();
            frame_->session_ = std::make_unique<ServiceSession>(frame_->mail_.get());
        }
        if (frame_->session_->is_open()) return;
        frame_->session_->client().reopen();
        frame_->session_->open();
        start_groups(make(ServiceView{frame_->mail_.get(), frame_->state_.get()}, state_.wait_limit_ns), num_groups, storage_words, accounts_.view().of_tasks());
        serving_ = frame_;
    }
    ServiceClient& service() { return frame_->session_->client(); }
    bool serves(const FrameState& frame) const { return serving_ == &frame; }
    /// Forgets a service that was given up, with whatever its words say, so that the frame's next one starts afresh.
    void drop_service(FrameState& frame) {
        if (serves(frame)) park_service();
        frame.session_.reset(), frame.state_.reset(), frame.mail_.reset();
    }
    /// Waits for a task, passing the host's wishes on.
    StopLevel wait_for_service(uint64_t sequence) {
        const HostSpan span(host_log_, HostCall::Wait, "wait for a task");
        while (service().completed() < sequence) {
            if (service().ended() || state_.stall) return StopLevel::Abort;
            watch_groups();
            std::this_thread::yield();
        }
        return state_.stall ? StopLevel::Abort : monitor_->level();
    }
    /// Lets the kernel that stays leave; its state is kept, and the next start_service() of its frame goes on with it.
    void park_service() {
        if (!serving_) return;
        ServiceSession& session = *serving_->session_;
        if (!session.client().ended()) session.client().post(ServiceTask::Terminate);
        while (!pool_.wait(std::chrono::milliseconds(1))) {}
        end_groups();
        session.close();
        serving_ = nullptr;
    }
    double mean_handover_ns() const {
        const ServiceState& state = *frame_->state_;
        return static_cast<double>(state.handover_ns) / static_cast<double>(std::max<uint64_t>(1, state.num_handovers));
    }
    void end_frame(FrameState& frame) {
        if (serving_ == &frame) park_service();
        if (frame_ == &frame) frame_ = nullptr;
    }
    ~CpuBackend() { park_service(); }

    /// Launches have ended when they return; this only tells how.
    StopLevel wait(const uint64_t*) { return state_.stall ? StopLevel::Abort : monitor_->level(); }
    uint64_t mail(uint32_t word) const { return mailbox_[word]; }
    uint64_t* mailbox() { return mailbox_.data(); }
    void read(const uint64_t* from, uint64_t* to, size_t n) { std::copy_n(from, n, to); }
    StopLevel poll(uint64_t started_paths) {
        const StopLevel level = monitor_->update(started_paths, ++host_heartbeat_);
        state_.stop_level = static_cast<uint32_t>(level);
        return state_.stall ? StopLevel::Abort : level;
    }

    uint64_t num_launches() const { return num_launches_; }
    /// Of all allocations so far; nothing is taken off for what was freed.
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
    uint32_t resident_groups(uint32_t, uint32_t) const { return pool_.size(); }
    template <class Kernel>
    uint32_t groups_per_block(uint32_t) const { return 1; }
    uint64_t stall() const { return state_.stall; }

  private:
    uint32_t num_places() const { return std::max(pool_.size(), 1u); }
    uint32_t events_per_place(const RenderJob& job) const {
        return job.timeline ? choose_events_per_place(job.events_per_place, num_places()) : 0;
    }
    /// Every thread is a group; more groups than threads are taken one after the other by the threads, as a GPU's block scheduler does.
    template <class Kernel>
    void run_groups(const char* name, const Kernel& kernel, uint32_t num_groups, uint32_t storage_words) {
        park_service();
        if (monitor_->is_asked()) watch_groups();  // launches may all be shorter than the time between two looks
        const uint64_t begin_ns = host_clock_ns();
        start_groups(kernel, num_groups, storage_words, accounts_.view());
        host_log_.add(HostCall::Launch, name, begin_ns, host_clock_ns(), 0);
        const HostSpan span(host_log_, HostCall::Wait, "wait");
        while (!pool_.wait(std::chrono::milliseconds(20))) watch_groups();
        end_groups();
    }
    template <class Kernel>
    void start_groups(const Kernel& kernel, uint32_t num_groups, uint32_t storage_words, const AccountView& accounts) {
        const uint32_t num_workers = std::min(num_groups, std::max(pool_.size(), 1u));
        running_counters_.assign(num_workers, CounterWords{});
        next_group_ = num_workers;
        pool_.start(num_workers, [this, kernel, num_groups, storage_words, accounts](uint32_t worker) {
            std::vector<uint32_t> storage(storage_words);
            for (uint32_t group = worker; group < num_groups; group = next_group_.fetch_add(1, std::memory_order_relaxed)) {
                GroupAccount account;
                CpuContext ctx(group, num_groups, worker, storage.data(), running_counters_[worker].data(), state_, accounts, account);
                ctx.open_account();
                kernel(ctx);
                ctx.close_account();
            }
        });
    }
    void watch_groups() {
        CounterWords counters;
        read_counters(counters);
        state_.stop_level =
            static_cast<uint32_t>(monitor_->update(counters[static_cast<size_t>(Counter::Paths)], state_.heartbeat + host_heartbeat_));
    }
    void end_groups() {
        CounterWords total;
        read_counters(total);
        counters_ = total;
        running_counters_.clear();
        ++num_launches_;
    }

    ThreadPool pool_;
    std::unique_ptr<RunMonitor> monitor_;
    CpuLaunchState state_;
    GroupAccounts accounts_;
    HostLog host_log_;
    std::atomic<uint32_t> next_group_{0};
    FrameState *frame_ = nullptr, *serving_ = nullptr;  ///< of the running frame; of the kernel that stays
    CounterWords counters_{};
    std::vector<CounterWords> running_counters_;  ///< one per thread of the running launch
    std::array<uint64_t, num_mailbox_words> mailbox_{};
    uint64_t allocated_bytes_ = sizeof(counters_), num_launches_ = 0, host_heartbeat_ = 0;
};

}  // namespace warpath
