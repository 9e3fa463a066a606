#pragma once

#include <cuda_runtime.h>

#include <memory>

namespace warpath {

/// Some of a device's multiprocessors with a stream whose kernels run on them alone: a green context of the driver. What other streams launch finds the
/// rest free for itself.
/// Source:  CUDA Driver API, "Green Contexts" (CUDA 12.4 and later). The driver is asked at run time, so that older ones do as well.
class SmPartition {
  public:
    /// The smallest partition of at least num_sms multiprocessors of the device; null where the driver cannot make one, or none smaller than the
    /// device. The device's primary context must be current.
    static std::unique_ptr<SmPartition> make(int device, uint32_t num_sms);
    ~SmPartition();
    SmPartition(const SmPartition&) = delete;
    SmPartition& operator=(const SmPartition&) = delete;

    cudaStream_t stream() const { return stream_; }
    uint32_t num_sms() const { return num_sms_; }

  private:
    SmPartition() = default;
    void* context_ = nullptr;
    cudaStream_t stream_ = nullptr;
    uint32_t num_sms_ = 0;
};

}  // namespace warpath
