#include <thread>

#include "backends/cpu/cpu_backend.h"
#include "experiments/synthetic_frame.h"

namespace warpath::experiments {
namespace {

class CpuSyntheticDevice final : public BackendSyntheticDevice<CpuBackend> {
  public:
    using BackendSyntheticDevice::BackendSyntheticDevice;
    std::string name() const override { return "cpu"; }
};

}  // namespace

std::unique_ptr<SyntheticDevice> make_cpu_synthetic_device(uint32_t num_threads) {
    return std::make_unique<CpuSyntheticDevice>(num_threads ? num_threads : std::max(1u, std::thread::hardware_concurrency()));
}

}  // namespace warpath::experiments
