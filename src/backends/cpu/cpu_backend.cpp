#include "backends/cpu/cpu_backend.h"

#include <fstream>
#include <thread>

#include "backends/device_frame.h"

namespace warpath {

namespace {

std::string processor_name() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);)
        if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
    return "CPU";
}

class CpuRenderBackend final : public RenderBackend {
  public:
    explicit CpuRenderBackend(uint32_t num_threads) : num_threads_(num_threads), backend_(num_threads) {}

    std::string name() const override { return "cpu"; }
    std::string device_name() const override {
        return processor_name() + ", " + std::to_string(num_threads_) + (num_threads_ == 1 ? " thread" : " threads");
    }
    void load(const SceneData& scene, const Bvh& bvh) override { scene_.upload(backend_, scene, bvh); }
    FramePlan plan(const RenderJob& job) override { return plan_frame(backend_, job, scene_.allocated_bytes()); }
    std::unique_ptr<BackendFrame> prepare(const RenderJob& job, const SchedulePlan& plan, const BackendFrame* sibling) override {
        return std::make_unique<DeviceFrame<CpuBackend>>(backend_, scene_, job, plan, static_cast<const DeviceFrame<CpuBackend>*>(sibling));
    }
    uint64_t allocated_bytes() const override { return backend_.own_bytes() + scene_.allocated_bytes(); }
    uint64_t context_bytes() const override { return 0; }
    uint64_t least_tile_paths() const override { return 256ull * num_threads_; }

  private:
    uint32_t num_threads_;
    CpuBackend backend_;
    DeviceScene<CpuBackend> scene_;
};

}  // namespace

std::unique_ptr<RenderBackend> make_cpu_backend(uint32_t num_threads) {
    const uint32_t cores = std::max(1u, std::thread::hardware_concurrency());
    return std::make_unique<CpuRenderBackend>(num_threads ? num_threads : cores);
}

}  // namespace warpath
