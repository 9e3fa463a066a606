#pragma once

#include <bit>

#include "api/pick.h"
#include "api/renderer_impl.h"
#include "api/scene_editor.h"

namespace warpath {

/// What decides how a pass is scheduled and what memory that takes. Frames are kept by it.
struct ScheduleKey {
    std::string scheduler;           ///< `auto` has chosen
    ScheduleOptions options;
    uint32_t max_depth = 0, pass_samples = 0, timeline_events = 0;
    bool timeline = false;

    bool operator==(const ScheduleKey&) const = default;
};

/// A frame for one way of scheduling. All of a LiveFrame share one film.
struct ScheduledFrame {
    ScheduleKey key;
    FramePlan plan;
    std::unique_ptr<BackendFrame> frame;
};

/// What a LiveFrame holds.
struct LiveFrameImpl {
    LiveFrameImpl(std::shared_ptr<RendererImpl> shared, const RenderOptions& asked);

    bool set_options(const RenderOptions& asked);
    bool set_camera(const CameraOption& asked);
    bool set_scene(bool changed);
    LivePass add_samples(uint32_t n, const std::atomic<bool>* stop, const std::atomic<bool>* drop);
    void develop(const DevelopOptions& asked, uint32_t* rgba, bool on_device);
    RenderResult result();
    FilmColumns<HostColumn> film();
    const ScheduledFrame& active() const { return frames.back(); }
    uint64_t num_pixels() const { return static_cast<uint64_t>(job.frame.width) * job.frame.height; }
    uint32_t max_samples() const { return job.frame.spp; }

    std::shared_ptr<RendererImpl> renderer;
    RenderOptions options;
    SceneEditor editor;
    CameraOption camera;
    std::vector<float> srgb_steps;
    RenderJob job;                   ///< the current one; its range is that of a pass, its spp what the film has room for
    uint32_t pass_samples = 1;       ///< that plans are made for: the largest number asked for at a time, a power of two
    uint32_t num_samples = 0;        ///< that every pixel has
    bool is_fresh = true;            ///< the film is empty, or will be emptied before it is used
    bool needs_clear = false;
    bool is_uneven = false;          ///< a pass ended early: some pixels have more samples than others
    std::optional<RunOutcome> last;  ///< of the last pass
    CounterWords counters{};         ///< of the film's passes together
    double render_ms = 0;
    std::vector<ScheduledFrame> frames;  ///< the last is in use; destroyed before what they refer to

  private:
    RenderBackend& device() const { return *renderer->chosen.devices.front(); }
    RenderJob job_for(const RenderOptions& asked, uint32_t samples_per_pass) const;
    /// Makes the frame for `next` the last of `frames`; a frame of another film's shape takes the place of all.
    void use_frame(const RenderJob& next, bool keeps_film);
    ScheduledFrame make_frame(const RenderJob& next, const ScheduleKey& key, const BackendFrame* sibling);
    void clear_if_needed();
    void restart();
    friend class LiveFrame;
};

}  // namespace warpath
