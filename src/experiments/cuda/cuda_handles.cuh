#pragma once

#include <cuda_runtime.h>

#include <chrono>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "backends/cuda/cuda_check.h"

/// What kernels of experiments need on the host's side: memory, streams and events that are freed with the object, and clocks.
namespace warpath::experiments {

/// Device memory, zeroed. Copies only on request.
template <class T>
class DeviceArray {
  public:
    explicit DeviceArray(size_t size) : size_(size) {
        cuda_check(cudaMalloc(&data_, size * sizeof(T)), "allocating device memory");
        clear();
    }
    ~DeviceArray() { cudaFree(data_); }
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;

    /// Not beside a kernel that holds the device.
    void clear() { fill(0); }
    void fill(unsigned char byte) { cuda_check(cudaMemset(data_, byte, size_ * sizeof(T)), "filling device memory"); }
    T* data() { return data_; }
    size_t size() const { return size_; }
    std::vector<T> download(size_t n) const {
        std::vector<T> host(n);
        cuda_check(cudaMemcpy(host.data(), data_, n * sizeof(T), cudaMemcpyDeviceToHost), "reading device memory");
        return host;
    }
    std::vector<T> download() const { return download(size_); }
    void upload(const std::vector<T>& host) { cuda_check(cudaMemcpy(data_, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice), "writing device memory"); }

  private:
    T* data_ = nullptr;
    size_t size_;
};

/// Pinned host memory that the device sees too; zeroed.
template <class T>
class MappedArray {
  public:
    explicit MappedArray(size_t size) {
        cuda_check(cudaHostAlloc(&host_, size * sizeof(T), cudaHostAllocMapped), "allocating mapped host memory");
        for (size_t i = 0; i < size; ++i) host_[i] = T{};
        cuda_check(cudaHostGetDevicePointer(&device_, host_, 0), "mapping host memory");
    }
    ~MappedArray() { cudaFreeHost(host_); }
    MappedArray(const MappedArray&) = delete;
    MappedArray& operator=(const MappedArray&) = delete;

    T* host() { return host_; }
    T* device() { return device_; }

  private:
    T *host_ = nullptr, *device_ = nullptr;
};

class Stream {
  public:
    explicit Stream(int priority = 0) { cuda_check(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, priority), "creating a stream"); }
    ~Stream() {
        if (stream_) cudaStreamDestroy(stream_);
    }
    Stream(Stream&& other) noexcept : stream_(std::exchange(other.stream_, nullptr)) {}
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    operator cudaStream_t() const { return stream_; }
    void synchronize() const { cuda_check(cudaStreamSynchronize(stream_), "waiting for a stream"); }

  private:
    cudaStream_t stream_ = nullptr;
};

class Event {
  public:
    explicit Event(unsigned flags = cudaEventDefault) { cuda_check(cudaEventCreateWithFlags(&event_, flags), "creating an event"); }
    ~Event() { cudaEventDestroy(event_); }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    operator cudaEvent_t() const { return event_; }
    void record(cudaStream_t stream) const { cuda_check(cudaEventRecord(event_, stream), "recording an event"); }
    void synchronize() const { cuda_check(cudaEventSynchronize(event_), "waiting for an event"); }

  private:
    cudaEvent_t event_ = nullptr;
};

/// Milliseconds between two events that have come to pass.
inline double ms_between(const Event& from, const Event& to) {
    float ms = 0;
    cuda_check(cudaEventElapsedTime(&ms, from, to), "reading events");
    return ms;
}

class HostTimer {
  public:
    double us() const { return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start_).count(); }

  private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Nanoseconds by a clock that all multiprocessors share, in steps of some ten nanoseconds to a microsecond.
__device__ inline unsigned long long device_ns() {
    unsigned long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

/// Holds its warp for so many cycles of its SM's clock.
__device__ inline void hold(long long cycles) {
    const long long start = clock64();
    while (clock64() - start < cycles) {}
}

/// SM cycles in a microsecond at the present clock.
double cycles_per_us();
int num_multiprocessors(int device);
/// Makes the device the calling thread's. Errors:  Unavailable, saying why it cannot be used.
void use_device(int device);

}  // namespace warpath::experiments
