#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backends/account_storage.h"
#include "backends/host_log.h"
#include "bvh/bvh.h"
#include "core/context.h"
#include "render/develop.h"
#include "render/frame.h"
#include "scene/scene_edit.h"
#include "schedulers/schedule.h"
#include "warpath/renderer.h"

namespace warpath {

using CounterWords = std::array<uint64_t, num_counter_words>;  ///< in the order that core/context.h gives

/// One image to make, as a backend gets it.
struct RenderJob {
    const SceneData* scene = nullptr;
    const Bvh* bvh = nullptr;
    FrameConstants frame;
    FilmConstants film;
    bool albedo = false, normal = false, depth = false;  ///< layers asked for
    std::optional<CostKind> cost;                        ///< another one
    std::string scheduler;
    ScheduleOptions schedule;
    double watchdog_s = 10.0;
    bool timeline = false;                              ///< keep every batch and host call
    uint32_t events_per_place = 0;                      ///< of the timeline; 0: chosen
    const std::vector<float>* srgb_steps = nullptr;     ///< of a frame that will be developed (render/tone.h); null: it will not
    const std::atomic<bool>* stop = nullptr;            ///< may be null
    const std::atomic<bool>* drop = nullptr;            ///< may be null: nobody wants the frame any more, not even what was begun
    /// Called now and then while rendering, with the counters so far.
    std::function<void(const CounterWords&)> report;
};

/// How a frame will be rendered, and what it takes.
struct FramePlan {
    SchedulePlan schedule;
    std::vector<MemoryItem> memory;                      ///< with scene and BVH
};

/// Who watches a run.
struct RunHooks {
    const std::atomic<bool>* stop = nullptr;             ///< may be null
    std::function<void(const CounterWords&)> report;     ///< may be empty
    const std::atomic<bool>* drop = nullptr;             ///< may be null
};

/// What rendering a range of paths came to.
struct RunOutcome {
    CounterWords counters{};
    ScheduleOutcome schedule;
    std::string stall_report;                            ///< after an abort: which wait gave up, and what waited where
    double time_ms = 0;                                  ///< from the host's call to the completion of the schedule
    GroupAccounts accounts;                              ///< empty where none were kept
    HostLog host;                                        ///< the host's calls, from clearing to reading the counters
    uint64_t frame_begin_ns = 0, frame_end_ns = 0;       ///< host_clock_ns() around the scheduler's run; 0 for several devices together
    uint64_t frame_wait_ns = 0;                          ///< of it: waiting for the device
    uint32_t group_size = 1;
};

/// A frame with all that it needs in a device's memory. Used by one host thread at a time, and no two frames of a backend at a time.
class BackendFrame {
  public:
    virtual ~BackendFrame() = default;
    /// Empties the film.
    virtual void clear() = 0;
    /// Renders some of the paths and adds them to the film. Clears control words and counters first, outside of the measured time.
    /// Errors:  Device for a failed call.
    virtual RunOutcome run(const PathRange& range, const RunHooks& hooks) = 0;
    /// Renders all paths in passes of equal size, one after the other, and gives the milliseconds from the first one's start to the last one's end,
    /// without what clears words in between. Where the scheduler is a service, passes are posted ahead.
    virtual double run_passes(uint32_t num_passes, const RunHooks& hooks) = 0;
    /// Sends a service tasks that render nothing. Errors: Unavailable where the scheduler is none.
    virtual ServiceTimes time_service(uint32_t num_tasks) = 0;
    virtual void download(FilmColumns<HostColumn>& film) = 0;
    /// As download, for the last time: the film may be moved out, and the frame must not run again.
    virtual void take_film(FilmColumns<HostColumn>& film) = 0;
    /// From now on the constants, stops and limits of another job whose plan and film's shape are this frame's, and an edited scene (null: as loaded).
    /// The edit stays alive and unmoved as long as the frame. Memory of edited columns is shared with siblings, which must be updated before they run.
    virtual void update(const RenderJob& job, const SceneEdit* edit) = 0;
    /// Writes the film's picture; `settings` brings layer, curve and scale. rgba[pixels]: host memory, or the device's where `on_device` says so.
    /// Needs:   RenderJob::srgb_steps. Errors: Device.
    virtual void develop(DevelopSettings settings, uint32_t* rgba, bool on_device) = 0;
    /// A kernel of this frame that stays on the device leaves it.
    virtual void park() = 0;
    virtual uint64_t allocated_bytes() const = 0;
};

/// A device that can render. Implemented by backends/cpu and backends/cuda.
/// Threads: one host thread at a time.
class RenderBackend {
  public:
    virtual ~RenderBackend() = default;
    virtual std::string name() const = 0;                ///< "cpu" or "cuda"
    virtual std::string device_name() const = 0;
    /// Puts scene and BVH into the device's memory; both stay alive as long as the backend. To be called once, before prepare.
    /// Errors:  OutOfMemory naming the buffer; Device for a failed call.
    virtual void load(const SceneData& scene, const Bvh& bvh) = 0;
    /// Errors:  Unavailable for a scheduler that is unknown or does not run here.
    virtual FramePlan plan(const RenderJob& job) = 0;
    /// Allocates what a plan says. The backend must outlive the frame. `sibling`: a frame of this backend whose film, of the same shape, the new one
    /// shares, for as long as either lives; null for a film of its own.
    /// Errors:  OutOfMemory naming the buffer; Device for a failed call.
    virtual std::unique_ptr<BackendFrame> prepare(const RenderJob& job, const SchedulePlan& plan, const BackendFrame* sibling = nullptr) = 0;
    virtual uint64_t allocated_bytes() const = 0;        ///< scene, BVH and the backend's own words, without frames
    virtual uint64_t context_bytes() const = 0;
    /// Fewer paths than these are not worth a device's turn.
    virtual uint64_t least_tile_paths() const = 0;
};

std::unique_ptr<RenderBackend> make_cpu_backend(uint32_t num_threads);
/// Errors:  Unavailable when no device answers.
std::unique_ptr<RenderBackend> make_cuda_backend(int device);
/// Devices that CUDA lists, or one entry that says why there are none.
std::vector<DeviceInfo> list_cuda_devices();

}  // namespace warpath
