#include "viewer/measurement.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>

#include "experiments/statistics.h"
#include "viewer/rolling.h"
#include "warpath/renderer.h"

namespace warpath::viewer {
namespace {

constexpr size_t block_passes = 20, warm_up_passes = 20;
constexpr size_t max_keys = 20;  // presses in vain for one that shows

nlohmann::ordered_json band_json(const std::vector<double>& values) {
    const Band band = median_band(values);
    return {{"median", band.median}, {"lo95", band.lo}, {"hi95", band.hi}, {"values", values.size()}};
}

nlohmann::ordered_json latency_json(const std::vector<double>& values) {
    return {{"p50", experiments::percentile(values, 50)}, {"p95", experiments::percentile(values, 95)},
            {"max", experiments::percentile(values, 100)}, {"values", values.size()}};
}

}  // namespace

Measurement::Measurement(App& app, std::vector<std::string> schedulers, size_t num_passes, size_t num_inputs)
    : app_(app), schedulers_(std::move(schedulers)), num_passes_(std::max(num_passes, block_passes)), num_inputs_(num_inputs) {
    if (schedulers_.empty())
        for (const SchedulerInfo& info : app.session.schedulers) schedulers_.push_back(info.name);
}

void Measurement::begin_block(bool is_bare) {
    Session& session = app_.session;
    session.without_display = is_bare;
    session.pass_times_s.clear();
    phase_ = is_bare ? Phase::Bare : Phase::Shown;
}

/// True once the block is over; its mean time between passes then goes to the list of its kind.
bool Measurement::collect_block() {
    const std::vector<double>& times = app_.session.pass_times_s;
    // The first passes still belong to the block before.
    constexpr size_t skip = 3;
    if (times.size() < block_passes + skip + 1) return false;
    const double ms = (times.back() - times[skip]) * 1e3 / static_cast<double>(times.size() - 1 - skip);
    (phase_ == Phase::Bare ? bare_ms_ : shown_ms_).push_back(ms);
    return true;
}

void Measurement::press(const std::string& key) {
    const KeyPress press = *key_from_text(key);
    app_.on_key(press.key, GLFW_PRESS, press.mods);
    app_.on_key(press.key, GLFW_RELEASE, press.mods);
}

/// Presses two keys in turn, each when the picture is the one before's. True once there are enough times.
bool Measurement::press_keys(const char* first, const char* second, std::vector<double>& latencies) {
    Session& session = app_.session;
    for (const double latency : session.new_latencies_ms) latencies.push_back(latency);
    session.new_latencies_ms.clear();
    if (latencies.size() >= num_inputs_ || num_keys_ >= max_keys * num_inputs_) return true;
    if (!session.is_settled() || session.is_moving()) return false;
    if (frames_to_wait_ > 0) return --frames_to_wait_, false;
    press(num_keys_ % 2 == 0 ? first : second);
    frames_to_wait_ = 1 + (num_keys_ * 7) % 5;  // not in step with the window's frames
    ++num_keys_;
    return false;
}

void Measurement::finish_scheduler() {
    std::vector<double> ratios;
    for (size_t i = 0; i < std::min(bare_ms_.size(), shown_ms_.size()); ++i) ratios.push_back(shown_ms_[i] / bare_ms_[i]);
    const Session& session = app_.session;
    rows_.push_back({{"scheduler", schedulers_[index_]},
                     {"path", app_.session.render.store().path(session.picture)},
                     {"bare_ms", band_json(bare_ms_)},
                     {"shown_ms", band_json(shown_ms_)},
                     {"shown_by_bare", band_json(ratios)},
                     {"camera_key_ms", latency_json(camera_ms_)},
                     {"scheduler_key_ms", latency_json(flip_ms_)}});
    for (auto* list : {&bare_ms_, &shown_ms_, &camera_ms_, &flip_ms_}) list->clear();
}

bool Measurement::advance() {
    Session& session = app_.session;
    switch (phase_) {
        case Phase::Start:
            if (index_ == schedulers_.size()) return true;
            session.choose_scheduler(schedulers_[index_]);
            passes_before_ = session.num_passes;
            phase_ = Phase::WarmUp;
            return false;
        case Phase::WarmUp:
            if (session.is_moving()) passes_before_ = session.num_passes;  // after a change of scheduler, passes may be coarse for a while
            if (session.num_passes < passes_before_ + warm_up_passes) return false;
            begin_block(true);
            return false;
        case Phase::Bare:
            if (collect_block()) begin_block(false);
            return false;
        case Phase::Shown:
            if (!collect_block()) return false;
            if (shown_ms_.size() * block_passes < num_passes_) return begin_block(true), false;
            session.new_latencies_ms.clear();
            num_keys_ = 0;
            phase_ = Phase::CameraKeys;
            return false;
        case Phase::CameraKeys:
            if (!press_keys("]", "[", camera_ms_)) return false;
            num_keys_ = 0;
            // Tab goes to another scheduler and back.
            session.choose_scheduler(schedulers_[(index_ + 1) % schedulers_.size()]);
            session.choose_scheduler(schedulers_[index_]);
            phase_ = Phase::FlipKeys;
            return false;
        case Phase::FlipKeys:
            if (!press_keys("Tab", "Tab", flip_ms_)) return false;
            phase_ = Phase::Next;
            return false;
        case Phase::Next:
            finish_scheduler();
            ++index_;
            phase_ = Phase::Start;
            return false;
    }
    return true;
}

nlohmann::ordered_json Measurement::result() const {
    const Session& session = app_.session;
    return {{"version", version()},
            {"build", build_description()},
            {"scene", session.scene.path.filename().string()},
            {"backend", session.scene.backend},
            {"device", session.scene.device},
            {"opengl", app_.window().renderer_name()},
            {"width", session.picture.width},
            {"height", session.picture.height},
            {"samples_per_pass", session.samples_per_pass},
            {"max_depth", session.schedule.max_depth},
            {"schedulers", rows_}};
}

}  // namespace warpath::viewer
