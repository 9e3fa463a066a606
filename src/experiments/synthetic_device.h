#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "experiments/cost_stream.h"
#include "schedulers/schedule.h"

/// Runs real schedulers on synthetic stages (SyntheticStages), on a real backend.
namespace warpath::experiments {

/// A frame of synthetic work.
struct SyntheticWork {
    CostStream stream;                  ///< without paths: num_paths paths of rays_per_path extension rays without steps
    uint64_t num_paths = 0;
    uint32_t rays_per_path = 1;
    uint32_t spins_per_step = 16, steps_per_round = 8;
    std::array<uint32_t, num_shading_classes> shade_spins{};
    uint32_t state_words = 0;           ///< 64-bit words that a shading reads and writes in its slot

    bool has_stream() const { return stream.num_paths() > 0; }
    uint64_t paths() const { return has_stream() ? stream.num_paths() : num_paths; }
    uint32_t bounces() const { return has_stream() ? stream.most_bounces() : rays_per_path; }
    /// Spins of all paths together, and of the path that has most: what a schedule is bounded by.
    uint64_t total_spins() const;
    uint64_t longest_path_spins() const;
};

/// What a run of a frame came to.
struct SyntheticOutcome {
    double time_ms = 0;                 ///< from the host's call to the completion of the schedule, as a PreparedFrame has it
    uint64_t num_launches = 0;
    bool aborted = false;
    std::string stall_report;           ///< after an abort
    uint64_t num_once = 0, num_never = 0, num_more = 0;  ///< paths, by how often they ended
    uint64_t num_wrong_steps = 0;       ///< paths that made other steps than the stream has
    bool correct(uint64_t num_paths) const { return !aborted && num_once == num_paths && num_wrong_steps == 0; }
};

/// How fast a device spins, at its best of several tries.
struct SpinRates {
    double all_lanes = 0;               ///< spins per millisecond with every lane that fits at work
    double one_lane = 0;                ///< of a lane alone
    uint64_t num_lanes = 0;
    double tolerance = 0;               ///< by how much a run may seem faster than the bound, as clocks change: of the bound
    /// No schedule of the work takes less: neither do all lanes spin faster, nor does a lane with the longest path.
    double least_ms(const SyntheticWork& work) const;
    bool beaten(double time_ms, double least) const { return time_ms < (1 - tolerance) * least; }
};

/// A frame in a device's memory, with a scheduler. Used by one thread; destroyed before its device.
class SyntheticFrame {
  public:
    virtual ~SyntheticFrame() = default;
    virtual SyntheticOutcome run() = 0;
    virtual const SchedulePlan& plan() const = 0;
};

class SyntheticDevice {
  public:
    virtual ~SyntheticDevice() = default;
    virtual std::string name() const = 0;   ///< "cpu" or "cuda"
    /// Every scheduler that runs here, with `static`.
    virtual std::vector<std::string> schedulers() const = 0;
    /// The work must outlive the frame.
    /// Errors:  Unavailable for a scheduler that does not run here; OutOfMemory; Device.
    virtual std::unique_ptr<SyntheticFrame> prepare(const SyntheticWork& work, const std::string& scheduler, const ScheduleOptions& options) = 0;
    virtual SpinRates measure_spins() = 0;
};

/// num_threads: 0 for all cores.
std::unique_ptr<SyntheticDevice> make_cpu_synthetic_device(uint32_t num_threads);
/// Errors:  Unavailable, saying why the device cannot be used, or that CUDA is not built in.
std::unique_ptr<SyntheticDevice> make_cuda_synthetic_device(int device);

}  // namespace warpath::experiments
