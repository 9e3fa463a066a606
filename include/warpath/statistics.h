#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "warpath/counters.h"

/// How a frame's time was spent: what follows from the counters and from the records of its groups.
namespace warpath {

/// The groups that ran at one place, one after the other: a warp slot of an SM on CUDA, where a resident warp stays; a thread on the CPU.
/// Units:   nanoseconds; times count from the moment when the first group of the frame began.
struct GroupTimes {
    uint32_t sm = 0, slot = 0;       ///< CPU: sm 0, and the thread
    uint32_t block = 0;              ///< of the last group here
    uint64_t first_work_ns = 0, last_work_ns = 0;
    uint64_t busy_ns = 0;            ///< in kernels, without idle_ns
    uint64_t idle_ns = 0;            ///< in kernels without work, or at a barrier
    uint64_t num_runs = 0;           ///< groups that ran here, counted once per kernel
};

/// From this time on, so many groups were busy.
struct BusyStep {
    uint64_t time_ns = 0;
    uint32_t num_busy = 0;
};

/// All of it for one frame.
struct FrameRecord {
    uint32_t group_size = 1;         ///< lanes
    std::vector<GroupTimes> groups;  ///< places where a group ran
    std::vector<BusyStep> busy;      ///< ordered; the last step is the end, with 0. As fine as a 1024th of the time passed
    uint64_t span_ns = 0;            ///< from the first group's beginning to the last one's end
    uint64_t gap_ns = 0;             ///< of it between kernels, where no group ran
    uint64_t frame_ns = 0;           ///< what the host waited for: from before the first launch to after the last one's end
};

/// What follows from counters and records. One entry here is all that a new figure needs, beside its line in derive_figures.
enum class Figure : uint32_t {
#define WARPATH_FIGURES(X)                                                                                                           \
    X(NodeEfficiency, "share", "lanes at work per BVH node step: NodeSteps / (lanes of a group * NodeGroupSteps)")                    \
    X(TriangleEfficiency, "share", "lanes at work per triangle test: TriangleTests / (lanes of a group * TriangleGroupTests)")        \
    X(ShadeEfficiency, "share", "lanes at work per shade batch: ShadeItems / (lanes of a group * ShadeBatches)")                      \
    X(GenerateEfficiency, "share", "lanes at work per generate batch: GenerateItems / (lanes of a group * GenerateBatches)")          \
    X(Imbalance, "ratio", "busy time of the busiest place by the mean, minus 1")                                                      \
    X(BusyVariation, "ratio", "standard deviation of the busy time of places by its mean")                                            \
    X(IdleShare, "share", "idle time by idle and busy time of all groups")                                                            \
    X(Tail, "ns", "from the last work of the place that was out of work first to the end")                                            \
    X(TailShare, "share", "Tail by the time between the first group's beginning and the end")                                         \
    X(Under90, "share", "of the same time: with fewer than 90 % as many groups busy as ever were together")                           \
    X(Under50, "share", "of the same time: with fewer than 50 % as many groups busy as ever were together")                           \
    X(LaunchOverhead, "share", "of the frame: before the first group, between kernels and after the last group")                      \
    X(HostLaunchShare, "share", "of the frame: the host in launching calls")                                                          \
    X(HostWaitShare, "share", "of the frame: the host waiting for the device")
#define X(id, unit, meaning) id,
    WARPATH_FIGURES(X)
#undef X
        count
};
inline constexpr size_t num_figures = static_cast<size_t>(Figure::count);
/// Name, unit and meaning of each figure, in order.
inline constexpr std::array<CounterInfo, num_figures> figure_infos{{
#define X(id, unit, meaning) {#id, unit, meaning},
    WARPATH_FIGURES(X)
#undef X
}};
using Figures = std::array<double, num_figures>;

/// A pure function. A figure whose parts were not counted is 0 (1 for efficiencies of what never ran).
Figures derive_figures(const Counters& counters, const FrameRecord& record);

}  // namespace warpath
