#include "viewer/script_runner.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "viewer/layers.h"
#include "viewer/measurement.h"
#include "warpath/error.h"
#include "warpath/file.h"

namespace warpath::viewer {
namespace {

using Json = nlohmann::json;

constexpr double patience_s = 120;  // of a wait, unless within_s says otherwise

int button_of(const Json& json) {
    const std::string name = json.value("button", "left");
    if (name == "left") return GLFW_MOUSE_BUTTON_LEFT;
    if (name == "right") return GLFW_MOUSE_BUTTON_RIGHT;
    if (name == "middle") return GLFW_MOUSE_BUTTON_MIDDLE;
    throw Error(ErrorCode::BadInput, "button must be left, right or middle, not '" + name + "'");
}

}  // namespace

ScriptRunner::ScriptRunner(App& app, std::vector<Step> steps, std::string place)
    : app_(app), steps_(std::move(steps)), place_(std::move(place)) {
    app_.scripted_mouse.emplace();
}

void ScriptRunner::fail(const std::string& what) const {
    const Step& step = steps_[next_ - 1];
    const std::string where = place_ + ": step " + std::to_string(step.number) + " (" + step.kind->name + "): ";
    throw Error(ErrorCode::BadInput, what.starts_with(where) ? what : where + what);
}

void ScriptRunner::advance() {
    while (!is_done()) {
        if (tasks_.empty()) {
            const Step& step = steps_[next_++];
            try {
                begin(step);
            } catch (const std::exception& e) {
                fail(e.what());
            }
        }
        while (!tasks_.empty()) {
            const Task task = tasks_.front();
            if (!task()) return;
            tasks_.pop_front();
        }
    }
    app_.scripted_mouse.reset();
}

void ScriptRunner::then_frame(std::function<void()> action) {
    const auto began = std::make_shared<std::optional<uint64_t>>();
    then([this, action = std::move(action), began] {
        if (!*began) {
            try {
                action();
            } catch (const std::exception& e) {
                fail(e.what());
            }
            *began = app_.num_frames();
        }
        return app_.num_frames() > **began;
    });
}

void ScriptRunner::wait_until(const Step& step, std::function<bool()> condition) {
    const double limit_s = step.json.value("within_s", patience_s);
    const auto began = std::make_shared<std::optional<double>>();
    then([this, condition = std::move(condition), limit_s, began] {
        if (!*began) *began = glfwGetTime();
        if (condition()) return true;
        if (glfwGetTime() - **began > limit_s) {
            const Session& session = app_.session;
            fail("still waiting after " + std::to_string(static_cast<int>(limit_s)) + " s; the picture has " +
                 std::to_string(session.picture.num_samples) + " samples per pixel" +
                 (session.messages.empty() ? "" : ", and the last message is: " + session.messages.back().text));
        }
        return false;
    });
}

bool ScriptRunner::picture_has(uint32_t num_samples) const {
    const Session& session = app_.session;
    return session.is_settled() && !session.is_moving() && session.picture.num_samples >= num_samples;
}

std::pair<double, double> ScriptRunner::place_of(const Json& point) const {
    const double x = point[0].get<double>(), y = point[1].get<double>();
    if (x > 1 || y > 1 || x < 0 || y < 0) return {x, y};
    const Rectangle& area = app_.picture_area();
    return {static_cast<double>(area.left) + x * static_cast<double>(area.width), static_cast<double>(area.top) + y * static_cast<double>(area.height)};
}

void ScriptRunner::move_to(double x, double y) {
    app_.scripted_mouse->x = x, app_.scripted_mouse->y = y;
    app_.on_cursor(x, y);
}

void ScriptRunner::press(int button, bool is_down) {
    app_.scripted_mouse->down[button] = is_down;
    app_.on_button(button, is_down ? GLFW_PRESS : GLFW_RELEASE, 0);
}

void ScriptRunner::begin(const Step& step) {
    const std::string name = step.kind->name;
    if (name.starts_with("wait_")) return begin_wait(step);
    if (name == "move" || name == "click" || name == "drag" || name == "scroll" || name == "key") return begin_input(step);
    if (name == "screenshot" || name == "save" || name == "write_record" || name == "measure") return begin_file(step);
    begin_change(step);
}

void ScriptRunner::begin_wait(const Step& step) {
    const std::string name = step.kind->name;
    Session& session = app_.session;
    if (name == "wait_loaded") return wait_until(step, [this] { return picture_has(1); });
    if (name == "wait_message") {
        return wait_until(step, [&session, text = step.value().get<std::string>()] {
            return std::any_of(session.messages.begin(), session.messages.end(),
                               [&](const Message& message) { return message.text.find(text) != std::string::npos; });
        });
    }
    if (name == "wait_ms") {
        const double end = glfwGetTime() + step.value().get<double>() * 1e-3;
        return then([end] { return glfwGetTime() >= end; });
    }
    const uint64_t count = step.value().get<uint64_t>();
    if (name == "wait_spp") {
        then_frame([] {});  // so that what was changed before is asked for
        return wait_until(step, [this, count] { return picture_has(static_cast<uint32_t>(count)); });
    }
    if (name == "wait_passes")
        return wait_until(step, [&session, end = session.num_passes + count] { return session.num_passes >= end; });
    if (name == "wait_pairs") return wait_until(step, [&session, count] { return session.comparison.ratio().num_values >= count; });
    const uint64_t end = app_.num_frames() + count;  // wait_frames
    then([this, end] { return app_.num_frames() >= end; });
}

void ScriptRunner::begin_input(const Step& step) {
    const std::string name = step.kind->name;
    const Json& value = step.value();
    if (name == "scroll") return then_frame([this, steps = value.get<double>()] { app_.on_scroll(steps); });
    if (name == "key") {
        const std::optional<KeyPress> key = key_from_text(value.get<std::string>());
        if (!key) fail("there is no key '" + value.get<std::string>() + "'");
        then_frame([this, key] { app_.on_key(key->key, GLFW_PRESS, key->mods); });
        const double hold_s = step.json.value("hold_ms", 0.0) * 1e-3;
        const auto end = std::make_shared<std::optional<double>>();
        then([hold_s, end] { return glfwGetTime() >= (*end ? **end : *(*end = glfwGetTime() + hold_s)); });
        return then_frame([this, key] { app_.on_key(key->key, GLFW_RELEASE, key->mods); });
    }
    if (name == "move") {
        const auto [x, y] = place_of(value);
        return then_frame([this, x = x, y = y] { move_to(x, y); });
    }
    const int button = button_of(step.json);
    const auto [x, y] = place_of(name == "drag" ? value[0] : value);
    then_frame([this, x = x, y = y] { move_to(x, y); });
    then_frame([this, button] { press(button, true); });
    if (name == "drag") {
        const auto [end_x, end_y] = place_of(value[1]);
        const double num_frames = static_cast<double>(std::max<uint64_t>(1, step.json.value("frames", uint64_t{10})));
        for (double i = 1; i <= num_frames; ++i)
            then_frame([this, to_x = x + (end_x - x) * i / num_frames, to_y = y + (end_y - y) * i / num_frames] { move_to(to_x, to_y); });
    }
    then_frame([this, button] { press(button, false); });
}

void ScriptRunner::begin_change(const Step& step) {
    const std::string name = step.kind->name;
    const Json& value = step.value();
    Session& session = app_.session;
    if (name == "scheduler") return then_frame([&session, text = value.get<std::string>()] { session.choose_scheduler(text); });
    if (name == "mode") return then_frame([this, json = step.json] { set_mode(json); });
    if (name == "set") return then_frame([this, value] { set_parameters(value); });
    if (name == "material") return then_frame([this, value] { edit_material(value); });
    if (name == "camera") {
        const CameraOption camera = camera_from_json(value, "camera");
        return then_frame([&session, camera] { session.scene.camera.set_camera(camera); });
    }
    if (name == "layer") {
        const auto found = std::find_if(std::begin(layer_names), std::end(layer_names), [&](const LayerName& layer) { return value == layer.script; });
        if (found == std::end(layer_names)) fail("there is no layer '" + value.get<std::string>() + "'");
        return then_frame([&session, layer = static_cast<DisplayLayer>(found - std::begin(layer_names))] { session.develop.layer = layer; });
    }
    if (name == "resize") return then_frame([this, value] { app_.window().resize({value[0].get<int>(), value[1].get<int>()}); });
    if (name == "drop") {
        const auto names = value.get<std::vector<std::string>>();
        return then_frame([this, names] { app_.on_drop(std::vector<std::filesystem::path>(names.begin(), names.end())); });
    }
    if (name == "cancel") return then_frame([&session] { session.cancel_loading(); });
    if (name == "record") return then_frame([&session] { session.recording = true, session.recorded.clear(); });
    if (name == "flip") return flip(step);
    if (name == "expect_identical") {
        if (!session.picture.compared) fail("no films of as many samples were compared yet");
        if (session.picture.num_different_pixels > 0) fail(std::to_string(session.picture.num_different_pixels) + " pixels differ");
        return;
    }
    if (name == "expect_title") {
        if (app_.title().find(value.get<std::string>()) == std::string::npos) fail("the title is '" + app_.title() + "'");
        return;
    }
    then_frame([&session] { session.quit_wanted = true; });  // close
}

void ScriptRunner::begin_file(const Step& step) {
    const std::string name = step.kind->name, path = step.value().get<std::string>();
    Session& session = app_.session;
    if (name == "screenshot") return then_frame([this, path] { app_.screenshot(path); });
    if (name == "write_record") return then_frame([&session, path] { session.write_recording(path); });
    if (name == "measure") {
        check_file_writable(path);
        const auto measurement =
            std::make_shared<Measurement>(app_, step.json.value("schedulers", std::vector<std::string>{}),
                                          step.json.value("passes", size_t{200}), step.json.value("inputs", size_t{40}));
        // Written anew after each scheduler, so that a run that ends early leaves what it had.
        return then([measurement, path, num_written = std::make_shared<size_t>(0)] {
            const bool is_done = measurement->advance();
            if (is_done || measurement->num_done() > *num_written) write_file(path, measurement->result().dump(2) + "\n");
            *num_written = measurement->num_done();
            return is_done;
        });
    }
    const uint64_t before = session.num_saved;  // save
    then_frame([&session, path] { session.save(path); });
    wait_until(step, [&session, before] { return session.num_saved > before; });
}

void ScriptRunner::set_mode(const Json& json) {
    Session& session = app_.session;
    const std::string mode = json.at("mode").get<std::string>();
    if (mode != "one" && mode != "alternate" && mode != "split") throw Error(ErrorCode::BadInput, "mode must be one, alternate or split, not '" + mode + "'");
    session.set_mode(mode == "one" ? Mode::Single : mode == "split" ? Mode::Split : Mode::Alternate);
    for (const auto& [key, side] : {std::pair{"a", &session.scheduler_a}, std::pair{"b", &session.scheduler_b}}) {
        if (!json.contains(key)) continue;
        const std::string scheduler = json.at(key).get<std::string>();
        if (!knows(session.schedulers, scheduler)) throw Error(ErrorCode::BadInput, "this backend has no scheduler '" + scheduler + "'");
        *side = scheduler;
    }
}

/// Flips through schedulers: each renders the first sample of every pixel anew, and each film must be the first one's, to the bit.
void ScriptRunner::flip(const Step& step) {
    Session& session = app_.session;
    std::vector<std::string> names = step.json.value("schedulers", std::vector<std::string>{});
    if (names.empty())
        for (const SchedulerInfo& info : session.schedulers) names.push_back(info.name);
    const auto reference = std::make_shared<std::optional<uint64_t>>();
    const auto number = std::make_shared<uint64_t>(0);
    const uint64_t count = step.value().get<uint64_t>();
    const uint32_t old_limit = session.sample_limit;
    const bool was_dynamic = session.dynamic_resolution;
    const auto asked = std::make_shared<std::optional<uint64_t>>();  // frame in which the present flip was asked for
    session.hash_film = true, session.sample_limit = 1, session.dynamic_resolution = false;
    wait_until(step, [this, &session, names, reference, number, count, asked, old_limit, was_dynamic] {
        if (!*asked) {
            if (*number == count) return session.hash_film = false, session.sample_limit = old_limit, session.dynamic_resolution = was_dynamic, true;
            session.choose_scheduler(names[*number % names.size()]);
            ++session.restarts;
            *asked = app_.num_frames();
            return false;
        }
        if (app_.num_frames() == **asked || !picture_has(1)) return false;
        const Picture& picture = session.picture;
        if (!*reference) *reference = picture.checksum;
        if (picture.checksum != **reference || session.last_checksum != picture.checksum)
            fail("flip " + std::to_string(*number + 1) + " to " + picture.scheduler + " gave another film");
        ++*number;
        asked->reset();
        return false;
    });
}

}  // namespace warpath::viewer
