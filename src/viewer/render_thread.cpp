#include "viewer/render_thread.h"

#include <algorithm>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>

#include "viewer/dynamic_resolution.h"
#include "warpath/error.h"

namespace warpath::viewer {
namespace {

/// A pass that will show what nobody has seen yet may go on so long after something else was asked for.
constexpr std::chrono::milliseconds patience{12};
/// Showing takes time from the device that renders: where only noise changes, pictures come so often, or with an eighth more samples.
constexpr std::chrono::milliseconds refinement{100};
constexpr uint32_t refinement_share = 8;

RenderOptions options_of(const ViewRequest& request, const std::string& scheduler) {
    RenderOptions options = request.options;
    options.width = scaled(options.width, request.scale);
    options.height = scaled(options.height, request.scale);
    options.scheduler = scheduler;
    return options;
}

uint64_t count_differences(const Image& a, const Image& b) {
    uint64_t num_different = 0;
    const size_t num_pixels = size_t{a.width} * a.height;
    for (size_t i = 0; i < num_pixels; ++i) {
        bool same = true;
        for (size_t c = 0; c < 3; ++c) same = same && a.channels[c].values[i] == b.channels[c].values[i];
        num_different += same ? 0 : 1;
    }
    return num_different;
}

}  // namespace

/// A frame and what was last applied to it beyond what it says itself.
struct RenderThread::Side {
    explicit Side(LiveFrame made) : frame(std::move(made)) {}
    LiveFrame frame;
    std::map<uint32_t, MaterialParameters> materials;
    std::optional<std::pair<float, float>> environment;  ///< rotation and scale
    std::string scheduler;                               ///< that ran last
};

struct RenderThread::Frames {
    Frames(uint64_t number, const LoadedScene& loaded, const RenderOptions& options)
        : scene(number),
          environment{loaded.info().environment_rotation_deg, loaded.info().environment_scale},
          renderer(loaded, options),
          a(renderer.prepare_live(options)) {}

    uint64_t scene;
    std::pair<float, float> environment;  ///< as loaded
    Renderer renderer;
    Side a;
    std::optional<Side> b;                ///< in Mode::Split
};

bool changes_picture(const ViewRequest& a, const ViewRequest& b) {
    const auto visible = [](const RenderOptions& o) {
        return std::tie(o.width, o.height, o.max_depth, o.seed, o.sampler, o.filter, o.aovs, o.scheduler);
    };
    return a.scene != b.scene || a.restarts != b.restarts || !(a.camera == b.camera) || visible(a.options) != visible(b.options) ||
           a.scale != b.scale || a.environment_rotation_deg != b.environment_rotation_deg ||
           a.environment_scale != b.environment_scale || a.materials != b.materials;
}

RenderThread::RenderThread(std::unique_ptr<PictureStore> store, std::function<void()> wake)
    : store_(std::move(store)), wake_(std::move(wake)), thread_([this] { run(); }) {}

RenderThread::~RenderThread() {
    stop();
    thread_.join();
}

void RenderThread::stop() {
    stop_ = true;
    interrupt_ = true;
    const std::lock_guard lock(mutex_);
    changed_.notify_all();
}

void RenderThread::post(const ViewRequest& request) {
    const std::lock_guard lock(mutex_);
    if (changes_picture(wanted_, request)) visible_change_ = true;
    wanted_ = request;
    changed_.notify_all();
}

void RenderThread::order(RenderOrder order) {
    const std::lock_guard lock(mutex_);
    if (std::holds_alternative<InstallScene>(order)) visible_change_ = true;
    orders_.push_back(std::move(order));
    changed_.notify_all();
}

void RenderThread::tick() {
    // Never twice in a row, so that a camera that keeps moving shows something however slow a pass is.
    if (!in_pass_ || !visible_change_ || last_was_interrupted_) return;
    const auto now = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch()).count();
    if (pass_only_refines_ || now - pass_began_ns_ > std::chrono::nanoseconds(patience).count()) interrupt_ = true;
}

std::vector<RenderEvent> RenderThread::take_events() {
    const std::lock_guard lock(mutex_);
    return std::exchange(events_, {});
}

std::optional<Schedule> RenderThread::take_schedule() {
    const std::lock_guard lock(mutex_);
    return std::exchange(schedule_, std::nullopt);
}

bool RenderThread::is_behind() const {
    const std::lock_guard lock(mutex_);
    return applied_serial_ != wanted_.serial;
}

void RenderThread::say(RenderEvent event) {
    {
        const std::lock_guard lock(mutex_);
        events_.push_back(std::move(event));
    }
    wake_();
}

void RenderThread::lose_frames(const std::string& text) {
    frames_.reset();
    say(Problem{text});
}

void RenderThread::run() {
    try {
        store_->begin_thread();
        while (!stop_) {
            try {
                turn();
            } catch (const std::bad_alloc&) {
                lose_frames("out of memory; the scene was let go");
            } catch (const std::exception& e) {
                lose_frames(e.what());
            }
        }
    } catch (const std::exception& e) {
        say(Problem{e.what()});
    }
    frames_.reset();
    store_->end_thread();
    done_ = true;
    wake_();
}

