#include "experiments/starvation_probe.h"

#include <thread>

#include <cuda/atomic>

#include "backends/cuda/sm_partition.h"
#include "experiments/cuda/cuda_handles.cuh"

namespace warpath::experiments {
namespace {

constexpr unsigned long long longest_stay_ns = 20'000'000'000;
constexpr unsigned occupant_threads = 896, small_blocks = 64, small_threads = 128;

/// Works in chunks of some microseconds until it is told to leave, or has stayed for 20 seconds. `chunks` counts those of all blocks.
__global__ void __launch_bounds__(occupant_threads, 1) occupy(unsigned* stop, unsigned long long* chunks, unsigned long long limit_ns) {
    __shared__ bool leaves;
    const unsigned long long since = device_ns();
    while (true) {
        hold(4000);
        if (threadIdx.x == 0) {
            leaves = cuda::atomic_ref<unsigned, cuda::thread_scope_system>(*stop).load(cuda::memory_order_relaxed) != 0 || device_ns() - since > limit_ns;
            atomicAdd(chunks, 1ull);
        }
        __syncthreads();
        if (leaves) return;
        __syncthreads();
    }
}

/// Some thousand threads map a value each.
__global__ void small_kernel(float* values) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const float x = values[i];
    values[i] = x / (1.0f + x) + 0.5f;
}

constexpr unsigned film_pixels = 1920 * 1080, film_threads = 256;
constexpr size_t copy_bytes = 8u << 20;

/// A film's pixels from radiance to bytes, by a filmic curve and a power for the transfer function: as much work as showing a picture takes.
__global__ void map_tones(const float4* radiance, unsigned* bytes) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= film_pixels) return;
    const auto channel = [](float x) {
        const float mapped = fminf(x * (2.51f * x + 0.03f) / (x * (2.43f * x + 0.59f) + 0.14f), 1.0f);
        return static_cast<unsigned>(255.0f * powf(mapped, 1.0f / 2.2f) + 0.5f);
    };
    const float4 pixel = radiance[i];
    bytes[i] = channel(pixel.x) | channel(pixel.y) << 8 | channel(pixel.z) << 16 | 0xff000000u;
}

class CudaStarvationProbe final : public StarvationProbe {
  public:
    explicit CudaStarvationProbe(int device)
        : device_((use_device(device), device)), num_sms_(static_cast<uint32_t>(num_multiprocessors(device))), high_(highest_priority()), values_(small_blocks * small_threads),
          radiance_(film_pixels), picture_(film_pixels), copied_(copy_bytes), chunks_(1), stop_(1), host_copy_(copy_bytes) {
        if (num_sms_ > num_reserved_sms) partition_ = SmPartition::make(device, num_sms_ - num_reserved_sms);
        cuda_check(cudaDeviceGetAttribute(&shared_bytes_, cudaDevAttrMaxSharedMemoryPerBlockOptin, device), "asking for shared memory");
        shared_bytes_ -= 64;  // what the kernel itself declares
        allow_shared();
        warm_up();
    }

    Requests beside_occupant(Occupant occupant, SecondWorkload workload, double seconds) override {
        chunks_.clear();
        *stop_.host() = 0;
        const HostTimer timer;
        if (occupant != Occupant::None) enter_device(occupant);
        Requests result = ask_every_ms(workload, normal_, seconds, occupant == Occupant::Parked);
        const double ms = 1e-3 * timer.us();
        leave_device();
        wait_for_all();
        if (occupant != Occupant::None) result.occupant_rate = static_cast<double>(chunks_.download().front()) / ms;
        return result;
    }
    Requests beside_others(SecondWorkload workload, double seconds, bool high_priority) override {
        cuda_check(cudaSetDevice(device_), "selecting a CUDA device");
        pending_ = high_priority ? high_ : normal_;
        return ask_every_ms(workload, pending_, seconds, false);
    }
    void settle() override {
        if (pending_) wait_for(pending_);
    }
    std::string why_no_green_contexts() const override { return partition_ ? "" : "the driver makes no partition of this device"; }

