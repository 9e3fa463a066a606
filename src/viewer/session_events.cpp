// What comes from the threads.
#include <algorithm>
#include <cmath>

#include "viewer/session.h"

namespace warpath::viewer {
namespace {

constexpr size_t max_measured = 100000;

float diagonal(const SceneInfo& info) {
    float square = 0;
    for (size_t i = 0; i < 3; ++i) square += (info.bounds_hi[i] - info.bounds_lo[i]) * (info.bounds_hi[i] - info.bounds_lo[i]);
    return std::sqrt(square);
}

}  // namespace

void Session::take_loaded() {
    std::optional<SceneLoader::Result> result = loader.take();
    if (!result) return;
    if (!result->scene) return say(result->error, true);
    SceneState loaded;
    loaded.number = ++num_scenes_;
    loaded.path = result->path;
    loaded.info = result->scene->info();
    loaded.materials = result->scene->materials();
    const SceneInfo& info = loaded.info;
    loaded.camera.reset(info.camera, diagonal(info));
    loaded.environment_rotation_deg = info.environment_rotation_deg;
    loaded.environment_scale = info.environment_scale;
    for (const std::string& warning : info.warnings) say(warning);

    if (before_.number == 0 || scene.number == 0 || !scene.backend.empty()) before_ = std::move(scene);
    scene = std::move(loaded);
    schedule.max_depth = options.max_depth.value_or(info.max_depth.value_or(RenderOptions{}.max_depth));
    schedule.seed = options.seed.value_or(info.seed.value_or(0));
    schedule.sampler = options.sampler.value_or(info.sampler.value_or(RenderOptions{}.sampler));
    schedule.filter = options.filter.value_or(info.filter.value_or(RenderOptions{}.filter));
    develop.exposure = info.exposure.value_or(0.0f);
    selection.reset();
    statistics.clear();
    comparison.clear();
    try {
        scene.bookmarks = read_bookmarks(bookmarks_file());
    } catch (const std::exception& e) {
        say(e.what(), true);
    }
    RenderOptions first = schedule;
    first.scheduler = scheduler;
    first.width = first.height = 16;  // the request that follows says how large
    render.order(InstallScene{scene.number, *result->scene, first});
}

void Session::take_events() {
    for (RenderEvent& event : render.take_events()) std::visit([this](auto& what) { take(what); }, event);
    if (std::optional<Schedule> next = render.take_schedule()) {
        if (!next->depths.empty()) depths = next->depths;
        if (!next->record.groups.empty()) last_schedule = std::move(next);
    }
}

void Session::take(SceneReady& event) {
    if (event.scene != scene.number) return;
    scene.backend = event.backend;
    scene.device = event.device;
    read_schedulers(event.backend);
    before_ = {};
}

void Session::take(SceneFailed& event) {
    say("cannot render " + scene.path.string() + ": " + event.text, true);
    if (event.scene == scene.number) scene = std::move(before_), before_ = {};
}

void Session::take(Picked& event) {
    if (event.scene != scene.number) return;
    if (!event.pick) return say("there is nothing at that pixel");
    if (event.purpose == PickPurpose::Focus) {
        scene.camera.focus_on(event.pick->position, event.pick->view_distance);
        camera_moved();
    }
    selection = std::move(event.pick);
}

void Session::take(Saved& event) {
    ++num_saved;
    if (event.error.empty())
        say("wrote " + event.path.string() + " with " + std::to_string(event.num_samples) + " samples per pixel");
    else
        say(event.error, true);
}

void Session::take(PassDone& event) {
    ++num_passes;
    last_pass_serial = event.serial, last_pass_samples = event.num_samples, last_checksum = event.checksum;
    const PassSample& sample = event.sample;
    if (pass_times_s.size() < max_measured) pass_times_s.push_back(sample.time_s);
    const bool is_full_size = sample.width == posted_.options.width && sample.height == posted_.options.height;
    // Passes that began before the last change of scale say nothing of it.
    const bool is_of_another = mode == Mode::Single && scheduler != "auto" && sample.scheduler != scheduler;
    if (is_moving() && !is_of_another && sample.width == scaled(posted_.options.width, resolution().scale()))
        resolution().add(sample.time_ms, frame_budget_ms);
    if (!is_full_size) return;
    full_sample_ms_ = sample.time_ms / std::max(1u, sample.num_samples);
    SchedulerStatistics& entry = statistics[sample.scheduler];
    entry.sample_ms = full_sample_ms_;
    for (size_t i = 0; i < num_columns; ++i) entry.series[i].add(sample.*sample_columns[i].value);
    if (recording) recorded.add(sample);
    if (mode != Mode::Single) compare(sample);
}

void Session::compare(const PassSample& sample) {
    // Times of different work are no pairs: another film, depth or number of samples begins anew.
    const std::string key = std::to_string(sample.width) + "x" + std::to_string(sample.height) + ":" +
                            std::to_string(sample.num_samples) + ":" + std::to_string(sample.max_depth) + scheduler_a + "/" + scheduler_b;
    if (key != comparison_key_) comparison.clear(), waiting_a_ms.reset(), comparison_key_ = key;
    if (sample.side == 'A')
        waiting_a_ms = sample.time_ms;
    else if (sample.side == 'B' && waiting_a_ms)
        comparison.add(*waiting_a_ms, sample.time_ms), waiting_a_ms.reset();
}

}  // namespace warpath::viewer
