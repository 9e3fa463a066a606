#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "backends/cuda/cuda_accounts.h"
#include "backends/cuda/carve_out.h"
#include "backends/cuda/cuda_check.h"
#include "backends/cuda/sm_partition.h"
#include "backends/cuda/cuda_context.cuh"
#include "backends/cuda/device_turn.h"
#include "backends/cuda/host_range.h"
#include "backends/run_monitor.h"
#include "backends/service_session.h"
#include "schedulers/resident.h"
#include "schedulers/schedule.h"

namespace warpath {

/// Backend operations on one CUDA device, on one stream; a second stream carries the host's wishes to running kernels and their progress
/// back. Used by one host thread.
class CudaBackend {
  public:
    static constexpr uint32_t group_size = warp_size;
    static constexpr bool runs_everything = true;
    static constexpr bool shares_host_memory = false;

    explicit CudaBackend(int device);
    ~CudaBackend();
    CudaBackend(const CudaBackend&) = delete;
    CudaBackend& operator=(const CudaBackend&) = delete;

    /// Device memory that is freed with the object. Copies only on request.
    template <class T>
    class Array {
      public:
        Array() = default;
        Array(const Array&) = delete;
        Array& operator=(const Array&) = delete;
        ~Array() {
            if (data_) cudaFree(data_);
        }
        void allocate(CudaBackend& backend, const char* name, size_t size) {
            size_ = size;
            if (size == 0) return;
            data_ = static_cast<T*>(backend.allocate_bytes(name, size * sizeof(T)));
            clear(backend);
        }
        void upload(CudaBackend& backend, const char* name, const std::vector<T>& host) {
            size_ = host.size();
            if (size_ == 0) return;
            data_ = static_cast<T*>(backend.allocate_bytes(name, size_ * sizeof(T)));
            const HostRange range(backend.host_log_, HostCall::ToDevice, name, size_ * sizeof(T));
            cuda_check(cudaMemcpyAsync(data_, host.data(), size_ * sizeof(T), cudaMemcpyHostToDevice, backend.stream_),
                       std::string("uploading ") + name);
        }
        /// As upload, again and again: into the same memory where the size is the same, also beside a kernel that stays and waits for a task.
        void assign(CudaBackend& backend, const char* name, const std::vector<T>& host) {
            if (size_ != host.size()) {
                backend.park_service();
                if (data_) cuda_check(cudaFree(data_), std::string("freeing ") + name);
                data_ = nullptr, size_ = 0;
                if (!host.empty()) data_ = static_cast<T*>(backend.allocate_bytes(name, host.size() * sizeof(T)));
                size_ = host.size();
            }
            if (size_ == 0) return;
            cuda_check(cudaMemcpyAsync(data_, host.data(), size_ * sizeof(T), cudaMemcpyHostToDevice, backend.stream_), std::string("uploading ") + name);
            backend.synchronize();
        }
        /// Its only entry. From pageable memory, so the value has been taken when the call returns.
        void set(CudaBackend& backend, T value) {
            cuda_check(cudaMemcpyAsync(data_, &value, sizeof value, cudaMemcpyHostToDevice, backend.stream_), "writing a word");
        }
        void clear(CudaBackend& backend) {
            backend.clear_bytes(data_, size_ * sizeof(T));
        }
        /// As download, for the last time.
        void take(CudaBackend& backend, std::vector<T>& host) { download(backend, host); }
        void download(CudaBackend& backend, std::vector<T>& host) {
            host.resize(size_);
            download(backend, host.data());
        }
        void download(CudaBackend& backend, T* host) {
            if (size_ == 0) return;
            const HostRange range(backend.host_log_, HostCall::ToHost, "download", size_ * sizeof(T));
            cuda_check(cudaMemcpyAsync(host, data_, size_ * sizeof(T), cudaMemcpyDeviceToHost, backend.stream_), "downloading");
            backend.synchronize();
        }
        T* data() { return data_; }

      private:
        T* data_ = nullptr;
        size_t size_ = 0;
    };

