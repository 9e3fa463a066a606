#pragma once

#include <optional>

#include "api/device_team.h"
#include "api/render_options.h"
#include "warpath/renderer.h"

namespace warpath {

/// What a Renderer holds.
struct RendererImpl {
    LoadedScene scene;
    RenderOptions options;  ///< that picked the devices
    ChosenBackend chosen;
    double upload_ms = 0;
    FilmColumns<HostColumn> checked_film = {};  ///< where frames put theirs to be hashed, one after the other: memory that is there already is written much sooner

    /// "cuda (asked for), NVIDIA H200, ..."
    std::string device_text() const;
    std::string device_names() const;
};

/// The tiles of the job's frame, the largest first: that one a frame's plan is made for. One device renders all paths at once.
std::vector<PathRange> tiles_for(const RenderJob& job, const Devices& devices);
/// The job's scheduler, or the one that `auto` picks for the device.
std::string chosen_scheduler(const RenderJob& job, bool on_cuda);

/// Errors:  BadOption where the options ask for other devices than the renderer has.
void check_same_devices(const RenderOptions& has, const RenderOptions& asked);
/// What a result says of its renderer.
void describe_devices(RenderResult& result, const RendererImpl& renderer);
/// Adds what one device's part of a frame takes.
void add_plan(RenderResult& result, const SchedulePlan& plan, const RenderBackend& device, const BackendFrame& frame);

/// What a PreparedFrame holds.
struct PreparedFrameImpl {
    std::shared_ptr<RendererImpl> renderer;
    RenderJob job;  ///< its range is the first tile; one device renders all paths at once
    std::vector<std::string> aovs;
    std::vector<FramePlan> plans;    ///< by device
    std::vector<MemoryItem> memory;  ///< of all devices
    DeviceFrames frames;             ///< by device; destroyed before the renderer
    std::optional<RunOutcome> last;
    double prepare_ms = 0;

    /// Decides all sizes; nothing is allocated yet.
    /// Errors:  BadOption, Unavailable.
    PreparedFrameImpl(std::shared_ptr<RendererImpl> renderer, const RenderOptions& options);
    void allocate();
    const RunOutcome& run(const RunHooks& hooks);
    /// `take`: the frame will not run again, so films need not be copied where they are the host's.
    FilmColumns<HostColumn> film(bool take);
    /// The film in the renderer's own memory, valid until a frame of it asks again.
    const FilmColumns<HostColumn>& film_to_check();
    RenderResult result(bool take);
    /// A result without image and warnings.
    RenderResult numbers();
};

}  // namespace warpath
