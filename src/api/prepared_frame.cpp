#include <algorithm>
#include <chrono>

#include "api/frame_record.h"
#include "api/render_result.h"
#include "api/renderer_impl.h"
#include "api/scene_impl.h"
#include "schedulers/auto.h"
#include "schedulers/resident.h"
#include "warpath/error.h"

namespace warpath {

namespace {

using Clock = std::chrono::steady_clock;

void check_same_devices(const RenderOptions& has, const RenderOptions& asked) {
    if (has.backend != asked.backend || has.device != asked.device || has.devices != asked.devices ||
        has.num_threads != asked.num_threads || has.blocks_per_sm != asked.blocks_per_sm)
        throw Error(
            ErrorCode::BadOption,
            "a frame's backend, devices, threads and blocks per SM must be those that its renderer was made with");
}

/// A resident kernel holds its device, so a second one on the same device would wait for ever.
void check_room_for_service(const RenderJob& job, const RenderBackend& device, const RenderOptions& options) {
    std::vector<uint32_t> names = options.devices;
    std::sort(names.begin(), names.end());
    if (job.scheduler == ResidentScheduler::name && device.name() == "cuda" && std::adjacent_find(names.begin(), names.end()) != names.end())
        throw Error(ErrorCode::BadOption, "--devices names a device twice, which scheduler \"resident\" holds as a whole; name each once, or use persistent");
}

/// FNV-1a over 64-bit words instead of bytes: each step is a bijection of the state, so two films that differ in one
/// word never collide. Source:  Fowler, Noll and Vo, "The FNV Non-Cryptographic Hash Algorithm", IETF draft, with a
/// rotation so that high bits reach low ones.
template <class T>
uint64_t hash_words(uint64_t hash, const std::vector<T>& words) {
    for (const T word : words) {
        hash = (hash ^ word) * 0x100000001b3ull;
        hash = hash << 29 | hash >> 35;
    }
    return hash;
}

}  // namespace

std::string chosen_scheduler(const RenderJob& job, const RenderBackend& device) {
    if (job.scheduler != auto_scheduler_name) return job.scheduler;
    return choose_scheduler({device.name() == "cuda", job.frame.num_paths(), job.frame.max_depth, job.scene->columns.triangles.size()});
}

PathRange first_tile(const RenderJob& job, const Devices& devices) {
    const uint64_t num_paths = job.frame.num_paths();
    return {0, devices.size() == 1 ? num_paths
                                   : tile_paths(num_paths, devices.size(), devices.front()->least_tile_paths())};
}

PreparedFrameImpl::PreparedFrameImpl(std::shared_ptr<RendererImpl> shared, const RenderOptions& options)
    : renderer(std::move(shared)), aovs(options.aovs) {
    check_same_devices(renderer->options, options);
    const SceneImpl& scene = renderer->scene.impl();
    job = make_job(scene.data, scene.bvh, options);
    const auto& devices = renderer->chosen.devices;
    job.scheduler = chosen_scheduler(job, *devices.front());
    check_room_for_service(job, *devices.front(), options);
    job.frame.range = first_tile(job, devices);
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
    *last = frames.size() == 1 ? frames.front()->run({0, job.frame.num_paths()}, hooks)
                               : DeviceTeam(frames, job.frame.num_paths(), job.frame.range.count).run(hooks);
    return *last;
}

FilmColumns<HostColumn> PreparedFrameImpl::film(bool take) {
    if (!last) throw Error(ErrorCode::BadOption, "a frame has no result before it has run");
    FilmColumns<HostColumn> sum, more;
    for (auto& frame : frames) {
        FilmColumns<HostColumn>& film = &frame == &frames.front() ? sum : more;
        take ? frame->take_film(film) : frame->download(film);
        if (&film == &more) add_film(sum, more);
    }
    return sum;
}

RenderResult PreparedFrameImpl::result(bool take) {
    RenderResult result = make_result(job, aovs, film(take), *last);
    const auto& devices = renderer->chosen.devices;
    result.backend = devices.front()->name();
    result.backend_reason = renderer->chosen.reason;
    result.device = renderer->device_names();
    if (result.timeline) result.timeline->device = result.device;
    result.memory_plan = memory;
    for (size_t i = 0; i < devices.size(); ++i) {
        const SchedulePlan& plan = plans[i].schedule;
        result.num_slots += plan.num_slots;
        result.num_groups += plan.num_groups;
        result.batch = plan.batch;
        result.memory_allocated_bytes += devices[i]->allocated_bytes() + frames[i]->allocated_bytes();
        result.memory_context_bytes += devices[i]->context_bytes();
    }
    result.upload_ms = prepare_ms;
    return result;
}

PreparedFrame::PreparedFrame(std::unique_ptr<PreparedFrameImpl> impl) : impl_(std::move(impl)) {}
PreparedFrame::~PreparedFrame() = default;
PreparedFrame::PreparedFrame(PreparedFrame&&) noexcept = default;
PreparedFrame& PreparedFrame::operator=(PreparedFrame&&) noexcept = default;

FrameTiming PreparedFrame::run(const std::atomic<bool>* stop) {
    const RunOutcome& run = impl_->run({stop, {}});
    const FrameRecord record = frame_record(run);
    const Counters counters = all_counters(run, record);
    return {run.time_ms, run.schedule.num_launches, run.schedule.aborted, counters, derive_figures(counters, record)};
}

double PreparedFrame::run_passes(uint32_t num_passes) {
    for (auto& frame : impl_->frames) frame->clear();
    impl_->last.emplace();
    return impl_->frames.front()->run_passes(num_passes, {});
}

ServiceTimes PreparedFrame::time_service(uint32_t num_tasks) { return impl_->frames.front()->time_service(num_tasks); }

RenderResult PreparedFrame::result() { return impl_->result(false); }

uint64_t PreparedFrame::film_checksum() {
    const FilmColumns<HostColumn> film = impl_->film(false);
    return hash_words(hash_words(0xcbf29ce484222325ull, film.radiance), film.samples);
}

const std::vector<MemoryItem>& PreparedFrame::memory_plan() const { return impl_->memory; }

}  // namespace warpath
