#include "experiments/cuda/cuda_handles.cuh"

#include <algorithm>

#include "backends/render_backend.h"

namespace warpath::experiments {

namespace {

__global__ void hold_kernel(long long cycles) { hold(cycles); }

}  // namespace

double cycles_per_us() {
    constexpr long long cycles = 4'000'000;
    const Event begin, end;
    double best = 0;
    for (int i = 0; i < 3; ++i) {
        begin.record(nullptr);
        hold_kernel<<<1, 1>>>(cycles);
        cuda_check(cudaGetLastError(), "launching a kernel");
        end.record(nullptr);
        end.synchronize();
        best = std::max(best, static_cast<double>(cycles) / (1e3 * ms_between(begin, end)));
    }
    return best;
}

int num_multiprocessors(int device) {
    int n = 0;
    cuda_check(cudaDeviceGetAttribute(&n, cudaDevAttrMultiProcessorCount, device), "asking for the number of SMs");
    return n;
}

void use_device(int device) {
    const std::vector<DeviceInfo> devices = list_cuda_devices();
    const size_t index = device < 0 ? devices.size() : static_cast<size_t>(device);
    if (index >= devices.size() || !devices[index].usable)
        throw Error(ErrorCode::Unavailable, "CUDA device " + std::to_string(device) + " cannot be used: " +
                                                (index < devices.size() ? devices[index].detail : "there is none of that number"));
    cuda_check(cudaSetDevice(device), "selecting a CUDA device");
}

}  // namespace warpath::experiments