    /// What the backend keeps of a frame between runs: the graph that the scheduler recorded for it, one at most.
    class FrameState {
      public:
        FrameState() = default;
        FrameState(const FrameState&) = delete;
        FrameState& operator=(const FrameState&) = delete;
        ~FrameState() {
            if (graph_) cudaGraphExecDestroy(graph_);
            if (mail_) cudaFreeHost(mail_);
            if (state_) cudaFree(state_);
        }
        /// What is recorded no longer fits the frame; it will be recorded anew and updated.
        void forget() { is_recorded_ = false; }

      private:
        friend class CudaBackend;
        cudaGraphExec_t graph_ = nullptr;
        bool is_recorded_ = false;
        AccountView accounts_;             ///< that the graph writes to
        ServiceMail* mail_ = nullptr;      ///< pinned and mapped; of a scheduler whose kernel stays
        ServiceState* state_ = nullptr;    ///< device memory
        std::unique_ptr<ServiceSession> session_;
    };

    /// What a job asks of launches and of questions about occupancy.
    void use(const ScheduleOptions& options) {
        block_size_ = options.block_size, blocks_per_sm_ = options.blocks_per_sm;
        reserved_sms_ = std::min(options.reserve_sms, static_cast<uint32_t>(num_sms_) - 1);
    }
    /// `fixed_bytes`: what a frame needs of the device's free memory beside its slots.
    DeviceLimits limits(uint64_t fixed_bytes) const;
    /// Makes the device the calling thread's for as long as the turn is held.
    DeviceTurn take_turn() { return DeviceTurn(device_, this); }
    /// Warps in a block of a kernel; block_size: threads asked for, 0 for the kernel's own.
    template <class Kernel>
    uint32_t groups_per_block(uint32_t block_size) const {
        return block_threads<Kernel>(block_size) / warp_size;
    }
    /// Groups of a kernel that are resident together.
    template <class Kernel>
    uint32_t resident_groups(uint32_t storage_words, uint32_t block_size) const {
        const uint32_t per_block = groups_per_block<Kernel>(block_size);
        return static_cast<uint32_t>(resident_blocks<Kernel>(per_block, storage_words)) * (static_cast<uint32_t>(num_sms_) - reserved_sms_) * per_block;
    }
    /// Before a run of a frame: clears what kernels and host tell each other, and the records of the run before. The device is idle afterwards.
    void begin(const RenderJob& job, FrameState& frame);
    void synchronize() {
        const HostRange range(host_log_, HostCall::Wait, "synchronize");
        cuda_check(cudaStreamSynchronize(stream_), "waiting for the device");
    }
    HostRange host_range(HostCall call, const char* name) { return {host_log_, call, name}; }
    const HostLog& host_log() const { return host_log_; }
    /// Device memory of counters, flags and accounts; what it will be for a job.
    uint64_t own_bytes() const;
    uint64_t counter_bytes(const RenderJob& job) const;
    /// Of the run that has ended. Empty while a kernel stays: it keeps none.
    void read_accounts(GroupAccounts& accounts);

    /// Enqueues a kernel. 0 groups: as many as are resident together. While a graph is recorded, the kernel becomes a node of it.
    template <class Kernel>
    void launch(const char* name, const Kernel& kernel, uint32_t num_groups = 0, uint32_t storage_words = 0) {
        launch_as<Kernel>(name, run_kernel<Kernel>, kernel, num_groups, storage_words, dependent_launch_, stream_);
    }
    /// As launch, for a kernel that uses sync_grid(). The driver refuses a grid that is not resident as a whole.
    template <class Kernel>
    void launch_cooperative(const char* name, const Kernel& kernel, uint32_t num_groups) {
        launch_as<Kernel>(name, run_kernel<Kernel>, kernel, num_groups, 0, {cudaLaunchAttributeCooperative, 1}, stream_);
    }
    /// The graph of what `enqueue` launches, for launch_graph(). The frame keeps it, so a further run of the same frame records nothing.
    template <class Enqueue>
    void record_graph(const Enqueue& enqueue);
    /// A graph of what `before` launches, then, until `done` (a word of the device's memory) is not zero after it, what `body` launches.
    template <class Before, class Body>
    void record_while_graph(const Before& before, const Body& body, const uint64_t* done);
    void launch_graph();
    /// Launches one group of a kernel that launches others from the device.
    template <class Kernel>
    void launch_from_device(const char* name, const Kernel& kernel);

