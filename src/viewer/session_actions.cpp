// What keys, panels and scripts do.
#include <algorithm>
#include <cctype>

#include "viewer/layers.h"
#include "viewer/session.h"
#include "warpath/error.h"

namespace warpath::viewer {

void Session::choose_scheduler(const std::string& name) {
    if (!knows(schedulers, name)) throw Error(ErrorCode::BadOption, "this backend has no scheduler '" + name + "'; see `warpath info`");
    if (mode != Mode::Single) set_mode(Mode::Single);
    if (name == scheduler) return;
    last_scheduler = scheduler;
    scheduler = name;
    const auto known = statistics.find(name);
    if (known != statistics.end()) full_sample_ms_ = std::max(full_sample_ms_, known->second.sample_ms);
    if (dynamic_resolution && full_sample_ms_ > frame_budget_ms) camera_moved();
}

void Session::flip_scheduler() {
    if (mode != Mode::Single) return std::swap(scheduler_a, scheduler_b);
    if (!last_scheduler.empty()) return choose_scheduler(std::string(last_scheduler));
    for (const SchedulerInfo& info : schedulers)
        if (info.name != scheduler && info.name != picture.scheduler) return choose_scheduler(info.name);
}

void Session::set_mode(Mode next) {
    if (next == mode) return;
    if (mode == Mode::Single) {
        scheduler_b = scheduler;
        scheduler_a = last_scheduler;
        for (const SchedulerInfo& info : schedulers)
            if (scheduler_a.empty() && info.name != scheduler && info.name != picture.scheduler) scheduler_a = info.name;
        if (scheduler_a.empty()) scheduler_a = scheduler;
    }
    mode = next;
    comparison.clear();
    waiting_a_ms.reset();
}

void Session::open(const std::filesystem::path& path) {
    std::string extension = path.extension().string();
    for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    LoadOptions load = options.load;
    if (scene.number > 0) load.camera.reset();  // the command line's is of its own scene
    if (extension == ".hdr" || extension == ".exr") {
        if (scene.number == 0) return say("drop a scene first: " + path.string() + " is an environment map", true);
        load.environment = path;
        load.camera = scene.camera.camera();
        return loader.start(scene.path, load);
    }
    if (loader.is_loading()) say("gave up loading " + loader.path().string());
    loader.start(path, load);
}

void Session::cancel_loading() {
    if (!loader.is_loading()) return;
    say("gave up loading " + loader.path().string());
    loader.cancel();
}

void Session::pick(float x, float y, PickPurpose purpose) { render.order(PickAt{scene.number, x, y, purpose}); }

std::filesystem::path Session::new_name(const std::string& extension) const {
    const std::string stem = scene.path.stem().string();
    for (int i = 1;; ++i) {
        const std::filesystem::path name = stem + "-" + std::to_string(i) + extension;
        if (!std::filesystem::exists(name)) return name;
    }
}

void Session::save(const std::filesystem::path& path) {
    SaveImage order{path, {}, {}};
    order.write.exposure = develop.exposure;
    order.write.tone_curve = develop.tone_curve;
    order.attributes = {{"software", "warpath " + version()},
                        {"scene", scene.path.string()},
                        {"camera", camera_json(scene.camera.camera()).dump()},
                        {"max_depth", std::to_string(schedule.max_depth)},
                        {"seed", std::to_string(schedule.seed)},
                        {"sampler", schedule.sampler},
                        {"filter", schedule.filter},
                        {"scheduler", picture.scheduler}};
    render.order(std::move(order));
}

void Session::toggle_recording() {
    recording = !recording;
    if (recording) return recorded.clear();
    try {
        for (const char* extension : {".csv", ".json"}) write_recording(new_name(extension));
    } catch (const Error& e) {
        say(e.what(), true);
    }
}

void Session::write_recording(const std::filesystem::path& path) {
    recorded.write(path, scene.path.string(), scene.device);
    say("wrote " + path.string() + ": " + std::to_string(recorded.size()) + " passes");
}

const MaterialParameters& Session::material(uint32_t index) const {
    const auto edited = scene.edits.find(index);
    return edited != scene.edits.end() ? edited->second : scene.materials.at(index).parameters;
}

void Session::edit_material(uint32_t index, const MaterialParameters& parameters) {
    if (index < scene.materials.size()) scene.edits[index] = parameters;
}

std::filesystem::path Session::bookmarks_file() const {
    return options.bookmarks.empty() ? std::filesystem::path(scene.path.string() + ".bookmarks.json") : options.bookmarks;
}

void Session::add_bookmark() {
    if (scene.number == 0) return;
    scene.bookmarks.push_back({"view " + std::to_string(scene.bookmarks.size() + 1), scene.camera.camera()});
    scene.bookmark = scene.bookmarks.size() - 1;
    try {
        write_bookmarks(bookmarks_file(), scene.bookmarks);
        say("wrote " + bookmarks_file().string());
    } catch (const Error& e) {
        say(e.what(), true);
    }
}

void Session::go_to_bookmark(size_t index) {
    if (index >= scene.bookmarks.size()) return;
    scene.bookmark = index;
    scene.camera.set_camera(scene.bookmarks[index].camera);
    camera_moved();
}

void Session::step_bookmark(size_t step) {
    if (!scene.bookmarks.empty()) go_to_bookmark((scene.bookmark + step) % scene.bookmarks.size());
}

void Session::perform(Action action) {
    CameraController& camera = scene.camera;
    const CameraOption& view = camera.camera();
    switch (action) {
        case Action::Scheduler1: case Action::Scheduler2: case Action::Scheduler3: case Action::Scheduler4: case Action::Scheduler5:
        case Action::Scheduler6: case Action::Scheduler7: case Action::Scheduler8: case Action::Scheduler9: {
            const size_t index = static_cast<size_t>(action) - static_cast<size_t>(Action::Scheduler1);
            if (index < schedulers.size()) choose_scheduler(schedulers[index].name);
            return;
        }
        case Action::FlipScheduler: return flip_scheduler();
        case Action::Alternate: return set_mode(mode == Mode::Alternate ? Mode::Single : Mode::Alternate);
        case Action::Split: return set_mode(mode == Mode::Split ? Mode::Single : Mode::Split);
        case Action::Record: return toggle_recording();
        case Action::FocusHere: return pick(cursor_x, cursor_y, PickPurpose::Focus);
        case Action::Turntable: turntable = !turntable; return;
        case Action::HomeView: camera.set_camera(scene.info.camera); return camera_moved();
        case Action::WiderView: camera.set_vfov(view.vfov_deg * 1.1f); return camera_moved();
        case Action::NarrowerView: camera.set_vfov(view.vfov_deg / 1.1f); return camera_moved();
        case Action::SmallerAperture: camera.set_aperture(view.aperture < 1e-4f * camera.speed() ? 0 : view.aperture / 1.25f); return camera_moved();
        case Action::LargerAperture: camera.set_aperture(view.aperture > 0 ? view.aperture * 1.25f : 0.01f * camera.speed()); return camera_moved();
        case Action::AddBookmark: return add_bookmark();
        case Action::PreviousBookmark: return step_bookmark(scene.bookmarks.size() - 1);
        case Action::NextBookmark: return step_bookmark(1);
        case Action::CopyCamera: clipboard = camera_json(view).dump(); return say("copied the camera");
        case Action::Pause: paused = !paused; return;
        case Action::Restart: ++restarts; return;
        case Action::NextLayer:
            develop.layer = static_cast<DisplayLayer>((static_cast<uint32_t>(develop.layer) + 1) % num_layers);
            develop.scale_min = develop.scale_max = 0;
            return;
        case Action::Darker: develop.exposure -= 0.25f; return;
        case Action::Brighter: develop.exposure += 0.25f; return;
        case Action::ToneCurve:
            develop.tone_curve = develop.tone_curve == warpath::ToneCurve::Filmic ? warpath::ToneCurve::Linear : warpath::ToneCurve::Filmic;
            return;
        case Action::SavePng: return save(new_name(".png"));
        case Action::SaveExr: return save(new_name(".exr"));
        case Action::Sidebars: show_panels = !show_panels; return;
        case Action::FullScreen: full_screen_wanted = true; return;
        case Action::Help: show_help = !show_help; return;
        case Action::Cancel: show_help ? (void)(show_help = false) : cancel_loading(); return;
        case Action::Quit: quit_wanted = true; return;
        case Action::FlyForward: case Action::FlyBack: case Action::FlyLeft: case Action::FlyRight: case Action::FlyUp: case Action::FlyDown:
        case Action::RotateEnvironmentLeft: case Action::RotateEnvironmentRight: return;  // held, see move()
    }
}

}  // namespace warpath::viewer
