#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bvh/bvh.h"
#include "core/context.h"
#include "render/frame.h"
#include "scene/scene_data.h"
#include "schedulers/schedule.h"
#include "warpath/renderer.h"

namespace warpath {

/// One image to make, as a backend gets it.
struct RenderJob {
    const SceneData* scene = nullptr;
    const Bvh* bvh = nullptr;
    FrameConstants frame;
    FilmConstants film;
    bool albedo = false, normal = false, depth = false, cost = false;  ///< layers asked for
    std::string scheduler;
    ScheduleOptions schedule;
    double watchdog_s = 10.0;
    const std::atomic<bool>* stop = nullptr;            ///< may be null
    /// Called now and then while rendering, with the counters so far (core/context.h gives their order).
    std::function<void(const std::array<uint64_t, num_counter_words>&)> report;
    std::function<void(const std::vector<MemoryItem>&, const SchedulePlan&)> planned;  ///< called before anything is allocated
};

/// What comes back: sums, counters, times.
struct RenderOutcome {
    FilmColumns<HostColumn> film;
    std::array<uint64_t, num_counter_words> counters{};
    SchedulePlan plan;
    ScheduleOutcome schedule;
    std::string stall_report;                            ///< after an abort: which wait gave up, and what waited where
    uint64_t allocated_bytes = 0, context_bytes = 0;
    double upload_ms = 0, render_ms = 0;
};

/// A kind of device that can render. Implemented by backends/cpu and backends/cuda.
class RenderBackend {
  public:
    virtual ~RenderBackend() = default;
    virtual std::string name() const = 0;                ///< "cpu" or "cuda"
    virtual std::string device_name() const = 0;
    virtual std::vector<MemoryItem> memory_plan(const RenderJob& job) = 0;
    /// Errors:  OutOfMemory naming the buffer; Device for a failed call; Unavailable for an unknown scheduler.
    virtual RenderOutcome render(const RenderJob& job) = 0;
};

std::unique_ptr<RenderBackend> make_cpu_backend(uint32_t num_threads);
/// Errors:  Unavailable when no device answers.
std::unique_ptr<RenderBackend> make_cuda_backend(int device, uint32_t blocks_per_sm);
/// Devices that CUDA lists, or one entry that says why there are none.
std::vector<DeviceInfo> list_cuda_devices();

}  // namespace warpath
