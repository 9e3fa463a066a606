#include "backends/cuda/sm_partition.h"

#include <cuda.h>
#include <dlfcn.h>

namespace warpath {

namespace {

/// A function of the driver that this process has loaded, or null.
template <class Function>
Function* driver_function(const char* name) {
    void* driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
    if (!driver) return nullptr;
    void* function = dlsym(driver, name);
    dlclose(driver);  // the runtime keeps it loaded
    return reinterpret_cast<Function*>(function);
}

}  // namespace

std::unique_ptr<SmPartition> SmPartition::make(int device, uint32_t num_sms) {
#if CUDA_VERSION >= 12050
    const auto get_resource = driver_function<decltype(cuDeviceGetDevResource)>("cuDeviceGetDevResource");
    const auto split = driver_function<decltype(cuDevSmResourceSplitByCount)>("cuDevSmResourceSplitByCount");
    const auto describe = driver_function<decltype(cuDevResourceGenerateDesc)>("cuDevResourceGenerateDesc");
    const auto create = driver_function<decltype(cuGreenCtxCreate)>("cuGreenCtxCreate");
    const auto create_stream = driver_function<decltype(cuGreenCtxStreamCreate)>("cuGreenCtxStreamCreate");
    if (!get_resource || !split || !describe || !create || !create_stream) return nullptr;

    CUdevResource all{}, part{}, rest{};
    unsigned num_parts = 1;
    if (get_resource(device, &all, CU_DEV_RESOURCE_TYPE_SM) != CUDA_SUCCESS) return nullptr;
    if (split(&part, &num_parts, &all, &rest, 0, num_sms) != CUDA_SUCCESS || num_parts != 1) return nullptr;
    if (part.sm.smCount >= all.sm.smCount) return nullptr;
    CUdevResourceDesc description{};
    if (describe(&description, &part, 1) != CUDA_SUCCESS) return nullptr;

    std::unique_ptr<SmPartition> partition(new SmPartition);
    CUgreenCtx context = nullptr;
    if (create(&context, description, device, CU_GREEN_CTX_DEFAULT_STREAM) != CUDA_SUCCESS) return nullptr;
    partition->context_ = context;
    CUstream stream = nullptr;
    if (create_stream(&stream, context, CU_STREAM_NON_BLOCKING, 0) != CUDA_SUCCESS) return nullptr;
    partition->stream_ = stream;
    partition->num_sms_ = part.sm.smCount;
    return partition;
#else
    static_cast<void>(device), static_cast<void>(num_sms);
    return nullptr;
#endif
}

SmPartition::~SmPartition() {
#if CUDA_VERSION >= 12050
    if (stream_) cudaStreamDestroy(stream_);
    const auto destroy = driver_function<decltype(cuGreenCtxDestroy)>("cuGreenCtxDestroy");
    if (context_ && destroy) destroy(static_cast<CUgreenCtx>(context_));
#endif
}

}  // namespace warpath
