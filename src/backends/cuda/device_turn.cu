#include "backends/cuda/device_turn.h"

#include <map>

#include "backends/cuda/cuda_backend.cuh"

namespace warpath {

namespace {

struct TurnOfDevice {
    std::recursive_mutex mutex;
    CudaBackend* serving = nullptr;
};
/// The devices belong to the process, and so do their turns.
TurnOfDevice& turn_of(int device) {
    static std::mutex mutex;
    static std::map<int, TurnOfDevice> turns;
    const std::scoped_lock lock(mutex);
    return turns[device];
}

}  // namespace

DeviceTurn::DeviceTurn(int device, CudaBackend* whose) : lock_(turn_of(device).mutex) {
    cuda_check(cudaSetDevice(device), "selecting CUDA device " + std::to_string(device));
    CudaBackend* serving = turn_of(device).serving;
    if (serving && serving != whose) serving->park_service();
}
void DeviceTurn::set_serving(int device, CudaBackend* backend) { turn_of(device).serving = backend; }

}  // namespace warpath
