#include "viewer/session.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>

#include "warpath/error.h"

namespace warpath::viewer {
namespace {

constexpr double moving_s = 0.2;     // a camera counts as moving so long after its last move
constexpr size_t max_messages = 50, max_measured = 100000;

/// The layer that a view needs beside colour.
std::vector<std::string> aovs_of(DisplayLayer layer) {
    switch (layer) {
        case DisplayLayer::Albedo: return {"albedo"};
        case DisplayLayer::Normal: return {"normal"};
        case DisplayLayer::Depth: return {"depth"};
        case DisplayLayer::Cost: return {"cost"};
        case DisplayLayer::NodeSteps: return {"node-steps"};
        case DisplayLayer::TriangleTests: return {"triangle-tests"};
        case DisplayLayer::Bounces: return {"bounces"};
        case DisplayLayer::Color:
        case DisplayLayer::Samples: break;
    }
    return {};
}

bool same_wish(const ViewRequest& a, const ViewRequest& b) {
    const auto schedule = [](const ViewRequest& r) {
        const RenderOptions& o = r.options;
        return std::tie(o.scheduler, o.batch, o.pool, o.blocks_per_sm, o.block_size, o.refill_below, o.timeline, o.spp, r.mode,
                        r.scheduler_a, r.scheduler_b, r.samples_per_pass, r.sample_limit, r.paused, r.hash_film, r.without_display);
    };
    const auto developing = [](const DevelopOptions& d) {
        return std::tie(d.layer, d.tone_curve, d.exposure, d.scale_min, d.scale_max);
    };
    return !changes_picture(a, b) && schedule(a) == schedule(b) && developing(a.develop) == developing(b.develop);
}

}  // namespace

bool knows(const std::vector<SchedulerInfo>& schedulers, const std::string& name) {
    return name == "auto" ||
           std::any_of(schedulers.begin(), schedulers.end(), [&](const SchedulerInfo& info) { return info.name == name; });
}

Session::Session(const ViewOptions& view_options, std::unique_ptr<PictureStore> store, std::function<void()> wake)
    : options(view_options), render(std::move(store), std::move(wake)), schedule(view_options.render) {
    scheduler = options.render.scheduler;
    sample_limit = options.spp.value_or(0);
    show_panels = !options.no_panels;
    std::string backend = options.render.backend;
    if (backend.empty()) {
        const std::vector<DeviceInfo> devices = list_devices();
        const bool has_cuda = std::any_of(devices.begin(), devices.end(),
                                          [](const DeviceInfo& d) { return d.backend == "cuda" && d.usable; });
        backend = has_cuda ? "cuda" : "cpu";
    }
    read_schedulers(backend);
}

void Session::read_schedulers(const std::string& backend) {
    schedulers.clear();
    for (const SchedulerInfo& info : list_schedulers())
        if (backend == "cuda" ? info.on_cuda : info.on_cpu) schedulers.push_back(info);
    if (!knows(schedulers, scheduler)) scheduler = "auto";
}

void Session::say(const std::string& text, bool is_error) {
    if (is_error) std::fprintf(stderr, "error: %s\n", text.c_str());
    messages.push_back({text, is_error, now_s_});
    if (messages.size() > max_messages) messages.pop_front();
}

bool Session::is_moving() const { return now_s_ - moved_at_s_ < moving_s || turntable; }

bool Session::is_settled() const {
    return scene.number > 0 && !loader.is_loading() && !scene.backend.empty() && picture.scene == scene.number &&
           picture.serial >= posted_.serial && posted_.scale == 1;
}

void Session::move(double seconds) {
    const auto axis = [this](Action plus, Action minus) {
        return static_cast<float>(held.count(plus)) - static_cast<float>(held.count(minus));
    };
    const float right = axis(Action::FlyRight, Action::FlyLeft), up = axis(Action::FlyUp, Action::FlyDown),
                forward = axis(Action::FlyForward, Action::FlyBack);
    const float elapsed = static_cast<float>(std::min(seconds, 0.1)), faster = shift ? 4.0f : 1.0f;
    if (right != 0 || up != 0 || forward != 0) scene.camera.fly(right, up, forward, elapsed * faster), camera_moved();
    if (turntable && !paused) scene.camera.turn(elapsed * turntable_deg_per_s * 0.0174533f);
    const float turning = axis(Action::RotateEnvironmentRight, Action::RotateEnvironmentLeft);
    if (turning != 0 && scene.info.environment != "none") scene.environment_rotation_deg += 60 * elapsed * turning, camera_moved();
}

ViewRequest Session::wanted(Size film_area) const {
    ViewRequest request;
    request.scene = scene.number;
    request.restarts = restarts;
    request.camera = scene.camera.camera();
    request.options = schedule;
    const Size film = options.film.value_or(film_area);
    request.options.width = static_cast<uint32_t>(std::max(1, film.width));
    request.options.height = static_cast<uint32_t>(std::max(1, film.height));
    request.options.scheduler = scheduler;
    request.options.timeline = timelines;
    request.options.aovs = aovs_of(develop.layer);
    const bool coarse = is_moving() && dynamic_resolution;
    const auto resolution = resolutions_.find(resolution_of_);
    request.scale = coarse && resolution != resolutions_.end() ? resolution->second.scale() : 1;
    request.mode = mode;
    request.scheduler_a = scheduler_a, request.scheduler_b = scheduler_b;
    request.samples_per_pass = coarse ? 1 : samples_per_pass;
    request.sample_limit = sample_limit;
    request.paused = paused, request.hash_film = hash_film, request.without_display = without_display;
    request.develop = develop;
    request.environment_rotation_deg = scene.environment_rotation_deg;
    request.environment_scale = scene.environment_scale;
    request.materials = scene.edits;
    return request;
}

const std::string& Session::resolution_key() const {
    static const std::string two_sided;
    return mode == Mode::Single ? scheduler : two_sided;
}

void Session::begin_resolution() {
    resolution_of_ = resolution_key();
    const auto known = statistics.find(resolution_of_);
    const bool is_known = known != statistics.end() && known->second.sample_ms > 0;
    resolution().begin(is_known ? known->second.sample_ms : full_sample_ms_, frame_budget_ms);
}

void Session::update(double now, Size film_area) {
    const double seconds = now_s_ > 0 ? now - now_s_ : 0;
    now_s_ = now;
    take_loaded();
    take_events();
    move(seconds);
    if (is_moving() && (!was_moving_ || resolution_of_ != resolution_key())) begin_resolution();
    was_moving_ = is_moving();
    if (scene.number > 0) {
        ViewRequest request = wanted(film_area);
        if (!same_wish(request, posted_) || posted_.serial == 0) {
            request.serial = posted_.serial + 1;
            render.post(request);
            if (input_at_s_) pending_.push_back({request.serial, *input_at_s_});
            posted_ = std::move(request);
        }
    }
    input_at_s_.reset();
    render.tick();
}

void Session::shown(double now) {
    while (!pending_.empty() && picture.serial >= pending_.front().serial) {
        const double latency_ms = (now - pending_.front().time_s) * 1e3;
        statistics[picture.scheduler].latency_ms.add(latency_ms);
        if (new_latencies_ms.size() < max_measured) new_latencies_ms.push_back(latency_ms);
        pending_.pop_front();
    }
}

bool Session::close(double limit_s) {
    loader.cancel();
    render.stop();
    const auto start = std::chrono::steady_clock::now();
    while (!render.is_done() || loader.num_running() > 0) {
        if (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() > limit_s) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return true;
}

}  // namespace warpath::viewer
