#include "backends/cpu/cpu_backend.h"

#include <fstream>
#include <thread>

#include "backends/execute.h"

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
    std::vector<MemoryItem> memory_plan(const RenderJob& job) override {
        return plan_memory(job, plan_schedule(backend_, job), CpuBackend::num_counter_copies);
    }
    RenderOutcome render(const RenderJob& job) override { return execute(backend_, job); }

  private:
    uint32_t num_threads_;
    CpuBackend backend_;
};

}  // namespace

std::unique_ptr<RenderBackend> make_cpu_backend(uint32_t num_threads) {
    const uint32_t cores = std::max(1u, std::thread::hardware_concurrency());
    return std::make_unique<CpuRenderBackend>(num_threads ? num_threads : cores);
}

}  // namespace warpath
