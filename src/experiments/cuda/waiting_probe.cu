#include "experiments/waiting_probe.h"

#include <cuda/atomic>

#include "experiments/cuda/cuda_handles.cuh"

namespace warpath::experiments {
namespace {

constexpr unsigned long long longest_stay_ns = 20'000'000'000;
constexpr unsigned threads = 512, shortest_pause_ns = 20, looks_between_clocks = 64;
constexpr double longest_start_us = 1e6;

/// One lane of a warp: looks at a word of the host until it is set. The first multiprocessor's looks are all that
/// `resident` sends over the bus, so the others look at the device's copy, which that one writes.
__device__ unsigned long long look_until_set(unsigned* host_word, unsigned* device_word, unsigned longest_pause_ns) {
    const bool asks_host = blockIdx.x == 0;
    const unsigned long long since = device_ns();
    unsigned pause_ns = shortest_pause_ns;
    for (unsigned long long looks = 1;; ++looks) {
        const bool is_set =
            asks_host
                ? cuda::atomic_ref<unsigned, cuda::thread_scope_system>(*host_word).load(cuda::memory_order_relaxed) !=
                      0
                : cuda::atomic_ref<unsigned, cuda::thread_scope_device>(*device_word)
                          .load(cuda::memory_order_relaxed) != 0;
        if (is_set || (looks % looks_between_clocks == 0 && device_ns() - since > longest_stay_ns)) {
            if (asks_host)
                cuda::atomic_ref<unsigned, cuda::thread_scope_device>(*device_word)
                    .store(1, cuda::memory_order_relaxed);
            return looks;
        }
        if (longest_pause_ns == 0) continue;
        __nanosleep(pause_ns);
        pause_ns = min(pause_ns + pause_ns / 2, longest_pause_ns);
    }
}

__global__ void __launch_bounds__(threads, 1)
    wait_kernel(unsigned* host_word, unsigned* device_word, unsigned* num_waiting, unsigned long long* num_looks,
                bool every_warp, unsigned longest_pause_ns) {
    if (threadIdx.x == 0)
        cuda::atomic_ref<unsigned, cuda::thread_scope_system>(*num_waiting).fetch_add(1, cuda::memory_order_relaxed);
    const bool looks = every_warp ? threadIdx.x % 32 == 0 : threadIdx.x == 0;
    if (looks) atomicAdd(num_looks, look_until_set(host_word, device_word, longest_pause_ns));
    __syncthreads();
}

class CudaWaitingProbe final : public WaitingProbe {
  public:
    explicit CudaWaitingProbe(int device)
        : device_((use_device(device), device)),
          num_sms_(static_cast<unsigned>(num_multiprocessors(device))),
          word_(1),
          num_waiting_(1),
          device_word_(1),
          num_looks_(1) {}
    ~CudaWaitingProbe() override {
        set_word(1);
        cudaStreamSynchronize(stream_);
    }

    void begin(const Waiting& waiting) override {
        cuda_check(cudaSetDevice(device_), "selecting a CUDA device");
        device_word_.clear(), num_looks_.clear();
        set_word(0);
        __atomic_store_n(num_waiting_.host(), 0u, __ATOMIC_RELEASE);
        wait_kernel<<<num_sms_, threads, 0, stream_>>>(word_.device(), device_word_.data(), num_waiting_.device(),
                                                       num_looks_.data(), waiting.every_warp, waiting.longest_pause_ns);
        cuda_check(cudaGetLastError(), "launching a kernel");
        const HostTimer timer;
        while (__atomic_load_n(num_waiting_.host(), __ATOMIC_ACQUIRE) < num_sms_)
            if (timer.us() > longest_start_us) {
                end();
                throw Error(ErrorCode::Device,
                            "a kernel that was to wait on every multiprocessor did not get there within a second");
            }
    }
    uint64_t end() override {
        set_word(1);
        stream_.synchronize();
        return num_looks_.download().front();
    }

  private:
    void set_word(unsigned value) { __atomic_store_n(word_.host(), value, __ATOMIC_RELEASE); }

    int device_;
    unsigned num_sms_;
    Stream stream_;
    MappedArray<unsigned> word_, num_waiting_;
    DeviceArray<unsigned> device_word_;
    DeviceArray<unsigned long long> num_looks_;
};

}  // namespace

std::unique_ptr<WaitingProbe> make_waiting_probe(int device) { return std::make_unique<CudaWaitingProbe>(device); }

}  // namespace warpath::experiments
