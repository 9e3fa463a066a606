#include "experiments/device_identity.h"

#include <vector>

#include "warpath/renderer.h"
#if WARPATH_HAS_CUDA
#include <cuda_runtime_api.h>
#endif

namespace warpath::experiments {

std::string pci_bus_id(uint32_t device) {
#if WARPATH_HAS_CUDA
    char text[32] = {};
    if (cudaDeviceGetPCIBusId(text, sizeof text, static_cast<int>(device)) == cudaSuccess) return text;
    cudaGetLastError();
#endif
    (void)device;
    return "";
}

std::string device_text(const std::string& backend, uint32_t device) {
    uint32_t number = 0;
    for (const DeviceInfo& info : list_devices()) {
        if (info.backend != backend) continue;
        if (number++ == device) return backend == "cpu" ? info.name : info.name + ", " + info.detail;
    }
    return "unknown";
}

}  // namespace warpath::experiments
