#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "warpath/counters.h"
#include "warpath/image.h"
#include "warpath/scene.h"
#include "warpath/statistics.h"
#include "warpath/timeline.h"

namespace warpath {

/// 0 or empty means "choose".
struct RenderOptions {
    uint32_t width = 1280, height = 720;
    uint32_t spp = 64;
    uint32_t max_depth = 16;         ///< scattering events of a path; 0 shows emitters only
    uint64_t seed = 0;
    std::string scheduler = "auto";  ///< or one of list_schedulers(); "auto" picks one by backend, paths and depth, and the result names it
    std::string backend;             ///< "cpu", "cuda", or empty: CUDA when built in and a device answers, else CPU
    uint32_t device = 0;             ///< which of the backend's devices, counted as list_devices gives them
    std::vector<uint32_t> devices;   ///< several that share the frame, instead of `device`; one may be named twice. Empty: `device` alone
    std::string sampler = "sobol";   ///< "sobol" (Owen-scrambled) or "independent"
    std::string filter = "blackman-harris";  ///< "box", "gaussian" or "blackman-harris"
    uint32_t num_threads = 0;        ///< CPU: worker threads; 0: all cores
    uint32_t batch = 0;              ///< paths taken from the work counter at a time
    uint32_t pool = 0;               ///< path slots; 0: from the device
    uint32_t blocks_per_sm = 0;      ///< CUDA, persistent kernels; 0: by occupancy
    uint32_t reserve_sms = 0;        ///< CUDA: multiprocessors that kernels which hold the device leave to others, one at least being kept
    uint32_t block_size = 0;         ///< CUDA: threads per block, at most what a kernel is built for; 0: that
    uint32_t refill_below = 0;       ///< lanes of a warp with a ray under way below which the others take new ones; 0: tuned
    double watchdog_s = 10.0;        ///< give up after so long without progress
    bool timeline = false;           ///< keep a timeline of batches and host calls
    uint32_t timeline_events = 0;    ///< kept per warp or thread; 0: 65,536, or fewer where that is more than 2 million in all
    std::vector<std::string> aovs;   ///< of albedo, normal, depth, samples, and one of cost, node-steps, triangle-tests, bounces
};

struct Progress {
    uint64_t num_finished_paths = 0, num_paths = 0, num_rays = 0;
    double elapsed_s = 0;
};

/// Where a renderer reports to. Called from the rendering thread, at most a few times a second.
class OutputTarget {
  public:
    virtual ~OutputTarget() = default;
    /// Before the first ray: what will be allocated and where.
    virtual void plan(const std::string& /*text*/) {}
    virtual void progress(const Progress&) {}
};

struct MemoryItem {
    std::string name;
    uint64_t size_bytes = 0;
};

struct RenderResult {
    Image image;                     ///< R, G, B, then the layers asked for ("albedo.R", "normal.X", "depth.Z", "samples.Y", "cost.Y" or "bounces.Y" ...)
    bool stopped = false;            ///< `stop` was set: fewer samples than asked for, still unbiased
    bool incomplete = false;         ///< the watchdog gave up: paths in flight were lost
    std::string backend, backend_reason, device, scheduler;
    Counters counters{};
    Figures figures{};               ///< derived from counters and record. Figures of time are 0 where no times were kept
    FrameRecord record;              ///< without times for `resident` and for several devices
    std::optional<Timeline> timeline;
    double setup_ms = 0, upload_ms = 0, render_ms = 0;
    uint64_t num_launches = 0;
    uint32_t num_slots = 0, num_groups = 0, batch = 0;
    std::vector<MemoryItem> memory_plan;      ///< printed before the first ray
    uint64_t memory_allocated_bytes = 0;      ///< what warpath's own allocations came to
    uint64_t memory_context_bytes = 0;        ///< CUDA context and modules, apart
    std::vector<uint64_t> rays_by_bounce;     ///< extension rays, index = bounce; the last entry holds the rest
    std::vector<uint64_t> shadow_rays_by_bounce;
    std::vector<std::string> warnings;        ///< e.g. NaN samples with their pixels
};

/// What one run of a prepared frame came to.
struct FrameTiming {
    double time_ms = 0;              ///< from the host's call to the completion of the schedule, by the host's steady clock. The device is
                                     ///< idle before. With several devices, from the first one's start to the last one's end
    uint64_t num_launches = 0;       ///< by the host
    bool aborted = false;            ///< the watchdog gave up
    Counters counters{};             ///< read after the time was taken
    Figures figures{};               ///< derived from them and from the groups' times
};

/// How long tasks that render nothing take a scheduler that stays on the device (`resident`). Host clock, microseconds, one task after the other.
struct ServiceTimes {
    std::vector<double> fence_us;      ///< post to completion of a task that one group answers
    std::vector<double> started_us;    ///< post to the host's seeing that a task for all blocks was begun
    std::vector<double> empty_us;      ///< post to completion of a task for all blocks
    double handover_ns = 0;            ///< mean over blocks, from handing a task out to a block's seeing it (device clock)
    uint64_t num_ahead = 0, num_lost = 0;  ///< tasks posted as fast as the ring takes them, and those never completed
    double ahead_ms = 0;
};

struct RendererImpl;
struct PreparedFrameImpl;

/// A frame with all that it needs in the devices' memory, to be rendered as often as you like. Made by Renderer::prepare, which keeps it valid
/// for longer than the renderer itself.
/// Threads: frames of one renderer are used by one thread at a time.
class PreparedFrame {
  public:
    explicit PreparedFrame(std::unique_ptr<PreparedFrameImpl> impl);
    ~PreparedFrame();
    PreparedFrame(PreparedFrame&&) noexcept;
    PreparedFrame& operator=(PreparedFrame&&) noexcept;

