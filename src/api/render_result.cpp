#include "api/render_result.h"

#include <algorithm>

#include "api/film_image.h"
#include "api/frame_record.h"

namespace warpath {

namespace {

uint64_t counter(const CounterWords& words, Counter id) { return words[static_cast<size_t>(id)]; }

/// One histogram without its empty end.
std::vector<uint64_t> rays_by_bounce(const CounterWords& words, RayKind kind) {
    const auto begin = words.begin() + bounce_word(kind, 0);
    std::vector<uint64_t> rays(begin, begin + num_bounce_bins);
    while (!rays.empty() && rays.back() == 0) rays.pop_back();
    return rays;
}

void warn_about_samples(const RenderJob& job, const FilmColumns<HostColumn>& film, const RunOutcome& run,
                        RenderResult& result) {
    if (const uint64_t bad = film.num_bad.front()) {
        std::string text = std::to_string(bad) + " samples were NaN or infinite and count as black; first at pixels";
        for (uint32_t i = 0; i < std::min<uint64_t>(bad, max_bad_pixels); ++i)
            text.append(" ")
                .append(std::to_string(film.bad_pixels[i] % job.frame.width))
                .append(",")
                .append(std::to_string(film.bad_pixels[i] / job.frame.width));
        result.warnings.push_back(text);
    }
    if (const uint64_t clamped = counter(run.counters, Counter::ClampedSamples))
        result.warnings.push_back(std::to_string(clamped) +
                                  " samples were brighter than the film's range and were clamped to " +
                                  std::to_string(job.film.radiance_max));
}

void warn_about_timeline(RenderResult& result) {
    if (!result.timeline) return;
    const Timeline& timeline = *result.timeline;
    if (timeline.num_dropped_batches + timeline.num_dropped_host_calls == 0) return;
    result.warnings.push_back("the timeline had no room for " + std::to_string(timeline.num_dropped_batches) +
                              " batches and " + std::to_string(timeline.num_dropped_host_calls) +
                              " host calls, the last ones; raise --trace-events or render less");
}

}  // namespace

uint64_t num_rays(const CounterWords& words) {
    return counter(words, Counter::CameraRays) + counter(words, Counter::ExtensionRays) +
           counter(words, Counter::ShadowRays);
}

std::string abort_text(const RenderJob& job, const RunOutcome& run) {
    std::string text =
        "no progress for " + std::to_string(job.watchdog_s) + " s: the render was given up and the image is incomplete";
    if (!run.stall_report.empty()) text += "; " + run.stall_report;
    return text + "; raise --watchdog if the device is only slow";
}

RenderResult run_numbers(const RenderJob& job, const RunOutcome& run) {
    RenderResult result;
    result.scheduler = job.scheduler;
    result.stopped = counter(run.counters, Counter::FinishedPaths) < job.frame.num_paths();
    result.incomplete = run.schedule.aborted;
    result.record = frame_record(run);
    result.counters = all_counters(run, result.record);
    result.figures = derive_figures(result.counters, result.record);
    if (job.timeline) result.timeline = frame_timeline(run);
    result.rays_by_bounce = rays_by_bounce(run.counters, RayKind::Extension);
    result.shadow_rays_by_bounce = rays_by_bounce(run.counters, RayKind::Shadow);
    result.render_ms = run.time_ms;
    result.num_launches = run.schedule.num_launches;
    return result;
}

RenderResult make_result(const RenderJob& job, const std::vector<std::string>& aovs,
                         const FilmColumns<HostColumn>& film, const RunOutcome& run) {
    RenderResult result = run_numbers(job, run);
    result.image = film_image(job, film, aovs);
    warn_about_samples(job, film, run, result);
    if (run.schedule.aborted) result.warnings.push_back(abort_text(job, run));
    warn_about_timeline(result);
    return result;
}

std::string describe_plan(const std::vector<MemoryItem>& items, uint32_t num_slots, const std::string& device) {
    uint64_t total = 0;
    std::string text = "memory plan on " + device + ":";
    char line[128];
    for (const MemoryItem& item : items) {
        snprintf(line, sizeof line, " %s %.2f MB,", item.name.c_str(), static_cast<double>(item.size_bytes) / 1e6);
        text += line;
        total += item.size_bytes;
    }
    snprintf(line, sizeof line, " total %.2f MB (%u slots)", static_cast<double>(total) / 1e6, num_slots);
    return text + line;
}

std::vector<MemoryItem> add_items(std::vector<MemoryItem> sum, const std::vector<MemoryItem>& items) {
    for (const MemoryItem& item : items) {
        const auto same =
            std::find_if(sum.begin(), sum.end(), [&](const MemoryItem& other) { return other.name == item.name; });
        if (same == sum.end())
            sum.push_back(item);
        else
            same->size_bytes += item.size_bytes;
    }
    return sum;
}

}  // namespace warpath
