#include "warpath/live_frame.h"

#include <algorithm>
#include <cmath>

#include "api/film_image.h"
#include "api/frame_record.h"
#include "api/image_srgb.h"
#include "api/live_frame_impl.h"
#include "api/material_parameters.h"
#include "api/render_result.h"
#include "warpath/error.h"

namespace warpath {

namespace {

constexpr size_t max_kept_frames = 4;  // schedulers whose memory is kept for when they are chosen again

Vec3 vec3(const std::array<float, 3>& a) { return {a[0], a[1], a[2]}; }

Camera camera_of(const CameraOption& option) {
    Camera camera;
    camera.eye = vec3(option.eye), camera.target = vec3(option.target), camera.up = vec3(option.up);
    camera.vfov_deg = option.vfov_deg;
    camera.aperture = option.aperture, camera.focus_distance = option.focus_distance;
    return camera;
}

bool same_film(const RenderJob& a, const RenderJob& b) {
    return a.frame.width == b.frame.width && a.frame.height == b.frame.height && a.albedo == b.albedo && a.normal == b.normal && a.depth == b.depth &&
           a.cost.has_value() == b.cost.has_value();
}
/// Of two jobs with the same camera, scene and film.
bool same_samples(const RenderJob& a, const RenderJob& b) {
    return a.frame.spp == b.frame.spp && a.frame.max_depth == b.frame.max_depth && a.frame.seed == b.frame.seed && a.frame.sampler == b.frame.sampler &&
           a.frame.filter == b.frame.filter && a.cost == b.cost;
}

void check_one_device(const RendererImpl& renderer) {
    if (renderer.chosen.devices.size() != 1)
        throw Error(ErrorCode::BadOption, "a live frame is rendered by one device; choose it with --device instead of --devices");
}

bool has_layer(const RenderJob& job, DisplayLayer layer) {
    switch (layer) {
        case DisplayLayer::Albedo: return job.albedo;
        case DisplayLayer::Normal: return job.normal;
        case DisplayLayer::Depth: return job.depth;
        case DisplayLayer::Cost: return job.cost == CostKind::Steps;
        case DisplayLayer::NodeSteps: return job.cost == CostKind::NodeSteps;
        case DisplayLayer::TriangleTests: return job.cost == CostKind::TriangleTests;
        case DisplayLayer::Bounces: return job.cost == CostKind::Bounces;
        default: return true;
    }
}

uint64_t counted(const CounterWords& words, Counter id) { return words[static_cast<size_t>(id)]; }

}  // namespace

LiveFrameImpl::LiveFrameImpl(std::shared_ptr<RendererImpl> shared, const RenderOptions& asked)
    : renderer(std::move(shared)), options(asked), editor(renderer->scene.impl()), camera(renderer->scene.info().camera), srgb_steps(make_srgb_steps()) {
    check_one_device(*renderer);
    check_same_devices(renderer->options, asked);
    const RenderJob first = job_for(asked, pass_samples);
    use_frame(first, false);
    job = first;
}

RenderJob LiveFrameImpl::job_for(const RenderOptions& asked, uint32_t samples_per_pass) const {
    const SceneImpl& scene = renderer->scene.impl();
    RenderJob next = make_job(scene.data, scene.bvh, asked);
    next.frame.spp = std::max(asked.spp, film_sample_room);
    next.frame.camera = camera_constants(camera_of(camera), asked.width, asked.height);
    next.film = film_of(editor.edit().constants, vec3(camera.eye), next.frame.spp, next.cost);
    next.frame.range = {0, static_cast<uint64_t>(asked.width) * asked.height * samples_per_pass};
    next.scheduler = chosen_scheduler(next, device().name() == "cuda");
    next.srgb_steps = &srgb_steps;
    return next;
}

ScheduledFrame LiveFrameImpl::make_frame(const RenderJob& next, const ScheduleKey& key, const BackendFrame* sibling) {
    ScheduledFrame made{key, device().plan(next), nullptr};
    made.frame = device().prepare(next, made.plan.schedule, sibling);
    return made;
}

void LiveFrameImpl::use_frame(const RenderJob& next, bool keeps_film) {
    const ScheduleKey key{next.scheduler,       next.schedule, next.frame.max_depth, static_cast<uint32_t>(next.frame.range.count / (uint64_t{next.frame.width} * next.frame.height)),
                          next.events_per_place, next.timeline};
    const auto known = std::find_if(frames.begin(), frames.end(), [&](const ScheduledFrame& frame) { return frame.key == key; });
    if (keeps_film && known != frames.end()) {
        std::rotate(known, known + 1, frames.end());
        return;
    }
    ScheduledFrame made;
    try {
        made = make_frame(next, key, keeps_film ? frames.back().frame.get() : nullptr);
    } catch (const Error& error) {
        if (error.code() != ErrorCode::OutOfMemory || frames.size() < 2) throw;
        frames.erase(frames.begin(), frames.end() - 1);  // what was kept for later
        made = make_frame(next, key, keeps_film ? frames.back().frame.get() : nullptr);
    }
    if (!keeps_film) frames.clear();
    if (frames.size() >= max_kept_frames) frames.erase(frames.begin());
    frames.push_back(std::move(made));
}

bool LiveFrameImpl::set_options(const RenderOptions& asked) {
    check_same_devices(renderer->options, asked);
    const RenderJob next = job_for(asked, pass_samples);
    const bool keeps_film = same_film(job, next), keeps_picture = keeps_film && same_samples(job, next);
    use_frame(next, keeps_film);
    job = next;
    options = asked;
    if (!keeps_picture) restart();
    if (!keeps_film) needs_clear = false;
    return !keeps_picture;
}

bool LiveFrameImpl::set_camera(const CameraOption& asked) {
    if (asked == camera) return false;
    job.frame.camera = camera_constants(camera_of(asked), job.frame.width, job.frame.height);
    camera = asked;
    return set_scene(true);
}

bool LiveFrameImpl::set_scene(bool changed) {
    if (!changed) return false;
    job.film = film_of(editor.edit().constants, vec3(camera.eye), job.frame.spp, job.cost);
    restart();
    return true;
}

void LiveFrameImpl::restart() {
    needs_clear = needs_clear || !is_fresh;
    is_fresh = true;
    is_uneven = false;
    num_samples = 0;
    last.reset();
    counters = {};
    render_ms = 0;
}

void LiveFrameImpl::clear_if_needed() {
    active().frame->update(job, &editor.edit());
    if (needs_clear) active().frame->clear();
    needs_clear = false;
}

LivePass LiveFrameImpl::add_samples(uint32_t n, const std::atomic<bool>* stop, const std::atomic<bool>* drop) {
    if (is_uneven) restart();
    n = std::min(n, max_samples() - num_samples);
    LivePass pass;
    pass.scheduler = job.scheduler;
    if (n == 0) return pass;
    if (n > pass_samples) {
        const uint32_t wanted = std::min(std::bit_ceil(n), max_samples());
        const RenderJob next = job_for(options, wanted);
        use_frame(next, true);
        job = next;
        pass_samples = wanted;
        pass.scheduler = job.scheduler;
    }
    clear_if_needed();
    is_fresh = false;
    is_uneven = true;  // also when the device fails now
    const PathRange range{num_pixels() * num_samples, num_pixels() * n};
    last.emplace(active().frame->run(range, {stop, {}, drop}));
    for (size_t i = 0; i < counters.size(); ++i) counters[i] += last->counters[i];
    render_ms += last->time_ms;
    if (drop && drop->load(std::memory_order_relaxed)) last->schedule.aborted = false;  // it was asked to give up
    is_uneven = last->schedule.aborted || counted(last->counters, Counter::FinishedPaths) != range.count;
    if (!is_uneven) num_samples += n;
    pass.num_samples = is_uneven ? 0 : n;
    pass.stopped = is_uneven && !last->schedule.aborted;
    pass.record = frame_record(*last);
    pass.timing = frame_timing(*last, pass.record);
    if (job.timeline) pass.timeline = frame_timeline(*last);
    if (last->schedule.aborted) pass.warning = abort_text(job, *last);
    return pass;
}

void LiveFrameImpl::develop(const DevelopOptions& asked, uint32_t* rgba, bool on_device) {
    if (!has_layer(job, asked.layer)) throw Error(ErrorCode::BadOption, "this layer is not rendered; add it to the frame's aovs to look at it");
    if (!std::isfinite(asked.exposure)) throw Error(ErrorCode::BadOption, "the exposure must be a finite number of stops");
    clear_if_needed();
    DevelopSettings settings;
    settings.layer = static_cast<DevelopLayer>(std::min(asked.layer, DisplayLayer::Cost));
    settings.filmic = asked.tone_curve == ToneCurve::Filmic;
    settings.exposure_scale = std::exp2(asked.exposure);
    settings.scale_min = asked.scale_min, settings.scale_max = asked.scale_max;
    active().frame->develop(settings, rgba, on_device);
}

FilmColumns<HostColumn> LiveFrameImpl::film() {
    if (!last) throw Error(ErrorCode::BadOption, "a frame has no result before it has run");
    clear_if_needed();
    FilmColumns<HostColumn> film;
    active().frame->download(film);
    return film;
}

RenderResult LiveFrameImpl::result() {
    const FilmColumns<HostColumn> columns = film();
    RunOutcome all = *last;
    all.counters = counters;
    all.time_ms = render_ms;
    RenderResult result = make_result(job, options.aovs, columns, all);
    result.stopped = is_uneven && !result.incomplete;
    describe_devices(result, *renderer);
    add_plan(result, active().plan.schedule, device(), *active().frame);
    result.memory_plan = active().plan.memory;
    return result;
}

LiveFrame::LiveFrame(std::unique_ptr<LiveFrameImpl> impl) : impl_(std::move(impl)) {}
LiveFrame::~LiveFrame() = default;
LiveFrame::LiveFrame(LiveFrame&&) noexcept = default;
LiveFrame& LiveFrame::operator=(LiveFrame&&) noexcept = default;

LiveFrame Renderer::prepare_live(const RenderOptions& options) const { return LiveFrame(std::make_unique<LiveFrameImpl>(impl_, options)); }

bool LiveFrame::set_options(const RenderOptions& options) { return impl_->set_options(options); }
const RenderOptions& LiveFrame::options() const { return impl_->options; }
bool LiveFrame::set_camera(const CameraOption& camera) { return impl_->set_camera(camera); }
const CameraOption& LiveFrame::camera() const { return impl_->camera; }
bool LiveFrame::set_environment(float rotation_deg, float scale) { return impl_->set_scene(impl_->editor.set_environment(rotation_deg, scale)); }
bool LiveFrame::set_material(uint32_t material, const MaterialParameters& parameters) {
    return impl_->set_scene(impl_->editor.set_material(material, parameters));
}
MaterialParameters LiveFrame::material(uint32_t material) const { return parameters_of(impl_->editor.material(material)); }
void LiveFrame::restart() { impl_->restart(); }
LivePass LiveFrame::add_samples(uint32_t n, const std::atomic<bool>* stop, const std::atomic<bool>* drop) { return impl_->add_samples(n, stop, drop); }
uint32_t LiveFrame::num_samples() const { return impl_->num_samples; }
uint32_t LiveFrame::max_samples() const { return impl_->max_samples(); }
void LiveFrame::develop(const DevelopOptions& options, uint8_t* rgba) { impl_->develop(options, reinterpret_cast<uint32_t*>(rgba), false); }
void LiveFrame::develop_on_device(const DevelopOptions& options, void* d_rgba) { impl_->develop(options, static_cast<uint32_t*>(d_rgba), true); }

std::array<float, 2> LiveFrame::scale_of(DisplayLayer layer) const {
    const auto& counters = impl_->counters;
    if (layer == DisplayLayer::Depth) return {0.0f, std::max(length(impl_->editor.edit().constants.bounds.extent()), 1e-30f)};
    if (layer == DisplayLayer::Samples) return {0.0f, static_cast<float>(std::max(1u, impl_->num_samples))};
    uint64_t cost = 0;
    if (layer == DisplayLayer::Cost || layer == DisplayLayer::NodeSteps) cost += counted(counters, Counter::NodeSteps);
    if (layer == DisplayLayer::Cost || layer == DisplayLayer::TriangleTests) cost += counted(counters, Counter::TriangleTests);
    if (layer == DisplayLayer::Bounces) cost += counted(counters, Counter::ExtensionRays);
    const double mean = static_cast<double>(cost) / static_cast<double>(std::max<uint64_t>(1, counted(counters, Counter::FinishedPaths)));
    return {0.0f, static_cast<float>(std::max(1.0, 4.0 * mean))};
}

std::optional<Pick> LiveFrame::pick(uint32_t x, uint32_t y) const {
    const RenderJob& job = impl_->job;
    if (x >= job.frame.width || y >= job.frame.height)
        throw Error(ErrorCode::BadOption, "pixel " + std::to_string(x) + "," + std::to_string(y) + " lies outside of the picture of " +
                                              std::to_string(job.frame.width) + "x" + std::to_string(job.frame.height));
    const Ray ray = camera_ray(job.frame.camera, static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f, Vec2(0.0f));
    std::optional<Pick> pick = pick_surface(impl_->renderer->scene.impl(), impl_->editor.view(), ray);
    if (pick) pick->view_distance = dot(vec3(pick->position) - ray.origin, normalize(vec3(impl_->camera.target) - vec3(impl_->camera.eye)));
    return pick;
}

RenderResult LiveFrame::result() { return impl_->result(); }
uint64_t LiveFrame::film_checksum() { return film_hash(impl_->film()); }
const std::vector<MemoryItem>& LiveFrame::memory_plan() const { return impl_->active().plan.memory; }
void LiveFrame::park() { impl_->active().frame->park(); }

std::array<uint8_t, 3> scale_color(float x) {
    const Vec3 color = turbo(x);
    return {static_cast<uint8_t>(linear_byte(color.x)), static_cast<uint8_t>(linear_byte(color.y)), static_cast<uint8_t>(linear_byte(color.z))};
}

}  // namespace warpath
