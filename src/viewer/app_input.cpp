// What mouse and keyboard do.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <cmath>

#include "viewer/app.h"

namespace warpath::viewer {
namespace {

constexpr double click_slack = 4;      // a press that moves less than that is a click
constexpr double double_click_s = 0.35;

}  // namespace

float App::wipe_x() const { return picture_area_.left + session.wipe * picture_area_.width; }

void App::on_key(int key, int action, int mods) {
    touch();
    session.note_input(glfwGetTime());
    ui_.on_key(key, action, mods);
    if (key == GLFW_KEY_LEFT_SHIFT || key == GLFW_KEY_RIGHT_SHIFT) session.shift = action != GLFW_RELEASE;
    const KeyBinding* const binding = find_binding(key, mods);
    if (!binding) return;
    if (action == GLFW_RELEASE) {
        session.hold(binding->action, false);
        for (const KeyBinding& other : key_bindings())  // the modifier may have changed since the press
            if (other.key == key) session.hold(other.action, false);
        return;
    }
    if (ui_.wants_text() && binding->action != Action::Cancel) return;
    if (binding->held)
        session.hold(binding->action, true);
    else if (action == GLFW_PRESS)
        session.perform(binding->action);
}

void App::on_button(int button, int action, int mods) {
    touch();
    session.note_input(glfwGetTime());
    ui_.on_button(button, action, mods);
    if (action == GLFW_PRESS) {
        if (ui_.wants_mouse() || !picture_area_.contains(static_cast<float>(x_), static_cast<float>(y_))) return;
        pressed_x_ = x_, pressed_y_ = y_;
        was_dragged_ = false;
        const bool on_wipe = session.picture.num_planes == 2 && std::abs(x_ - static_cast<double>(wipe_x())) < 6;
        drag_ = button == GLFW_MOUSE_BUTTON_LEFT ? (on_wipe ? Drag::Wipe : Drag::Orbit)
                                                 : button == GLFW_MOUSE_BUTTON_RIGHT ? Drag::Look : Drag::Pan;
        return;
    }
    const bool was_click = drag_ == Drag::Orbit && !was_dragged_;
    drag_ = Drag::None;
    if (!was_click) return;
    const bool is_double = glfwGetTime() - last_click_s_ < double_click_s;
    last_click_s_ = glfwGetTime();
    session.pick(session.cursor_x, session.cursor_y, is_double ? PickPurpose::Focus : PickPurpose::Material);
}

void App::on_cursor(double x, double y) {
    touch();
    ui_.on_cursor(x, y);
    const float dx = static_cast<float>(x - x_), dy = static_cast<float>(y - y_);
    x_ = x, y_ = y;
    session.cursor_x = std::clamp((static_cast<float>(x) - picture_area_.left) / picture_area_.width, 0.0f, 1.0f);
    session.cursor_y = std::clamp((static_cast<float>(y) - picture_area_.top) / picture_area_.height, 0.0f, 1.0f);
    if (drag_ == Drag::None) return;
    if (std::hypot(x - pressed_x_, y - pressed_y_) > click_slack) was_dragged_ = true;
    if (!was_dragged_) return;
    session.note_input(glfwGetTime());
    CameraController& camera = session.scene.camera;
    const float turn = 4.0f / std::max(200.0f, picture_area_.height);
    const float per_pixel = camera.camera().vfov_deg * 0.0174533f / std::max(1.0f, picture_area_.height);
    if (drag_ == Drag::Wipe) session.wipe = session.cursor_x;
    if (drag_ == Drag::Orbit) camera.orbit(-turn * dx, turn * dy);
    if (drag_ == Drag::Look) camera.look(per_pixel * dx, -per_pixel * dy);
    if (drag_ == Drag::Pan) camera.pan(-dx / picture_area_.height, dy / picture_area_.height);
    if (drag_ != Drag::Wipe) session.camera_moved();
}

void App::on_scroll(double steps) {
    touch();
    session.note_input(glfwGetTime());
    ui_.on_scroll(steps);
    if (ui_.wants_mouse()) return;
    if (drag_ == Drag::Look) return session.scene.camera.change_speed(static_cast<float>(steps));
    session.scene.camera.dolly(static_cast<float>(steps));
    session.camera_moved();
}

void App::on_drop(const std::vector<std::filesystem::path>& paths) {
    touch();
    for (const std::filesystem::path& path : paths) session.open(path);
}

}  // namespace warpath::viewer