    /// Clears film, counters and control words, waits for the devices, and renders the frame into the same memory. Nothing is allocated,
    /// uploaded or recorded between runs, beyond what the scheduler itself does.
    /// Stop:    as for render().
    /// Errors:  Device.
    FrameTiming run(const std::atomic<bool>* stop = nullptr);
    /// Clears the film and renders the frame's paths in passes of equal size, as a progressive renderer does; with `resident`, passes are posted ahead.
    /// Gives milliseconds from the first one's start to the last one's end. One device only.
    double run_passes(uint32_t num_passes);
    /// Errors:  Unavailable where the frame's scheduler is not a service. One device only.
    ServiceTimes time_service(uint32_t num_tasks);
    /// Image and numbers of the last run.
    /// Errors:  BadOption when nothing has run yet.
    RenderResult result();
    /// The same without image and warnings: nothing is copied from the devices.
    /// Errors:  BadOption when nothing has run yet.
    RenderResult numbers();
    /// A hash of the last run's exact sums of radiance and numbers of samples: equal films, equal hashes.
    uint64_t film_checksum();
    const std::vector<MemoryItem>& memory_plan() const;

  private:
    std::unique_ptr<PreparedFrameImpl> impl_;
};

class LiveFrame;

/// A scene in the memory of the devices that the options ask for, from where any number of frames is rendered.
/// Threads: one at a time.
class Renderer {
  public:
    /// Picks the devices by `backend`, `device`, `devices` and `num_threads` and uploads scene and BVH; the other options
    /// do not matter. Errors:  Unavailable, OutOfMemory, Device.
    Renderer(const LoadedScene& scene, const RenderOptions& options);

    /// Allocates all that a frame needs. Frames of different options may be prepared side by side, as long as memory lasts.
    /// Errors:  BadOption, also where the options ask for other devices than the renderer has; Unavailable, OutOfMemory, Device.
    PreparedFrame prepare(const RenderOptions& options) const;
    /// A frame to look at and to change while it is rendered (warpath/live_frame.h). Several may share a renderer, and so the scene's memory.
    /// Errors:  as prepare; BadOption where the renderer has several devices.
    LiveFrame prepare_live(const RenderOptions& options) const;
    /// As the function render(), but for the upload.
    RenderResult render(const RenderOptions& options, OutputTarget& target, const std::atomic<bool>* stop = nullptr) const;
    double upload_ms() const;        ///< that scene and BVH took
    std::string backend() const;     ///< "cpu" or "cuda"
    std::string device() const;      ///< its name and size; several are separated by semicolons

  private:
    std::shared_ptr<RendererImpl> impl_;
};

/// Renders one image, by a Renderer of its own. Blocking; uses all threads or the devices asked for.
/// The image depends on scene, seed, sampler, filter, spp, depth, size and kind of backend only: never on scheduler, threads, batch,
/// pool, blocks or the number of devices.
/// Stop:    set *stop (a signal handler may); no new path starts, those in flight finish, the result is unbiased.
/// Errors:  BadOption, Unavailable, OutOfMemory, Device.
RenderResult render(const LoadedScene& scene, const RenderOptions& options, OutputTarget& target,
                    const std::atomic<bool>* stop = nullptr);

/// The memory plan of such a render, without rendering.
std::vector<MemoryItem> memory_plan(const LoadedScene& scene, const RenderOptions& options);

struct DeviceInfo {
    std::string backend, name, detail;  ///< detail: "132 SMs, compute capability 9.0, 141 GB", or why it cannot be used
    bool usable = false;
};
struct SchedulerInfo {
    std::string name, summary;
    bool on_cpu = false, on_cuda = false;
};
std::vector<DeviceInfo> list_devices();
std::vector<SchedulerInfo> list_schedulers();
/// "0.1.0", and one line on how the library was built.
std::string version();
std::string build_description();

}  // namespace warpath
