#include "backends/cpu/cpu_backend.h"

#include <fstream>
#include <thread>

#include "backends/device_frame.h"
#include "bvh/wide_traverse.h"

namespace warpath {

namespace {

std::string processor_name() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);)
        if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
    return "CPU";
}

using CpuFrame = DeviceFrame<CpuBackend, StagesWith<WideTraversal>>;

class CpuRenderBackend final : public RenderBackend {
  public:
    explicit CpuRenderBackend(uint32_t num_threads) : num_threads_(num_threads), backend_(num_threads) {}

    std::string name() const override { return "cpu"; }
    std::string device_name() const override {
        return processor_name() + ", " + std::to_string(num_threads_) + (num_threads_ == 1 ? " thread" : " threads");
    }
    void load(const SceneData& scene, const Bvh& bvh) override {
        scene_.upload(backend_, scene, bvh);
        wide_tree(bvh).show_to(scene_.bvh_view);
    }
    FramePlan plan(const RenderJob& job) override {
        FramePlan plan = plan_frame(backend_, job, scene_.allocated_bytes());
        const auto is_tree = [](const MemoryItem& item) { return item.name == "BVH"; };
        const auto tree = std::find_if(plan.memory.begin(), plan.memory.end(), is_tree);
        plan.memory.insert(tree + 1, {"wide BVH", wide_tree(*job.bvh).size_bytes()});
        return plan;
    }
    std::unique_ptr<BackendFrame> prepare(const RenderJob& job, const SchedulePlan& plan, const BackendFrame* sibling) override {
        return std::make_unique<CpuFrame>(backend_, scene_, job, plan, static_cast<const CpuFrame*>(sibling));
    }
    uint64_t allocated_bytes() const override { return backend_.own_bytes() + scene_.allocated_bytes() + wide_.size_bytes(); }
    uint64_t context_bytes() const override { return 0; }
    uint64_t least_tile_paths() const override { return 256ull * num_threads_; }

  private:
    /// Made when first asked for, by a plan or by load; a backend has one scene.
    const WideBvh& wide_tree(const Bvh& bvh) {
        if (wide_.nodes.empty()) wide_ = collapse(bvh.view(), num_threads_);
        return wide_;
    }

    uint32_t num_threads_;
    CpuBackend backend_;
    DeviceScene<CpuBackend> scene_;
    WideBvh wide_;
};

}  // namespace

std::unique_ptr<RenderBackend> make_cpu_backend(uint32_t num_threads) {
    const uint32_t cores = std::max(1u, std::thread::hardware_concurrency());
    return std::make_unique<CpuRenderBackend>(num_threads ? num_threads : cores);
}

}  // namespace warpath