void RenderThread::turn() {
    std::vector<RenderOrder> orders;
    {
        const std::lock_guard lock(mutex_);
        orders.swap(orders_);
    }
    for (RenderOrder& order : orders) std::visit([this](auto& what) { carry_out(what); }, order);
    if (update()) needs_picture_ = true;
    if (!frames_ || frames_->scene != request_.scene) return wait_for_work();
    if (has_room()) {
        render_pass();
        needs_picture_ = !stop_;
    }
    const bool is_idle = !has_room();
    if (needs_picture_ && !last_was_interrupted_ && !request_.without_display && (is_idle || (exchange_.is_wanted() && is_worth_showing()))) show();
    if (is_idle) wait_for_work();
}

void RenderThread::wait_for_work() {
    if (frames_) {
        frames_->a.frame.park();
        if (frames_->b) frames_->b->frame.park();
    }
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return stop_ || !orders_.empty() || wanted_.serial != applied_serial_; });
}

void RenderThread::carry_out(InstallScene& order) {
    try {
        // The old scene stays where it is until the new one is ready; only a kernel that stays has to make way.
        if (frames_)
            for (Side* side : sides()) side->frame.park();
        frames_ = std::make_unique<Frames>(order.scene, order.loaded, order.options);
        say(SceneReady{order.scene, frames_->renderer.backend(), frames_->renderer.device()});
    } catch (const std::bad_alloc&) {
        say(SceneFailed{order.scene, "out of memory; the scene before it stays"});
    } catch (const std::exception& e) {
        say(SceneFailed{order.scene, e.what()});
    }
}

void RenderThread::carry_out(PickAt& order) {
    if (!frames_ || frames_->scene != order.scene) return;
    const RenderOptions& options = frames_->a.frame.options();
    const auto pixel = [](float x, uint32_t size) {
        return std::min(size - 1, static_cast<uint32_t>(std::max(0.0f, x) * static_cast<float>(size)));
    };
    say(Picked{order.scene, order.purpose, frames_->a.frame.pick(pixel(order.x, options.width), pixel(order.y, options.height))});
}

void RenderThread::carry_out(SaveImage& order) {
    Saved saved{order.path, "", 0};
    try {
        if (!frames_) throw Error(ErrorCode::Unavailable, "there is no picture to save yet");
        RenderResult result = frames_->a.frame.result();
        saved.num_samples = frames_->a.frame.num_samples();
        result.image.attributes = std::move(order.attributes);
        result.image.attributes["samples_per_pixel"] = std::to_string(saved.num_samples);
        write_image(result.image, order.path, order.write);
    } catch (const std::exception& e) {
        saved.error = e.what();
    }
    say(std::move(saved));
}

/// Takes over the newest request. Whether there was one.
bool RenderThread::update() {
    ViewRequest next;
    {
        const std::lock_guard lock(mutex_);
        if (wanted_.serial == applied_serial_) return false;
        next = wanted_;
        visible_change_ = false;
        applied_serial_ = next.serial;
    }
    const uint64_t restarts_before = request_.restarts;
    const bool same_scene = request_.scene == next.scene;
    request_ = std::move(next);
    if (!frames_ || frames_->scene != request_.scene) return true;
    try {
        if (request_.mode == Mode::Split) {
            if (!frames_->b) {
                frames_->a.frame.park();
                frames_->b.emplace(frames_->renderer.prepare_live(options_of(request_, request_.scheduler_b)));
                frames_->a.frame.restart();
            }
        } else {
            frames_->b.reset();
        }
        const bool restart = same_scene && restarts_before != request_.restarts;
        for (Side* side : sides()) {
            if (restart) side->frame.restart();
            apply(*side, side == &frames_->a ? scheduler_of_a() : request_.scheduler_b);
        }
    } catch (const Error& e) {
        if (e.code() == ErrorCode::Device) throw;
        say(Problem{e.what()});  // the frames go on as they were
    }
    return true;
}

std::vector<RenderThread::Side*> RenderThread::sides() {
    std::vector<Side*> both = {&frames_->a};
    if (frames_->b) both.push_back(&*frames_->b);
    return both;
}

std::string RenderThread::scheduler_of_a() const {
    if (request_.mode == Mode::Single) return request_.options.scheduler;
    return request_.mode == Mode::Alternate && turn_of_b_ ? request_.scheduler_b : request_.scheduler_a;
}

void RenderThread::apply(Side& side, const std::string& scheduler) {
    if (frames_->b)
        for (Side* other : sides())
            if (other != &side) other->frame.park();
    LiveFrame& frame = side.frame;
    frame.set_options(options_of(request_, scheduler));
    frame.set_camera(request_.camera);
    const std::pair environment{request_.environment_rotation_deg, request_.environment_scale};
    if (side.environment.value_or(frames_->environment) != environment) {
        side.environment = environment;  // before it may throw: once is enough
        frame.set_environment(environment.first, environment.second);
    }
    for (const auto& [material, parameters] : request_.materials) {
        const auto known = side.materials.find(material);
        if (known != side.materials.end() && known->second == parameters) continue;
        side.materials[material] = parameters;
        frame.set_material(material, parameters);
    }
}

