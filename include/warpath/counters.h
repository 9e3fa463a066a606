#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace warpath {

/// Everything that is counted while rendering, in two lists: what kernels count, and what the host adds once a frame is over. One
/// entry here is all that a new counter needs. docs/counters.md explains them.
enum class Counter : uint32_t {
#define WARPATH_KERNEL_COUNTERS(X)                                                                           \
    X(Paths, "paths", "paths started")                                                                       \
    X(FinishedPaths, "paths", "paths finished and added to the film")                                        \
    X(CameraRays, "rays", "extension rays traced from the camera")                                           \
    X(ExtensionRays, "rays", "extension rays traced after a scattering")                                     \
    X(ShadowRays, "rays", "shadow rays traced")                                                              \
    X(NodeSteps, "steps", "BVH nodes visited")                                                               \
    X(TriangleTests, "tests", "ray-triangle tests")                                                          \
    X(AlphaTests, "tests", "alpha tests of candidate hits")                                                  \
    X(ShadedHits, "hits", "surface hits shaded")                                                             \
    X(Misses, "rays", "extension rays that left the scene")                                                  \
    X(BadSamples, "samples", "samples dropped because they were NaN or infinite")                            \
    X(ClampedSamples, "samples", "samples clamped to the film's range")                                      \
    X(BatchesGrabbed, "batches", "batches taken from a work counter")                                        \
    X(FailedGrabs, "grabs", "grabs that found a work counter used up")                                       \
    X(GrabTicks, "ticks", "time of grabs: SM clock cycles on CUDA, nanoseconds on the CPU")                  \
    X(EmptyPolls, "polls", "looks for work, by groups without any, that found none")                         \
    X(NodeGroupSteps, "steps", "BVH nodes visited by the lanes of a group side by side")                     \
    X(TriangleGroupTests, "tests", "ray-triangle tests by the lanes of a group side by side")                \
    X(GenerateBatches, "batches", "generate batches run by groups")                                          \
    X(IntersectBatches, "batches", "intersect batches run by groups")                                        \
    X(ShadeBatches, "batches", "shade batches run by groups")                                                \
    X(OccludeBatches, "batches", "occlude batches run by groups")                                            \
    X(GenerateItems, "items", "slots in generate batches")                                                   \
    X(IntersectItems, "items", "slots in intersect batches")                                                 \
    X(ShadeItems, "items", "slots in shade batches")                                                         \
    X(OccludeItems, "items", "slots in occlude batches")
#define WARPATH_HOST_COUNTERS(X)                                                                             \
    X(GroupRuns, "runs", "times that a group ran a kernel")                                                  \
    X(BusyTime, "ns", "time of groups in kernels, without the time they were idle")                          \
    X(IdleTime, "ns", "time of groups in kernels without work, or at a barrier")                             \
    X(Launches, "launches", "kernels and graphs that the host launched")                                     \
    X(LaunchTime, "ns", "time of the host in launching calls")                                               \
    X(WaitTime, "ns", "time of the host waiting for the device to end the frame")                                             \
    X(BytesToDevice, "bytes", "copied from the host to the device")                                          \
    X(BytesToHost, "bytes", "copied from the device to the host")
#define X(id, unit, meaning) id,
    WARPATH_KERNEL_COUNTERS(X) WARPATH_HOST_COUNTERS(X)
#undef X
        count
};
inline constexpr size_t num_counters = static_cast<size_t>(Counter::count);
inline constexpr size_t num_kernel_counters = static_cast<size_t>(Counter::GroupRuns);  ///< these come first

struct CounterInfo {
    const char *name, *unit, *meaning;
};
/// Name, unit and meaning of each counter, in order.
inline constexpr std::array<CounterInfo, num_counters> counter_infos{{
#define X(id, unit, meaning) {#id, unit, meaning},
    WARPATH_KERNEL_COUNTERS(X) WARPATH_HOST_COUNTERS(X)
#undef X
}};
using Counters = std::array<uint64_t, num_counters>;

}  // namespace warpath