  private:
    static int highest_priority() {
        int least = 0, greatest = 0;
        cuda_check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "asking for priorities");
        return greatest;
    }
    static void wait_for(cudaStream_t stream) { cuda_check(cudaStreamSynchronize(stream), "waiting for a stream"); }

    void wait_for_all() const {
        if (partition_) wait_for(partition_->stream());  // of a context of its own
        cuda_check(cudaDeviceSynchronize(), "waiting for the device");
    }
    void allow_shared() const {
        cuda_check(cudaFuncSetAttribute(occupy, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes_), "asking for shared memory");
    }
    /// Every kernel once, so that none is loaded beside the occupant.
    void warm_up() {
        *stop_.host() = 1;
        enter_device(Occupant::Full);
        for (const SecondWorkload workload : {SecondWorkload::SmallKernel, SecondWorkload::ToneMapping, SecondWorkload::Copies}) ask(workload, normal_), ask(workload, high_);
        if (partition_) enter_device(Occupant::GreenContext);
        wait_for_all();
    }
    void ask(SecondWorkload workload, cudaStream_t stream) {
        if (workload == SecondWorkload::Copies) {
            cuda_check(cudaMemcpyAsync(copied_.data(), host_copy_.host(), copy_bytes, cudaMemcpyHostToDevice, stream), "copying");
            cuda_check(cudaMemcpyAsync(host_copy_.host(), copied_.data(), copy_bytes, cudaMemcpyDeviceToHost, stream), "copying");
            return;
        }
        if (workload == SecondWorkload::SmallKernel)
            small_kernel<<<small_blocks, small_threads, 0, stream>>>(values_.data());
        else
            map_tones<<<(film_pixels + film_threads - 1) / film_threads, film_threads, 0, stream>>>(radiance_.data(), picture_.data());
        cuda_check(cudaGetLastError(), "launching a kernel");
    }
    void enter_device(Occupant occupant) {
        uint32_t blocks = num_sms_;
        cudaStream_t stream = occupant_;
        if (occupant == Occupant::FewerBlocks) blocks = num_sms_ > num_reserved_sms ? num_sms_ - num_reserved_sms : 1;
        if (occupant == Occupant::GreenContext) blocks = partition_->num_sms(), stream = partition_->stream();
        occupy<<<blocks, occupant_threads, shared_bytes_, stream>>>(stop_.device(), chunks_.data(), longest_stay_ns);
        cuda_check(cudaGetLastError(), "launching a kernel");
    }
    void leave_device() { __atomic_store_n(stop_.host(), 1u, __ATOMIC_RELEASE); }

    /// One after the other; the next one is asked for a millisecond after this one, or when it has ended.
    Requests ask_every_ms(SecondWorkload workload, cudaStream_t stream, double seconds, bool parks) {
        Requests result;
        const HostTimer total;
        while (total.us() < 1e6 * seconds) {
            const HostTimer timer;
            if (parks) leave_device();
            ask(workload, stream);
            const bool served = is_served(stream, timer);
            const double us = timer.us();
            if (parks) {
                wait_for(occupant_);
                __atomic_store_n(stop_.host(), 0u, __ATOMIC_RELEASE);
                enter_device(Occupant::Full);
            }
            result.latency_us.push_back(us);
            if (!served) {
                ++result.num_unserved;
                return result;
            }
            while (timer.us() < 1000) std::this_thread::yield();
        }
        return result;
    }
    static bool is_served(cudaStream_t stream, const HostTimer& timer) {
        while (true) {
            const cudaError_t state = cudaStreamQuery(stream);
            if (state == cudaSuccess) return true;
            if (state != cudaErrorNotReady) cuda_check(state, "running a kernel");
            if (timer.us() > Requests::unserved_us) return false;
        }
    }

    int device_;
    uint32_t num_sms_;
    Stream normal_, high_, occupant_;
    cudaStream_t pending_ = nullptr;
    DeviceArray<float> values_;
    DeviceArray<float4> radiance_;
    DeviceArray<unsigned> picture_;
    DeviceArray<uint8_t> copied_;
    DeviceArray<unsigned long long> chunks_;
    MappedArray<unsigned> stop_;
    MappedArray<uint8_t> host_copy_;  ///< pinned
    std::unique_ptr<SmPartition> partition_;
    int shared_bytes_ = 0;  ///< dynamic, of the occupant: no other block fits beside it
};

}  // namespace

std::unique_ptr<StarvationProbe> make_starvation_probe(int device) { return std::make_unique<CudaStarvationProbe>(device); }

}  // namespace warpath::experiments
