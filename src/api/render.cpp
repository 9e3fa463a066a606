#include <chrono>

#include "api/render_result.h"
#include "api/renderer_impl.h"
#include "api/scene_impl.h"

namespace warpath {

namespace {

using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// Tells `target` how far a frame is.
std::function<void(const CounterWords&)> reporter(OutputTarget& target, uint64_t num_paths) {
    return [&target, num_paths, first_ray = Clock::now()](const CounterWords& words) {
        Progress progress;
        progress.num_paths = num_paths;
        progress.num_finished_paths = words[static_cast<size_t>(Counter::FinishedPaths)];
        progress.num_rays = num_rays(words);
        progress.elapsed_s = std::chrono::duration<double>(Clock::now() - first_ray).count();
        target.progress(progress);
    };
}

}  // namespace

std::string RendererImpl::device_names() const {
    std::string names;
    for (const auto& device : chosen.devices) names += (names.empty() ? "" : "; ") + device->device_name();
    return names;
}

std::string RendererImpl::device_text() const {
    return chosen.devices.front()->name() + " (" + chosen.reason + "), " + device_names();
}

Renderer::Renderer(const LoadedScene& scene, const RenderOptions& options)
    : impl_(std::make_shared<RendererImpl>(RendererImpl{scene, options, choose_backend(options)})) {
    const Clock::time_point start = Clock::now();
    for (const auto& device : impl_->chosen.devices) device->load(scene.impl().data, scene.impl().bvh);
    impl_->upload_ms = ms_since(start);
}

PreparedFrame Renderer::prepare(const RenderOptions& options) const {
    auto frame = std::make_unique<PreparedFrameImpl>(impl_, options);
    frame->allocate();
    return PreparedFrame(std::move(frame));
}

RenderResult Renderer::render(const RenderOptions& options, OutputTarget& target, const std::atomic<bool>* stop) const {
    const Clock::time_point start = Clock::now();
    PreparedFrameImpl frame(impl_, options);
    uint32_t num_slots = 0;
    for (const FramePlan& plan : frame.plans) num_slots += plan.schedule.num_slots;
    target.plan(describe_plan(frame.memory, num_slots, impl_->device_text()));
    frame.allocate();
    frame.run({stop, reporter(target, frame.job.frame.num_paths())});
    RenderResult result = frame.result(true);
    result.setup_ms = ms_since(start) - result.upload_ms - result.render_ms;
    return result;
}

double Renderer::upload_ms() const { return impl_->upload_ms; }
std::string Renderer::backend() const { return impl_->chosen.devices.front()->name(); }
std::string Renderer::device() const { return impl_->device_names(); }

RenderResult render(const LoadedScene& scene, const RenderOptions& options, OutputTarget& target,
                    const std::atomic<bool>* stop) {
    const Clock::time_point start = Clock::now();
    make_job(scene.impl().data, scene.impl().bvh, options);  // a wrong option is told before a device is asked
    const Renderer renderer(scene, options);
    RenderResult result = renderer.render(options, target, stop);
    result.upload_ms += renderer.upload_ms();
    result.setup_ms = ms_since(start) - result.upload_ms - result.render_ms;
    return result;
}

std::vector<MemoryItem> memory_plan(const LoadedScene& scene, const RenderOptions& options) {
    RenderJob job = make_job(scene.impl().data, scene.impl().bvh, options);
    const ChosenBackend chosen = choose_backend(options);
    job.scheduler = chosen_scheduler(job, chosen.devices.front()->name() == "cuda");
    job.frame.range = tiles_for(job, chosen.devices).front();
    std::vector<MemoryItem> items;
    for (const auto& device : chosen.devices) items = add_items(items, device->plan(job).memory);
    return items;
}

}  // namespace warpath
