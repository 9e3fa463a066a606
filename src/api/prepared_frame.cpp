#include <algorithm>
#include <chrono>

#include "api/film_image.h"
#include "api/frame_record.h"
#include "api/render_result.h"
#include "api/renderer_impl.h"
#include "api/scene_impl.h"
#include "bvh/traverse.h"
#include "render/camera.h"
#include "schedulers/auto.h"
#include "schedulers/resident.h"
#include "warpath/error.h"

namespace warpath {

void check_same_devices(const RenderOptions& has, const RenderOptions& asked) {
    if (has.backend != asked.backend || has.device != asked.device || has.devices != asked.devices ||
        has.num_threads != asked.num_threads)
        throw Error(ErrorCode::BadOption, "a frame's backend, devices and threads must be those that its renderer was made with");
}

namespace {

using Clock = std::chrono::steady_clock;

/// A resident kernel holds its device, so a second one on the same device would wait for ever.
void check_room_for_service(const RenderJob& job, const RenderBackend& device, const RenderOptions& options) {
    std::vector<uint32_t> names = options.devices;
    std::sort(names.begin(), names.end());
    if (job.scheduler == ResidentScheduler::name && device.name() == "cuda" && std::adjacent_find(names.begin(), names.end()) != names.end())
        throw Error(ErrorCode::BadOption, "--devices names a device twice, which scheduler \"resident\" holds as a whole; name each once, or use persistent");
}

}  // namespace

namespace {

/// What a grid of camera rays meets, and how many nodes they visit.
struct CameraSample {
    double hit_share, steps_per_ray;
};
CameraSample sample_camera_rays(const RenderJob& job) {
    constexpr uint32_t across = 24;
    const BvhView bvh = job.bvh->view();
    const FrameConstants& frame = job.frame;
    uint32_t num_hits = 0;
    TraversalCost cost;
    for (uint32_t i = 0; i < across * across; ++i) {
        const Vec2 at = (Vec2(static_cast<float>(i % across), static_cast<float>(i / across)) + 0.5f) / static_cast<float>(across);
        const Ray ray = camera_ray(frame.camera, at.x * static_cast<float>(frame.width), at.y * static_cast<float>(frame.height), Vec2(0.0f));
        num_hits += closest_hit(bvh, ray, AcceptAll{}, cost).prim_id != invalid_id;
    }
    constexpr double num_rays = across * across;
    return {num_hits / num_rays, cost.node_steps / num_rays};
}

}  // namespace

std::string chosen_scheduler(const RenderJob& job, bool on_cuda) {
    if (job.scheduler != auto_scheduler_name) return job.scheduler;
    const CameraSample sample = sample_camera_rays(job);
    return choose_scheduler({on_cuda, job.frame.num_range_paths(), job.frame.max_depth, sample.hit_share, sample.steps_per_ray});
}

std::vector<PathRange> tiles_for(const RenderJob& job, const Devices& devices) {
    const uint64_t num_paths = job.frame.num_paths();
    if (devices.size() == 1) return {{0, num_paths}};
    return tiles_of_frame(num_paths, devices.size(), devices.front()->least_tile_paths());
}

PreparedFrameImpl::PreparedFrameImpl(std::shared_ptr<RendererImpl> shared, const RenderOptions& options)
    : renderer(std::move(shared)), aovs(options.aovs) {
    check_same_devices(renderer->options, options);
    const SceneImpl& scene = renderer->scene.impl();
    job = make_job(scene.data, scene.bvh, options);
    const auto& devices = renderer->chosen.devices;
    job.scheduler = chosen_scheduler(job, devices.front()->name() == "cuda");
    check_room_for_service(job, *devices.front(), options);
    job.frame.range = tiles_for(job, devices).front();
    for (const auto& device : devices) {
        plans.push_back(device->plan(job));
        memory = add_items(memory, plans.back().memory);
    }
}

void PreparedFrameImpl::allocate() {
    const Clock::time_point start = Clock::now();
    const auto& devices = renderer->chosen.devices;
    for (size_t i = 0; i < devices.size(); ++i) frames.push_back(devices[i]->prepare(job, plans[i].schedule));
    prepare_ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

const RunOutcome& PreparedFrameImpl::run(const RunHooks& hooks) {
    for (auto& frame : frames)
        if (last) frame->clear();
    last.emplace();  // from here on films are no longer clear
    std::vector<PathRange> tiles = tiles_for(job, renderer->chosen.devices);
    *last = frames.size() == 1 ? frames.front()->run(tiles.front(), hooks) : DeviceTeam(frames, std::move(tiles)).run(hooks);
    return *last;
}

void check_has_run(const PreparedFrameImpl& frame) {
    if (!frame.last) throw Error(ErrorCode::BadOption, "a frame has no result before it has run");
}

FilmColumns<HostColumn> PreparedFrameImpl::film(bool take) {
    check_has_run(*this);
    FilmColumns<HostColumn> sum, more;
    for (auto& frame : frames) {
        FilmColumns<HostColumn>& film = &frame == &frames.front() ? sum : more;
        take ? frame->take_film(film) : frame->download(film);
        if (&film == &more) add_film(sum, more);
    }
    return sum;
}

const FilmColumns<HostColumn>& PreparedFrameImpl::film_to_check() {
    check_has_run(*this);
    if (frames.size() > 1)
        renderer->checked_film = film(false);
    else
        frames.front()->download(renderer->checked_film);
    return renderer->checked_film;
}

void describe_devices(RenderResult& result, const RendererImpl& renderer) {
    result.backend = renderer.chosen.devices.front()->name();
    result.backend_reason = renderer.chosen.reason;
    result.device = renderer.device_names();
    if (result.timeline) result.timeline->device = result.device;
}

void add_plan(RenderResult& result, const SchedulePlan& plan, const RenderBackend& device, const BackendFrame& frame) {
    result.num_slots += plan.num_slots;
    result.num_groups += plan.num_groups;
    result.batch = plan.batch;
    result.memory_allocated_bytes += device.allocated_bytes() + frame.allocated_bytes();
    result.memory_context_bytes += device.context_bytes();
}

void describe_frame(RenderResult& result, const PreparedFrameImpl& frame) {
    describe_devices(result, *frame.renderer);
    result.memory_plan = frame.memory;
    for (size_t i = 0; i < frame.frames.size(); ++i) add_plan(result, frame.plans[i].schedule, *frame.renderer->chosen.devices[i], *frame.frames[i]);
    result.upload_ms = frame.prepare_ms;
}

RenderResult PreparedFrameImpl::result(bool take) {
    FilmColumns<HostColumn> taken;
    if (take) taken = film(true);
    RenderResult result = make_result(job, aovs, take ? taken : film_to_check(), *last);
    describe_frame(result, *this);
    return result;
}

RenderResult PreparedFrameImpl::numbers() {
    check_has_run(*this);
    RenderResult result = run_numbers(job, *last);
    describe_frame(result, *this);
    return result;
}

PreparedFrame::PreparedFrame(std::unique_ptr<PreparedFrameImpl> impl) : impl_(std::move(impl)) {}
PreparedFrame::~PreparedFrame() = default;
PreparedFrame::PreparedFrame(PreparedFrame&&) noexcept = default;
PreparedFrame& PreparedFrame::operator=(PreparedFrame&&) noexcept = default;

FrameTiming PreparedFrame::run(const std::atomic<bool>* stop) {
    const RunOutcome& run = impl_->run({stop, {}});
    return frame_timing(run, frame_record(run));
}

double PreparedFrame::run_passes(uint32_t num_passes) {
    for (auto& frame : impl_->frames) frame->clear();
    impl_->last.emplace();
    return impl_->frames.front()->run_passes(num_passes, {});
}

ServiceTimes PreparedFrame::time_service(uint32_t num_tasks) { return impl_->frames.front()->time_service(num_tasks); }

RenderResult PreparedFrame::result() { return impl_->result(false); }

RenderResult PreparedFrame::numbers() { return impl_->numbers(); }

uint64_t PreparedFrame::film_checksum() { return film_hash(impl_->film_to_check()); }

const std::vector<MemoryItem>& PreparedFrame::memory_plan() const { return impl_->memory; }

}  // namespace warpath
