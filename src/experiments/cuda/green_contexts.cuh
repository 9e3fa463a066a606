#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

#include <string>

#include "experiments/cuda/cuda_handles.cuh"

namespace warpath::experiments {

/// Two parts of a device that share memory and no multiprocessor, each with a stream (CUDA 12.4 and later). The driver's functions are asked for at run
/// time, so nothing has to be linked and older drivers say that they lack them.
class GreenContexts {
  public:
    struct Part {
        CUcontext context = nullptr;
        cudaStream_t stream = nullptr;
        uint32_t num_sms = 0;
    };

    /// The second part gets `reserved` multiprocessors, or a few more.
    GreenContexts(int device, uint32_t reserved);
    ~GreenContexts();
    GreenContexts(const GreenContexts&) = delete;
    GreenContexts& operator=(const GreenContexts&) = delete;

    /// Empty when there are two parts.
    const std::string& why_not() const { return why_not_; }
    const Part& large() const { return parts_[0]; }
    const Part& small() const { return parts_[1]; }
    /// Makes a part's context the calling thread's; null: the device's own.
    void enter(const Part* part) const;

  private:
#if CUDART_VERSION >= 12050
    struct Driver;
    bool split(int device, uint32_t reserved);
    Driver* driver_ = nullptr;
    CUgreenCtx green_[2] = {};
#endif
    int device_;
    Part parts_[2];
    std::string why_not_;
};

}  // namespace warpath::experiments
