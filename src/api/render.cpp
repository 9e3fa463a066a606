#include <algorithm>
#include <chrono>

#include "api/film_image.h"
#include "api/render_options.h"
#include "api/scene_impl.h"
#include "warpath/renderer.h"

namespace warpath {

namespace {

using Clock = std::chrono::steady_clock;
using CounterWords = std::array<uint64_t, num_counter_words>;

uint64_t counter(const CounterWords& words, Counter id) { return words[static_cast<size_t>(id)]; }

uint64_t num_rays(const CounterWords& words) {
    return counter(words, Counter::CameraRays) + counter(words, Counter::ExtensionRays) + counter(words, Counter::ShadowRays);
}

/// One histogram without its empty end.
std::vector<uint64_t> rays_by_bounce(const CounterWords& words, RayKind kind) {
    const auto begin = words.begin() + bounce_word(kind, 0);
    std::vector<uint64_t> rays(begin, begin + num_bounce_bins);
    while (!rays.empty() && rays.back() == 0) rays.pop_back();
    return rays;
}

std::string describe_plan(const std::vector<MemoryItem>& items, const SchedulePlan& plan, const std::string& device) {
    uint64_t total = 0;
    std::string text = "memory plan on " + device + ":";
    char line[128];
    for (const MemoryItem& item : items) {
        snprintf(line, sizeof line, " %s %.2f MB,", item.name.c_str(), static_cast<double>(item.size_bytes) / 1e6);
        text += line;
        total += item.size_bytes;
    }
    snprintf(line, sizeof line, " total %.2f MB (%u slots)", static_cast<double>(total) / 1e6, plan.num_slots);
    return text + line;
}

void warn_about_samples(const RenderJob& job, const RenderOutcome& outcome, RenderResult& result) {
    if (const uint64_t bad = outcome.film.num_bad.front()) {
        std::string text = std::to_string(bad) + " samples were NaN or infinite and count as black; first at pixels";
        for (uint32_t i = 0; i < std::min<uint64_t>(bad, max_bad_pixels); ++i)
            text.append(" ").append(std::to_string(outcome.film.bad_pixels[i] % job.frame.width)).append(",").append(
                std::to_string(outcome.film.bad_pixels[i] / job.frame.width));
        result.warnings.push_back(text);
    }
    if (const uint64_t clamped = counter(outcome.counters, Counter::ClampedSamples))
        result.warnings.push_back(std::to_string(clamped) + " samples were brighter than the film's range and were clamped to " +
                                  std::to_string(job.film.radiance_max));
}

void warn_about_abort(const RenderJob& job, const RenderOutcome& outcome, RenderResult& result) {
    if (!outcome.schedule.aborted) return;
    std::string text = "no progress for " + std::to_string(job.watchdog_s) + " s: the render was given up and the image is incomplete";
    if (!outcome.stall_report.empty()) text += "; " + outcome.stall_report;
    result.warnings.push_back(text + "; raise --watchdog if the device is only slow");
}

}  // namespace

RenderResult render(const LoadedScene& scene, const RenderOptions& options, OutputTarget& target, const std::atomic<bool>* stop) {
    const auto start = Clock::now();
    const SceneImpl& impl = scene.impl();
    RenderJob job = make_job(impl.data, impl.bvh, options);
    ChosenBackend chosen = choose_backend(options);
    RenderResult result;
    result.backend = chosen.backend->name();
    result.backend_reason = chosen.reason;
    result.device = chosen.backend->device_name();
    result.scheduler = options.scheduler;

    job.stop = stop;
    job.planned = [&](const std::vector<MemoryItem>& items, const SchedulePlan& plan) {
        result.memory_plan = items;
        target.plan(describe_plan(items, plan, result.backend + " (" + result.backend_reason + "), " + result.device));
    };
    Clock::time_point first_ray = Clock::now();
    job.report = [&](const CounterWords& words) {
        Progress progress;
        progress.num_paths = job.frame.num_paths();
        progress.num_finished_paths = counter(words, Counter::FinishedPaths);
        progress.num_rays = num_rays(words);
        progress.elapsed_s = std::chrono::duration<double>(Clock::now() - first_ray).count();
        target.progress(progress);
    };
    RenderOutcome outcome = chosen.backend->render(job);

    result.image = film_image(job, outcome.film, options.aovs);
    result.stopped = counter(outcome.counters, Counter::FinishedPaths) < job.frame.num_paths();
    result.incomplete = outcome.schedule.aborted;
    std::copy_n(outcome.counters.begin(), num_counters, result.counters.begin());
    result.rays_by_bounce = rays_by_bounce(outcome.counters, RayKind::Extension);
    result.shadow_rays_by_bounce = rays_by_bounce(outcome.counters, RayKind::Shadow);
    result.upload_ms = outcome.upload_ms;
    result.render_ms = outcome.render_ms;
    result.setup_ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count() - outcome.upload_ms - outcome.render_ms;
    result.num_launches = outcome.schedule.num_launches;
    result.num_slots = outcome.plan.num_slots;
    result.num_groups = outcome.plan.num_groups;
    result.batch = outcome.plan.batch;
    result.memory_allocated_bytes = outcome.allocated_bytes;
    result.memory_context_bytes = outcome.context_bytes;
    warn_about_samples(job, outcome, result);
    warn_about_abort(job, outcome, result);
    return result;
}

std::vector<MemoryItem> memory_plan(const LoadedScene& scene, const RenderOptions& options) {
    const RenderJob job = make_job(scene.impl().data, scene.impl().bvh, options);
    return choose_backend(options).backend->memory_plan(job);
}

}  // namespace warpath