    /// Starts a kernel that stays, if the frame's does not run yet. make(ServiceView, wait_limit_ns) gives the kernel.
    template <class Make>
    void start_service(const char* name, uint32_t num_groups, uint32_t storage_words, const Make& make) {
        if (frame_->session_ && frame_->session_->is_open()) return;
        choose_service_stream();
        const auto kernel = make(open_service(), wait_limit_ns_);
        using Kernel = std::remove_const_t<decltype(kernel)>;
        launch_as<Kernel>(name, run_kernel<Kernel>, kernel, num_groups, storage_words, {cudaLaunchAttributeIgnore, 0}, service_stream_);
        serving_ = frame_;
        DeviceTurn::set_serving(device_, this);
        frame_->session_->open();  // not before the launch has returned: where it only returns with the kernel's end, the kernel must not think the host alive
    }
    ServiceClient& service() { return frame_->session_->client(); }
    bool serves(const FrameState& frame) const { return serving_ == &frame; }
    /// Forgets a service that was given up, with whatever its words say, so that the frame's next one starts afresh.
    void drop_service(FrameState& frame);
    /// Waits for a task, passing the host's wishes on.
    StopLevel wait_for_service(uint64_t sequence);
    /// Lets the kernel that stays leave, as nothing else can run beside it and memory cannot be freed. Its state is kept, and the next
    /// start_service() of its frame goes on with it.
    void park_service();
    /// From handing a task out to a block's seeing it.
    double mean_handover_ns();
    /// No kernel stays: freeing memory waits for all of them.
    void end_frame(FrameState& frame) {
        park_service();
        if (frame_ == &frame) frame_ = nullptr;
    }

    /// Waits for all that was enqueued, passing the host's wishes on to the kernels. `progress` is a word that grows with started paths.
    StopLevel wait(const uint64_t* progress);
    StopLevel poll(uint64_t started_paths);
    void read(const uint64_t* from, uint64_t* to, size_t n);

    /// A word that kernels write for the host, without synchronisation.
    uint64_t mail(uint32_t word) const { return reinterpret_cast<const volatile uint64_t*>(mailbox_)[word]; }
    uint64_t* mailbox() { return d_mailbox_; }

    /// Where a wait passed its limit, 0 if none did.
    uint64_t stall() const { return mail(stall_word); }

    uint64_t num_launches() const { return num_launches_; }
    /// Of all allocations so far; nothing is taken off for what was freed.
    uint64_t allocated_bytes() const { return allocated_bytes_; }
    uint64_t context_bytes() const { return context_bytes_; }
    /// On the side stream, so that it also works while a kernel runs; then it gives what the warps have flushed so far.
    void read_counters(std::array<uint64_t, num_counter_words>& counters);

  protected:
    /// An attribute of a launch; value 0: none.
    struct LaunchAttribute {
        cudaLaunchAttributeID id;
        int value;
    };
    static constexpr uint32_t stall_word = num_mailbox_words;  ///< behind the scheduler's own

