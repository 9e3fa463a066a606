#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "warpath/renderer.h"

/// A progressive frame: somebody looks at a scene, changes it and the way it is rendered, and sees samples come in.
namespace warpath {

/// What a developed picture shows.
enum class DisplayLayer : uint32_t {
    Color,    ///< radiance, with exposure and tone curve: the values that write_image puts into a PNG
    Albedo,   ///< sRGB, neither exposure nor curve. Needs the AOV "albedo"
    Normal,   ///< x, y and z from -1..1 to 0..255. Needs the AOV "normal"
    Depth,    ///< by the colour scale, mean distance of the first hit. Needs the AOV "depth"
    Samples,  ///< by the colour scale, finished samples
    // By the colour scale, means of a sample. One needs the AOV of its name, and a film has one of them at a time.
    Cost,           ///< node steps and triangle tests
    NodeSteps,
    TriangleTests,
    Bounces,        ///< rays after the camera's, shadow rays aside
};

struct DevelopOptions {
    DisplayLayer layer = DisplayLayer::Color;
    ToneCurve tone_curve = ToneCurve::Filmic;
    float exposure = 0.0f;                   ///< in stops
    float scale_min = 0, scale_max = 0;      ///< values at both ends of the colour scale; LiveFrame::scale_of() suggests some where scale_max is 0
};

/// The colour scale of depth, samples and costs at `x` in 0..1, as R, G, B bytes, for a legend beside the picture.
std::array<uint8_t, 3> scale_color(float x);

/// The surface that the ray through a pixel's middle meets first.
struct Pick {
    std::array<float, 3> position{}, normal{};  ///< world; the normal is geometric, unit, and faces the eye
    float distance = 0;                         ///< from the eye
    float view_distance = 0;                    ///< along the view axis: what CameraOption::focus_distance wants
    uint32_t material = 0;
    std::string material_name;
    std::string object_name;                    ///< of the instance, or else of its mesh; empty where the file names neither
    uint64_t triangle = 0;
};

/// What one call of LiveFrame::add_samples came to.
struct LivePass {
    uint32_t num_samples = 0;        ///< added to each pixel
    bool stopped = false;            ///< the stop flag ended it early. What it added is part of the picture, which restarts with the next call
    FrameTiming timing;
    FrameRecord record;              ///< when groups were busy and idle. Empty where the kernel stays (`resident`)
    std::optional<Timeline> timeline;  ///< batches and queue depths, where RenderOptions::timeline asks for one
    std::string scheduler;           ///< that `auto` chose, or as asked for
    std::string warning;             ///< after an abort by the watchdog: what waited where. Else empty
};

struct LiveFrameImpl;

/// Made by Renderer::prepare_live, which keeps the scene in the device's memory for longer than the renderer itself.
/// The film after n samples is, bit for bit, that of render() with spp = n and the same camera, scene and options, whatever schedulers and numbers of
/// samples at a time it came from, as long as spp <= 65536 in both.
/// Changes: `set_...` functions say whether the picture began anew: true where something visible changed. They change nothing when they throw.
/// Threads: frames of one renderer are used by one thread at a time, pick() and material() included.
/// A frame whose scheduler is `resident` holds the device from add_samples on, until park(), another frame's add_samples or the destructor: while it does,
/// the caller must not launch, allocate, free or map anything on that device, or wait for it as a whole (so park() before mapping a graphics API's
/// buffer or handing it back: it takes microseconds). develop() of this frame may, and copies between host and device.
class LiveFrame {
  public:
    explicit LiveFrame(std::unique_ptr<LiveFrameImpl> impl);
    ~LiveFrame();
    LiveFrame(LiveFrame&&) noexcept;
    LiveFrame& operator=(LiveFrame&&) noexcept;

    /// Takes over all options but backend, devices, number of threads (they are the renderer's). `spp` above 65536 makes room for as many samples.
    /// Scheduler, pool, batch, blocks, refill threshold, watchdog and timeline leave the picture alone. Memory of schedulers used before is kept as
    /// long as there is room, so that switching back and forth allocates nothing.
    /// Errors:  BadOption, Unavailable, OutOfMemory, Device.
    bool set_options(const RenderOptions& options);
    const RenderOptions& options() const;
    /// Errors:  BadInput for a camera that sees nothing.
    bool set_camera(const CameraOption& camera);
    const CameraOption& camera() const;
    /// Replaces the map's rotation (to the right, degrees) and factor. Rotation costs nothing; a factor rebuilds the tables by which the map is
    /// sampled, about 0.1 s for each million texels.
    /// Errors:  BadInput for values that are not finite or a negative factor; Unavailable where the scene has no environment.
    bool set_environment(float rotation_deg, float scale);
    /// Replaces a material's parameters for this frame; the loaded scene stays as it is. Values out of range are clamped as when loading. Emission, or
    /// alpha of a material that emits, rebuilds the tables by which emitters are found: as long as finding emitters took when the scene was loaded.
    /// Errors:  BadOption for an index that is out of range; BadInput for values that are not finite; Unavailable where a material that was opaque when
    ///          loaded would become transparent (the BVH does not ask its alpha).
    bool set_material(uint32_t material, const MaterialParameters& parameters);
    MaterialParameters material(uint32_t material) const;
    /// Empties the film.
    void restart();

    /// Renders `n` more samples of each pixel with the current scheduler, as many as there is room for, and adds them to the film.
    /// Stop:    as for render(): what was begun is finished.
    /// Drop:    ends as soon as it can, in the middle of paths (`resident`: as stop). The film is then good for nothing but a restart, which the next
    ///          add_samples, or a change of what is visible, makes.
    /// Errors:  Device.
    LivePass add_samples(uint32_t n, const std::atomic<bool>* stop = nullptr, const std::atomic<bool>* drop = nullptr);
    uint32_t num_samples() const;    ///< that every pixel has
    uint32_t max_samples() const;    ///< where the film is full: 65536, or more by RenderOptions::spp

    /// The picture so far as RGBA bytes, rows from the top, alpha 255. A pixel without a sample is black.
    /// Shapes:  rgba[4 * width * height], host memory; pinned memory is faster with CUDA.
    /// Errors:  BadOption where the layer was not asked for in RenderOptions::aovs; Device.
    void develop(const DevelopOptions& options, uint8_t* rgba);
    /// As develop, into memory of the device, complete when the function returns: a buffer of a graphics API that the caller has mapped, say. On the
    /// CPU the same as develop. `resident` writes it from the kernel that stays.
    /// Needs:   d_rgba aligned to 4 bytes.
    void develop_on_device(const DevelopOptions& options, void* d_rgba);
    /// Ends of the colour scale that show a layer well: for depth the scene's extent, for samples what was asked for, for costs four times the mean.
    std::array<float, 2> scale_of(DisplayLayer layer) const;

    /// Errors:  BadOption for a pixel outside of the picture. Unset where the ray meets nothing.
    std::optional<Pick> pick(uint32_t x, uint32_t y) const;

    /// Image and numbers of the film so far, as PreparedFrame::result: what the command line writes to files. Counters, figures and time are of the
    /// last pass.
    /// Errors:  BadOption when nothing has been rendered.
    RenderResult result();
    /// A hash of the film's exact sums of radiance and numbers of samples, as PreparedFrame::film_checksum.
    uint64_t film_checksum();
    const std::vector<MemoryItem>& memory_plan() const;

    /// Lets a kernel that stays (`resident`) leave the device; the next add_samples starts it again. Does nothing for other schedulers.
    void park();

  private:
    std::unique_ptr<LiveFrameImpl> impl_;
};

}  // namespace warpath
