#include "backends/cuda/cuda_backend.cuh"
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

std::unique_ptr<SyntheticDevice> make_cuda_synthetic_device(int device, uint32_t blocks_per_sm) {
    const std::vector<DeviceInfo> devices = list_cuda_devices();
    if (device < 0 || static_cast<size_t>(device) >= devices.size() || !devices[static_cast<size_t>(device)].usable)
        throw Error(ErrorCode::Unavailable, "CUDA device " + std::to_string(device) + " cannot be used: " +
                                                devices[std::min(static_cast<size_t>(std::max(device, 0)), devices.size() - 1)].detail);
    return std::make_unique<CudaSyntheticDevice>(device, blocks_per_sm);
}

}  // namespace experiments
}  // namespace warpath
