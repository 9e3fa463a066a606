#include "backends/cuda/cuda_backend.cuh"
#include "experiments/cuda/cuda_handles.cuh"
#include "experiments/synthetic_frame.h"

namespace warpath {

#include "schedulers_elsewhere.h"  // made by CMake: `extern template` for every scheduler with these stages

namespace experiments {
namespace {

class CudaSyntheticDevice final : public BackendSyntheticDevice<CudaBackend> {
  public:
    using BackendSyntheticDevice::BackendSyntheticDevice;
    std::string name() const override { return "cuda"; }
};

}  // namespace

std::unique_ptr<SyntheticDevice> make_cuda_synthetic_device(int device) {
    use_device(device);
    return std::make_unique<CudaSyntheticDevice>(device);
}

}  // namespace experiments
}  // namespace warpath
