#include "experiments/cuda/green_contexts.cuh"

namespace warpath::experiments {

#if CUDART_VERSION >= 12050

struct GreenContexts::Driver {
    decltype(&cuDeviceGet) device_get = nullptr;
    decltype(&cuCtxSetCurrent) ctx_set_current = nullptr;
    decltype(&cuDeviceGetDevResource) device_get_resource = nullptr;
    decltype(&cuDevSmResourceSplitByCount) split_by_count = nullptr;
    decltype(&cuDevResourceGenerateDesc) generate_desc = nullptr;
    decltype(&cuGreenCtxCreate) create = nullptr;
    decltype(&cuGreenCtxDestroy) destroy = nullptr;
    decltype(&cuCtxFromGreenCtx) context_of = nullptr;
    decltype(&cuGreenCtxStreamCreate) stream_create = nullptr;

    template <class Function>
    static bool find(const char* name, Function& function) {
        void* pointer = nullptr;
        cudaDriverEntryPointQueryResult found{};
        const bool ok = cudaGetDriverEntryPointByVersion(name, &pointer, 12050, cudaEnableDefault, &found) == cudaSuccess && found == cudaDriverEntryPointSuccess;
        if (!ok) cudaGetLastError();
        function = reinterpret_cast<Function>(pointer);
        return ok && pointer;
    }
    bool find_all() {
        return find("cuDeviceGet", device_get) && find("cuCtxSetCurrent", ctx_set_current) && find("cuDeviceGetDevResource", device_get_resource) &&
               find("cuDevSmResourceSplitByCount", split_by_count) && find("cuDevResourceGenerateDesc", generate_desc) && find("cuGreenCtxCreate", create) &&
               find("cuGreenCtxDestroy", destroy) && find("cuCtxFromGreenCtx", context_of) && find("cuGreenCtxStreamCreate", stream_create);
    }
};

GreenContexts::GreenContexts(int device, uint32_t reserved) : driver_(new Driver), device_(device) {
    if (!driver_->find_all())
        why_not_ = "the driver has no green contexts";
    else if (!split(device, reserved) && why_not_.empty())
        why_not_ = "the driver refuses to split the device into green contexts";
    enter(nullptr);
}

bool GreenContexts::split(int device, uint32_t reserved) {
    CUdevice handle = 0;
    CUdevResource all{}, groups[2] = {};
    unsigned num_groups = 1;
    if (driver_->device_get(&handle, device) != CUDA_SUCCESS || driver_->device_get_resource(handle, &all, CU_DEV_RESOURCE_TYPE_SM) != CUDA_SUCCESS) return false;
    if (driver_->split_by_count(&groups[1], &num_groups, &all, &groups[0], 0, reserved) != CUDA_SUCCESS || num_groups != 1) return false;
    for (int i = 0; i < 2; ++i) {
        CUdevResourceDesc description{};
        if (driver_->generate_desc(&description, &groups[i], 1) != CUDA_SUCCESS) return false;
        if (driver_->create(&green_[i], description, handle, CU_GREEN_CTX_DEFAULT_STREAM) != CUDA_SUCCESS) return false;
        if (driver_->context_of(&parts_[i].context, green_[i]) != CUDA_SUCCESS) return false;
        CUstream stream = nullptr;
        if (driver_->stream_create(&stream, green_[i], CU_STREAM_NON_BLOCKING, 0) != CUDA_SUCCESS) return false;
        parts_[i].stream = stream;
        parts_[i].num_sms = groups[i].sm.smCount;
    }
    return true;
}

GreenContexts::~GreenContexts() {
    for (int i = 0; i < 2; ++i) {
        if (parts_[i].stream) cudaStreamDestroy(parts_[i].stream);
        if (green_[i]) driver_->destroy(green_[i]);
    }
    cudaSetDevice(device_);
    delete driver_;
}

void GreenContexts::enter(const Part* part) const {
    if (part && driver_->ctx_set_current(part->context) != CUDA_SUCCESS) throw Error(ErrorCode::Device, "a green context cannot be made current");
    if (!part) cuda_check(cudaSetDevice(device_), "selecting a CUDA device");
}

#else

GreenContexts::GreenContexts(int device, uint32_t) : device_(device), why_not_("green contexts need a build with CUDA 12.5 or later") {}
GreenContexts::~GreenContexts() = default;
void GreenContexts::enter(const Part*) const {}

#endif

}  // namespace warpath::experiments
