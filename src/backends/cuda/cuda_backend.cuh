#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "backends/cuda/cuda_check.h"
#include "backends/cuda/cuda_context.cuh"
#include "backends/run_monitor.h"
#include "schedulers/parts/drain.h"

namespace warpath {

/// Runs an item body over positions; what CudaBackend::for_each_item launches.
template <class Body>
struct ItemKernel {
    Body body;
    uint64_t num_items;
    uint32_t batch;
    template <class Ctx>
    __device__ void operator()(Ctx& ctx) const {
        drain(ctx, GroupStride::for_group(ctx, batch), num_items, body);
    }
};
template <class Body>
struct KernelTuning<ItemKernel<Body>> : KernelTuning<Body> {};

/// Backend operations on one CUDA device, on one stream; a second stream carries the host's wishes to running kernels and their progress
/// back. Used by one host thread.
class CudaBackend {
  public:
    static constexpr uint32_t num_counter_copies = counter_copies;

    CudaBackend(int device, uint32_t blocks_per_sm);
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
            cuda_check(cudaMemsetAsync(data_, 0, size * sizeof(T), backend.stream_), "clearing device memory");
        }
        void upload(CudaBackend& backend, const char* name, const std::vector<T>& host) {
            size_ = host.size();
            if (size_ == 0) return;
            data_ = static_cast<T*>(backend.allocate_bytes(name, size_ * sizeof(T)));
            cuda_check(cudaMemcpyAsync(data_, host.data(), size_ * sizeof(T), cudaMemcpyHostToDevice, backend.stream_),
                       std::string("uploading ") + name);
        }
        void download(CudaBackend& backend, std::vector<T>& host) {
            host.resize(size_);
            if (size_ == 0) return;
            cuda_check(cudaMemcpyAsync(host.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost, backend.stream_), "downloading");
            backend.synchronize();
        }
        T* data() { return data_; }

      private:
        T* data_ = nullptr;
        size_t size_ = 0;
    };

    DeviceLimits limits(const RenderJob& job) const;
    /// Groups of a kernel that are resident together.
    template <class Kernel>
    uint32_t resident_groups(uint32_t storage_words) const {
        return static_cast<uint32_t>(resident_blocks<Kernel>(shared_bytes<Kernel>(storage_words)) * num_sms_) * groups_per_block<Kernel>();
    }
    void begin(const RenderJob& job);
    void synchronize() { cuda_check(cudaStreamSynchronize(stream_), "waiting for the device"); }

    template <class Body>
    void for_each_item(const char* name, uint64_t num_items, uint32_t batch, const Body& body) {
        if (num_items == 0) return;
        using Kernel = ItemKernel<Body>;
        const uint64_t wanted = (num_items + batch - 1) / batch;
        const uint32_t groups = static_cast<uint32_t>(std::min<uint64_t>(wanted, resident_groups<Kernel>(0)));
        launch(name, groups, 0, Kernel{body, num_items, batch});
    }

    /// Launches once and stays until the kernel ends, passing on the host's wishes. `progress` is a device word that grows with started paths.
    template <class Kernel>
    StopLevel run_resident(const char* name, uint32_t num_groups, uint32_t storage_words, const Kernel& kernel, uint64_t* progress) {
        launch(name, num_groups, storage_words, kernel);
        watch(progress);
        return monitor_->level();
    }

    void write(uint64_t* word, uint64_t value) {
        cuda_check(cudaMemcpyAsync(word, &value, sizeof value, cudaMemcpyHostToDevice, stream_), "writing a control word");
    }
    uint64_t read(const uint64_t* word) {
        cuda_check(cudaMemcpyAsync(pinned_, word, sizeof(uint64_t), cudaMemcpyDeviceToHost, stream_), "reading a control word");
        synchronize();
        return pinned_[0];
    }
    StopLevel poll(uint64_t started_paths) { return monitor_->update(started_paths, ++host_heartbeat_); }

    uint64_t num_launches() const { return num_launches_; }
    uint64_t allocated_bytes() const { return allocated_bytes_; }
    uint64_t context_bytes() const { return context_bytes_; }
    /// On the side stream, so that it also works while a kernel runs; then it gives what the warps have flushed so far.
    void read_counters(std::array<uint64_t, num_counter_words>& counters);

  private:
    template <class Kernel>
    static constexpr uint32_t groups_per_block() { return KernelTuning<Kernel>::block_threads / warp_size; }
    template <class Kernel>
    static constexpr size_t shared_bytes(uint32_t storage_words) {
        return sizeof(uint32_t) * groups_per_block<Kernel>() * (num_counter_words + storage_words);
    }
    template <class Kernel>
    int resident_blocks(size_t shared) const {
        int blocks = 0;
        cuda_check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, run_kernel<Kernel>, KernelTuning<Kernel>::block_threads, shared),
                   "asking for the occupancy of a kernel");
        if (blocks_per_sm_) blocks = std::min(blocks, static_cast<int>(blocks_per_sm_));
        return std::max(blocks, 1);
    }
    template <class Kernel>
    void launch(const char* name, uint32_t num_groups, uint32_t storage_words, const Kernel& kernel) {
        constexpr uint32_t per_block = groups_per_block<Kernel>();
        const CudaLaunchState state{d_counters_, d_stop_level_, d_heartbeat_, num_groups, storage_words};
        run_kernel<Kernel><<<(num_groups + per_block - 1) / per_block, KernelTuning<Kernel>::block_threads,
                             shared_bytes<Kernel>(storage_words), stream_>>>(kernel, state);
        cuda_check(cudaGetLastError(), std::string("launching kernel ") + name);
        ++num_launches_;
    }

    void* allocate_bytes(const char* name, size_t bytes);
    void watch(const uint64_t* progress);
    void send_stop_level(StopLevel level);

    int device_, num_sms_ = 0;
    uint32_t blocks_per_sm_;
    cudaStream_t stream_ = nullptr, side_stream_ = nullptr;
    uint64_t* pinned_ = nullptr;      ///< 4 words of pinned host memory
    uint64_t* d_counters_ = nullptr;
    uint32_t* d_stop_level_ = nullptr;
    uint64_t* d_heartbeat_ = nullptr;
    std::unique_ptr<RunMonitor> monitor_;
    uint64_t allocated_bytes_ = 0, context_bytes_ = 0, num_launches_ = 0, host_heartbeat_ = 0;
};

}  // namespace warpath
