#include <optional>

#include "backends/cuda/cuda_backend.cuh"
#include "backends/device_frame.h"

namespace warpath {

#include "schedulers_elsewhere.h"  // made by CMake: `extern template` for every scheduler

namespace {

class CudaRenderBackend final : public RenderBackend {
  public:
    explicit CudaRenderBackend(int device) : device_(device), backend_(std::in_place, device), scene_(std::in_place) {}
    ~CudaRenderBackend() override {
        try {
            const DeviceTurn turn(device_, nullptr);
            backend_->park_service();
            scene_.reset();
            backend_.reset();
        } catch (const Error&) {  // the device is lost; what is freed after this is lost with it
        }
    }

    std::string name() const override { return "cuda"; }
    std::string device_name() const override {
        const DeviceInfo info = list_cuda_devices().at(static_cast<size_t>(device_));
        return info.name + ", " + info.detail;
    }
    void load(const SceneData& scene, const Bvh& bvh) override {
        const DeviceTurn turn = backend_->take_turn();
        backend_->park_service();
        scene_->upload(*backend_, scene, bvh);
    }
    FramePlan plan(const RenderJob& job) override {
        const DeviceTurn turn = backend_->take_turn();
        backend_->park_service();  // asking for a kernel's occupancy loads it, which waits for the device to be idle
        backend_->use(job.schedule);
        return plan_frame(*backend_, job, scene_->allocated_bytes());
    }
    std::unique_ptr<BackendFrame> prepare(const RenderJob& job, const SchedulePlan& plan, const BackendFrame* sibling) override {
        return std::make_unique<DeviceFrame<CudaBackend>>(*backend_, *scene_, job, plan, static_cast<const DeviceFrame<CudaBackend>*>(sibling));
    }
    uint64_t allocated_bytes() const override { return backend_->own_bytes() + scene_->allocated_bytes(); }
    uint64_t context_bytes() const override { return backend_->context_bytes(); }
    /// A launch and its tail should be small beside the tile.
    uint64_t least_tile_paths() const override { return 1u << 18; }

  private:
    int device_;
    std::optional<CudaBackend> backend_;
    std::optional<DeviceScene<CudaBackend>> scene_;
};

}  // namespace

std::unique_ptr<RenderBackend> make_cuda_backend(int device) {
    const std::vector<DeviceInfo> devices = list_cuda_devices();
    if (device < 0 || static_cast<size_t>(device) >= devices.size())
        throw Error(ErrorCode::Unavailable, "there is no CUDA device " + std::to_string(device) + "; devices 0 to " +
                                                std::to_string(devices.size() - 1) + " are known");
    if (!devices[static_cast<size_t>(device)].usable)
        throw Error(ErrorCode::Unavailable, "CUDA device " + std::to_string(device) + " cannot be used: " + devices[static_cast<size_t>(device)].detail);
    return std::make_unique<CudaRenderBackend>(device);
}

std::vector<DeviceInfo> list_cuda_devices() {
    int count = 0;
    const cudaError_t result = cudaGetDeviceCount(&count);
    if (result != cudaSuccess || count == 0) {
        cudaGetLastError();
        return {{"cuda", "no CUDA device", result == cudaSuccess ? "the driver lists none" : cudaGetErrorString(result), false}};
    }
    std::vector<DeviceInfo> devices;
    for (int i = 0; i < count; ++i) {
        cudaDeviceProp properties{};
        cuda_check(cudaGetDeviceProperties(&properties, i), "asking for the properties of a device");
        char detail[128];
        snprintf(detail, sizeof detail, "%d SMs, compute capability %d.%d, %.0f GiB", properties.multiProcessorCount, properties.major,
                 properties.minor, static_cast<double>(properties.totalGlobalMem) / (1u << 30));
        devices.push_back({"cuda", properties.name, detail, true});
    }
    return devices;
}

}  // namespace warpath
