#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "warpath/renderer.h"

namespace warpath::experiments {

/// Which stages of a bounce share a kernel.
enum class Fusion { Split, ShadeOcclude, IntersectShade, All };
inline constexpr const char* fusion_names[] = {"split", "shade + occlude", "intersect + shade", "all"};

struct FusedKernel {
    std::string stages;
    int registers = 0, local_bytes = 0;  ///< of a thread
    int blocks_per_sm = 0;               ///< of 128 threads, that are resident together
};

struct FusedRun {
    double time_ms = 0;     ///< host clock, from the first launch to the end of the last
    uint64_t film = 0;      ///< a hash of the film's sums: the same for every fusion
    uint64_t num_rays = 0;
    bool aborted = false;
};

/// A frame on CUDA whose bounces are a few kernels over lists of slots, a slot for every path and one trace of a ray at a time: the plainest wavefront there is, so
/// that nothing but fusion differs.
/// Threads: one.
class FusedFrame {
  public:
    virtual ~FusedFrame() = default;
    virtual FusedRun run() = 0;
    virtual std::vector<FusedKernel> kernels() const = 0;
    virtual uint32_t launches_per_bounce() const = 0;
    /// Bytes of slot numbers that go through lists in device memory for each ray, by the last run.
    virtual double list_bytes_per_ray() const = 0;
};

/// A scene on a device, for frames of every fusion.
class FusionProbe {
  public:
    static constexpr uint32_t most_depth = 64;
    static constexpr uint64_t most_paths = 1u << 23;

    virtual ~FusionProbe() = default;
    /// The probe must outlive the frame. Errors:  BadOption for more paths or bounces than there is room for; OutOfMemory; Device.
    virtual std::unique_ptr<FusedFrame> prepare(const RenderOptions& options, Fusion fusion) = 0;
};

/// Errors:  Unavailable, saying why the device cannot be used, or that CUDA is not built in; OutOfMemory; Device.
std::unique_ptr<FusionProbe> make_fusion_probe(int device, const LoadedScene& scene);

}  // namespace warpath::experiments
