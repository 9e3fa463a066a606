#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <string>

#include "warpath/error.h"
#include "warpath/renderer.h"

/// Rendering through the public API, and bit comparison of what comes out.
namespace warpath::testing {

inline LoadedScene load_shipped_scene(const std::string& name) {
    return LoadedScene::load(std::string(WARPATH_SOURCE_DIR) + "/scenes/" + name);
}

inline RenderOptions small_frame(const std::string& backend) {
    RenderOptions options;
    options.width = 61, options.height = 35;
    options.spp = 4;
    options.max_depth = 8;
    options.seed = 5;
    options.backend = backend;
    options.aovs = {"albedo", "normal", "depth", "samples", "cost"};
    return options;
}

inline RenderResult render_quietly(const LoadedScene& scene, const RenderOptions& options) {
    OutputTarget silent;
    return render(scene, options, silent);
}

/// The first channel in which two images differ by a bit, with the number of values that do; empty if none.
inline std::string first_difference(const Image& a, const Image& b) {
    if (a.width != b.width || a.height != b.height || a.channels.size() != b.channels.size()) return "different shapes";
    for (size_t c = 0; c < a.channels.size(); ++c) {
        size_t num_different = 0;
        for (size_t i = 0; i < a.channels[c].values.size(); ++i)
            num_different += std::memcmp(&a.channels[c].values[i], &b.channels[c].values[i], sizeof(float)) != 0;
        if (num_different) return a.channels[c].name + ": " + std::to_string(num_different) + " values differ";
    }
    return {};
}

/// Sets the stop flag at the first report of progress.
struct StopAtOnce : OutputTarget {
    std::atomic<bool> stop{false};
    void progress(const Progress&) override { stop = true; }
};

/// The schedulers that a backend runs.
inline std::vector<SchedulerInfo> schedulers_of(const std::string& backend) {
    std::vector<SchedulerInfo> found;
    for (const SchedulerInfo& scheduler : list_schedulers())
        if (backend == "cpu" ? scheduler.on_cpu : scheduler.on_cuda) found.push_back(scheduler);
    return found;
}

/// Every scheduler, stopped at its first report: all started paths are finished and counted in the film. `options` must
/// ask for far more samples than are rendered by then.
inline void expect_stop_to_finish_paths(RenderOptions options) {
    const LoadedScene scene = load_shipped_scene("furnace.json");
    for (const SchedulerInfo& scheduler : schedulers_of(options.backend)) {
        options.scheduler = scheduler.name;
        StopAtOnce target;
        const RenderResult result = render(scene, options, target, &target.stop);
        EXPECT_TRUE(result.stopped) << scheduler.name;
        EXPECT_FALSE(result.incomplete);
        const uint64_t started = result.counters[static_cast<size_t>(Counter::Paths)];
        EXPECT_EQ(result.counters[static_cast<size_t>(Counter::FinishedPaths)], started) << scheduler.name;
        double samples = 0;
        for (float n : result.image.find("samples.Y")->values) samples += n;
        EXPECT_EQ(samples, static_cast<double>(started)) << scheduler.name;
    }
}

/// Every scheduler: the memory plan is within 5 % of the allocations.
inline void expect_plan_near_allocations(RenderOptions options) {
    const LoadedScene scene = load_shipped_scene("cornell.json");
    for (const SchedulerInfo& scheduler : schedulers_of(options.backend)) {
        options.scheduler = scheduler.name;
        uint64_t planned = 0;
        for (const MemoryItem& item : memory_plan(scene, options)) planned += item.size_bytes;
        const RenderResult result = render_quietly(scene, options);
        const double expected = static_cast<double>(planned);
        EXPECT_NEAR(static_cast<double>(result.memory_allocated_bytes), expected, 0.05 * expected) << scheduler.name;
    }
}

inline bool cuda_device_answers() {
    const std::vector<DeviceInfo> devices = list_devices();
    return std::any_of(devices.begin(), devices.end(),
                       [](const DeviceInfo& d) { return d.backend == "cuda" && d.usable; });
}
#define WARPATH_SKIP_WITHOUT_GPU() \
    if (!::warpath::testing::cuda_device_answers()) GTEST_SKIP() << "no CUDA device answers"

}  // namespace warpath::testing
