#include <thread>

#include "backends/render_backend.h"
#include "schedulers/list.h"

namespace warpath {

std::vector<DeviceInfo> list_devices() {
    std::vector<DeviceInfo> devices{{"cpu", make_cpu_backend(0)->device_name(), "always there", true}};
#if WARPATH_HAS_CUDA
    for (const DeviceInfo& device : list_cuda_devices()) devices.push_back(device);
#else
    devices.push_back({"cuda", "no CUDA device", "this build has no CUDA backend", false});
#endif
    return devices;
}

std::vector<SchedulerInfo> list_schedulers() {
    std::vector<SchedulerInfo> schedulers;
    SchedulerList::for_each([&]<class Scheduler>() { schedulers.push_back({Scheduler::name, Scheduler::summary, PortableScheduler<Scheduler>, true}); });
    return schedulers;
}

std::string version() { return WARPATH_VERSION; }

std::string build_description() {
    std::string text = std::string("C++ ") + WARPATH_COMPILER + ", " + WARPATH_BUILD_TYPE + ", " + WARPATH_ARCH;
#if WARPATH_HAS_CUDA
    text += std::string(", CUDA ") + WARPATH_CUDA_VERSION + " for compute capabilities " + WARPATH_CUDA_ARCHS;
#else
    text += ", without CUDA";
#endif
    return text;
}

}  // namespace warpath