    CudaLaunchState launch_state(uint32_t num_groups, bool stays = false) const {
        return {d_counters_, d_stop_level_, d_heartbeat_, d_stall_, d_mailbox_ + stall_word, wait_limit_ns_, num_groups,
                stays ? accounts_->view().of_tasks() : accounts_->view()};
    }
    template <class Kernel>
    static constexpr uint32_t block_threads(uint32_t asked) {
        constexpr uint32_t most = KernelTuning<Kernel>::block_threads;
        return asked == 0 || asked > most ? most : (asked + warp_size - 1) / warp_size * warp_size;
    }
    static constexpr size_t shared_bytes(uint32_t groups_per_block, uint32_t storage_words) {
        return sizeof(uint32_t) * (CudaContext::shared_words(groups_per_block) + storage_words);
    }
    template <class Kernel>
    int resident_blocks(uint32_t groups_per_block, uint32_t storage_words) const {
        const size_t shared = shared_bytes(groups_per_block, storage_words);
        allow_shared(run_kernel<Kernel>, shared);
        int blocks = 0;
        cuda_check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, run_kernel<Kernel>, static_cast<int>(groups_per_block * warp_size), shared),
                   "asking for the occupancy of a kernel");
        if (blocks_per_sm_) blocks = std::min(blocks, static_cast<int>(blocks_per_sm_));
        return std::max(blocks, 1);
    }
    /// More shared memory than 48 KiB has to be asked for, and so has another share of it than the driver's.
    template <class Function>
    static void allow_shared(Function* function, size_t bytes) {
        if (const int percent = CarveOut::preferred(); percent != CarveOut::never_said)
            cuda_check(cudaFuncSetAttribute(function, cudaFuncAttributePreferredSharedMemoryCarveout, percent), "asking for a share of shared memory");
        if (bytes > 48 * 1024)
            cuda_check(cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)),
                       "asking for shared memory");
    }
    template <class Kernel, class Function>
    void launch_as(const char* name, Function* function, const Kernel& kernel, uint32_t num_groups, uint32_t storage_words,
                   LaunchAttribute attribute, cudaStream_t stream) {
        const HostRange range(host_log_, HostCall::Launch, name);
        const uint32_t per_block = groups_per_block<Kernel>(block_size_);
        if (num_groups == 0) num_groups = resident_groups<Kernel>(storage_words, block_size_);
        cudaLaunchConfig_t config{};
        cudaLaunchAttribute attributes[1];
        config.gridDim = (num_groups + per_block - 1) / per_block;
        config.blockDim = per_block * warp_size;
        config.dynamicSmemBytes = shared_bytes(per_block, storage_words);
        config.stream = stream;
        if (attribute.value) {
            attributes[0].id = attribute.id;
            if (attribute.id == cudaLaunchAttributeCooperative)
                attributes[0].val.cooperative = 1;
            else
                attributes[0].val.programmaticStreamSerializationAllowed = 1;
            config.attrs = attributes;
            config.numAttrs = 1;
        }
        allow_shared(function, config.dynamicSmemBytes);
        cuda_check(cudaLaunchKernelEx(&config, function, kernel, launch_state(num_groups, stream == service_stream_)), std::string("launching kernel ") + name);
        ++num_launches_;
    }

    void begin_accounts(const RenderJob& job);
    void* allocate_bytes(const char* name, size_t bytes);
    /// Clears device memory, also while a resident kernel holds all multiprocessors.
    void clear_bytes(void* pointer, size_t bytes);
    void send_stop_level(StopLevel level);
    /// Makes `graph` the one that launch_graph() starts; takes it over. The frame's executable graph is updated where it can be.
    void use_graph(cudaGraph_t graph);
    /// The memory of the frame's service, made when it is first asked for, with its session open.
    ServiceView open_service();
    /// The stream of the kernel that stays: of a partition of the multiprocessors, where some are reserved and the driver can, else of the device.
    void choose_service_stream();

    int device_, num_sms_ = 0;
    uint32_t blocks_per_sm_ = 0, reserved_sms_ = 0;
    cudaStream_t stream_ = nullptr, side_stream_ = nullptr;
    cudaStream_t device_service_stream_ = nullptr, service_stream_ = nullptr;  ///< the latter is the former, or the partition's
    std::unique_ptr<SmPartition> partition_;
    uint8_t* zeros_ = nullptr;        ///< num_zero_bytes of pinned host memory
    uint64_t* pinned_ = nullptr;      ///< num_pinned_words words of pinned host memory
    uint64_t *mailbox_ = nullptr, *d_mailbox_ = nullptr;  ///< pinned host memory that kernels write, as host and device see it
    uint64_t* d_counters_ = nullptr;
    uint32_t* d_stop_level_ = nullptr;
    uint64_t *d_heartbeat_ = nullptr, *d_stall_ = nullptr;
    uint64_t wait_limit_ns_ = 0;
    uint32_t block_size_ = 0;
    LaunchAttribute dependent_launch_{cudaLaunchAttributeProgrammaticStreamSerialization, 0};
    StopLevel sent_level_ = StopLevel::Run;
    std::chrono::steady_clock::time_point next_look_{};  ///< of the monitor at a running frame
    FrameState *frame_ = nullptr, *serving_ = nullptr;  ///< of the frame that runs; of the kernel that stays
    std::unique_ptr<RunMonitor> monitor_;
    std::unique_ptr<CudaAccounts> accounts_;
    HostLog host_log_;
    uint64_t allocated_bytes_ = 0, context_bytes_ = 0, num_launches_ = 0, host_heartbeat_ = 0;
};

}  // namespace warpath