bool RenderThread::has_room() const {
    const LiveFrame& frame = frames_->a.frame;
    uint32_t limit = frame.max_samples();
    if (request_.sample_limit > 0) limit = std::min(limit, request_.sample_limit);
    if (request_.paused) limit = std::min(limit, 1u);
    return frame.num_samples() < limit || (frames_->b && frames_->b->frame.num_samples() < limit);
}

bool RenderThread::is_worth_showing() const {
    const uint32_t n = frames_->a.frame.num_samples();
    if (request_.serial != shown_serial_ || n < shown_samples_) return true;
    return n - shown_samples_ >= shown_samples_ / refinement_share || Clock::now() - shown_at_ >= refinement;
}

void RenderThread::render_pass() {
    last_was_interrupted_ = false;
    if (request_.mode == Mode::Alternate) {
        frames_->a.frame.set_options(options_of(request_, scheduler_of_a()));
        run_pass(frames_->a, turn_of_b_ ? 'B' : 'A');
        turn_of_b_ = !turn_of_b_;
    } else if (request_.mode == Mode::Split && frames_->b) {
        run_pass(frames_->a, 'A');
        if (!stop_) run_pass(*frames_->b, 'B');
    } else {
        run_pass(frames_->a, ' ');
    }
}

void RenderThread::run_pass(Side& side, char name) {
    LiveFrame& frame = side.frame;
    uint32_t n = std::max(1u, request_.samples_per_pass);
    if (request_.sample_limit > frame.num_samples()) n = std::min(n, request_.sample_limit - frame.num_samples());
    interrupt_ = false;
    if (stop_) return;
    pass_only_refines_ = frame.num_samples() > 0 && shown_serial_ == request_.serial;
    pass_began_ns_ = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch()).count();
    in_pass_ = true;
    LivePass pass = frame.add_samples(n, nullptr, &interrupt_);
    in_pass_ = false;
    ++num_passes_;
    side.scheduler = pass.scheduler;
    if (pass.stopped) last_was_interrupted_ = true;
    if (!pass.warning.empty()) say(Problem{pass.warning});
    if (!pass.stopped && pass.num_samples > 0) report(pass, frame, name);
}

void RenderThread::report(LivePass& pass, LiveFrame& frame, char side) {
    PassDone done{summarize(pass, frame.options()), request_.serial, frame.num_samples(), 0};
    done.sample.time_s = std::chrono::duration<double>(Clock::now() - start_).count();
    done.sample.side = side;
    if (request_.hash_film) done.checksum = frame.film_checksum();
    Schedule schedule{pass.scheduler, std::move(pass.record), {}, false};
    if (pass.timeline) schedule.depths = std::move(pass.timeline->depths), schedule.has_sms = pass.timeline->has_sms;
    {
        const std::lock_guard lock(mutex_);
        schedule_ = std::move(schedule);
        events_.emplace_back(std::move(done));
    }
    if (request_.without_display) wake_();
}

void RenderThread::compare(Picture& picture) {
    LiveFrame &a = frames_->a.frame, &b = frames_->b->frame;
    if (a.num_samples() != b.num_samples()) return;
    picture.compared = true;
    if (a.film_checksum() == b.film_checksum()) return;
    picture.num_different_pixels = std::max<uint64_t>(1, count_differences(a.result().image, b.result().image));
}

void RenderThread::show() {
    Picture picture;
    Side& a = frames_->a;
    if (a.frame.num_samples() == 0) return;
    picture.scene = frames_->scene, picture.serial = request_.serial;
    picture.width = a.frame.options().width, picture.height = a.frame.options().height;
    picture.num_samples = a.frame.num_samples(), picture.num_passes = num_passes_;
    picture.scheduler = a.scheduler;
    std::vector<LiveFrame*> frames = {&a.frame};
    if (frames_->b && frames_->b->frame.num_samples() > 0) {
        for (Side* side : sides()) side->frame.park();  // one that stays would keep the other from developing
        frames.push_back(&frames_->b->frame);
        picture.num_planes = 2;
        compare(picture);
    }
    if (request_.hash_film) picture.checksum = a.frame.film_checksum();
    DevelopOptions develop = request_.develop;
    if (develop.layer >= DisplayLayer::Depth && !(develop.scale_max > 0)) {
        const std::array<float, 2> ends = a.frame.scale_of(develop.layer);
        develop.scale_min = ends[0], develop.scale_max = ends[1];
    }
    picture.scale_min = develop.scale_min, picture.scale_max = develop.scale_max;
    const int slot = exchange_.begin_write();
    try {
        store_->write(slot, frames, develop, picture);
    } catch (const Error& e) {
        exchange_.abandon(slot);
        if (e.code() == ErrorCode::Device) throw;
        needs_picture_ = false;
        return say(Problem{e.what()});
    }
    shown_serial_ = picture.serial, shown_samples_ = picture.num_samples, shown_at_ = Clock::now();
    exchange_.publish(slot, std::move(picture));
    needs_picture_ = false;
    wake_();
}

}  // namespace warpath::viewer
