#pragma once

#include "support/render_image.h"

/// Frames that are prepared once and run several times.
namespace warpath::testing {

inline void expect_same_work(const Counters& a, const Counters& b, const std::string& what) {
    for (Counter id : {Counter::Paths, Counter::FinishedPaths, Counter::CameraRays, Counter::ExtensionRays,
                       Counter::ShadowRays, Counter::NodeSteps, Counter::ShadedHits})
        EXPECT_EQ(a[static_cast<size_t>(id)], b[static_cast<size_t>(id)])
            << what << ", " << counter_infos[static_cast<size_t>(id)].name;
}

/// Every scheduler: three runs of a prepared frame give the bits and the counts of a render of its own.
inline void expect_runs_to_repeat(const RenderOptions& base) {
    const LoadedScene scene = load_shipped_scene("cornell.json");
    const RenderResult reference = render_quietly(scene, base);
    const Renderer renderer(scene, base);
    for (const auto& [name, summary, on_cpu, on_cuda] : schedulers_of(base.backend)) {
        RenderOptions options = base;
        options.scheduler = name;
        PreparedFrame frame = renderer.prepare(options);
        uint64_t first_checksum = 0, num_launches = 0;
        for (int run = 0; run < 3; ++run) {
            const FrameTiming timing = frame.run();
            EXPECT_FALSE(timing.aborted) << name;
            EXPECT_GT(timing.time_ms, 0.0) << name;
            expect_same_work(reference.counters, timing.counters, name);
            if (run == 0) first_checksum = frame.film_checksum(), num_launches = timing.num_launches;
            EXPECT_EQ(frame.film_checksum(), first_checksum) << name;
            if (name == "resident" && run > 0) {
                EXPECT_EQ(timing.num_launches, 0u) << "the kernel is there already";
            } else if (name != "launch-async" && name != "hybrid") {  // which launch ahead as long as they are not told of the end
                EXPECT_EQ(timing.num_launches, num_launches) << name;
            }
        }
        const RenderResult result = frame.result();
        EXPECT_EQ(first_difference(reference.image, result.image), "") << name;
        EXPECT_EQ(first_difference(reference.image, frame.result().image), "")
            << name << ": a result takes nothing away";
        EXPECT_EQ(reference.rays_by_bounce, result.rays_by_bounce) << name;
        EXPECT_EQ(reference.backend, result.backend);
    }
}

/// Frames of every scheduler and of two films, prepared side by side and run in turn, disturb each other in nothing.
inline void expect_frames_to_stay_apart(const RenderOptions& base) {
    const LoadedScene scene = load_shipped_scene("cornell.json");
    RenderOptions other = base;
    other.width = 23, other.height = 41, other.max_depth = 3, other.seed = 9, other.aovs = {};
    const RenderResult references[2] = {render_quietly(scene, base), render_quietly(scene, other)};
    std::vector<PreparedFrame> frames;
    {
        const Renderer renderer(scene, base);
        for (const auto& [name, summary, on_cpu, on_cuda] : schedulers_of(base.backend))
            for (RenderOptions options : {base, other}) {
                options.scheduler = name;
                frames.push_back(renderer.prepare(options));
            }
    }  // frames outlive their renderer
    for (int round = 0; round < 2; ++round)
        for (size_t i = 0; i < frames.size(); ++i)
            expect_same_work(references[i % 2].counters, frames[i].run().counters, "frame " + std::to_string(i));
    for (size_t i = 0; i < frames.size(); ++i)
        EXPECT_EQ(first_difference(references[i % 2].image, frames[i].result().image), "") << "frame " << i;
}

/// Two devices, here one named twice: the bits and the counts of one, for every scheduler and for frames of few and of
/// many tiles.
inline void expect_devices_to_share_a_frame(const RenderOptions& base) {
    const LoadedScene scene = load_shipped_scene("cornell.json");
    const RenderResult reference = render_quietly(scene, base);
    RenderOptions options = base;
    options.devices = {0, 0};
    const Renderer renderer(scene, options);
    for (const auto& [name, summary, on_cpu, on_cuda] : schedulers_of(base.backend)) {
        options.scheduler = name;
        if (name == "resident" && base.backend == "cuda") {  // holds its device, so a second one has no room on it
            EXPECT_THROW(renderer.prepare(options), Error);
            continue;
        }
        PreparedFrame frame = renderer.prepare(options);
        for (int run = 0; run < 2; ++run) expect_same_work(reference.counters, frame.run().counters, name);
        const RenderResult result = frame.result();
        EXPECT_EQ(first_difference(reference.image, result.image), "") << name;
        EXPECT_EQ(reference.rays_by_bounce, result.rays_by_bounce) << name;
        EXPECT_EQ(reference.shadow_rays_by_bounce, result.shadow_rays_by_bounce) << name;
        EXPECT_FALSE(result.stopped || result.incomplete) << name;
    }
}

}  // namespace warpath::testing
