#include "viewer/app.h"

#include <epoxy/gl.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "viewer/panels/panels.h"
#include "viewer/screenshot.h"

namespace warpath::viewer {
namespace {

// Drawing takes time from the device that renders: without input or a new picture the window is drawn so often, and while something moves.
constexpr double still_redraw_s = 0.1, busy_redraw_s = 1.0 / 60;

float ui_scale(const ViewOptions& options, const Window& window) {
    return std::clamp(options.ui_scale > 0 ? options.ui_scale : window.content_scale(), 0.5f, 8.0f);
}

}  // namespace

App::App(const ViewOptions& options, Window& window)
    : session(options, make_store(options, window), &Window::wake), window_(window), ui_(window, ui_scale(options, window)) {
    window_.listen(this);
    lay_out();
}

App::~App() { window_.listen(nullptr); }

float App::panel_width() const { return 330 * ui_.scale(); }

bool App::has_panels() const {
    return session.show_panels && static_cast<float>(window_.size().width) > 2.4f * panel_width() && window_.size().height > 200;
}

void App::lay_out() {
    const Size size = window_.size();
    const float width = static_cast<float>(std::max(1, size.width)), height = static_cast<float>(std::max(1, size.height));
    Rectangle area{0, 0, width, height};
    if (has_panels()) area.left = panel_width(), area.width = width - 2 * panel_width();
    const std::optional<Size> film = session.options.film;
    if (film) {
        // A film of its own size: as large as fits, or pixel for pixel where it fits so, its sides kept in proportion.
        const float pixels = static_cast<float>(window_.framebuffer_size().width) / width;
        const float w = static_cast<float>(film->width) / pixels, h = static_cast<float>(film->height) / pixels;
        const float zoom = std::min(area.width / w, area.height / h), by = zoom >= 1 ? std::floor(zoom) : zoom;
        area = {std::floor(area.left + (area.width - w * by) / 2), std::floor((area.height - h * by) / 2), w * by, h * by};
    }
    picture_area_ = area;
}

Size App::film_area() const {
    const float pixels = static_cast<float>(window_.framebuffer_size().width) / static_cast<float>(std::max(1, window_.size().width));
    return {static_cast<int>(std::lround(picture_area_.width * pixels)), static_cast<int>(std::lround(picture_area_.height * pixels))};
}

void App::frame() {
    const bool is_busy = session.is_moving() || !session.held.empty() || session.loader.is_loading() || scripted_mouse;
    window_.poll(is_busy ? 0.004 : 1.0 / 60);
    lay_out();
    session.update(glfwGetTime(), film_area());
    const auto next = session.render.pictures().take();
    if (next) {
        session.picture = next->second;
        view_.take(session.render.store(), next->first, next->second);
    }
    if (!session.without_display && is_due(next.has_value())) {
        drawn_at_s_ = glfwGetTime(), drawn_size_ = window_.framebuffer_size();
        draw();
        if (screenshot_) write_screenshot();
        window_.show_frame();
        session.shown(glfwGetTime());
    }
    carry_out_orders();
    ++num_frames_;
}

bool App::is_due(bool has_picture) const {
    if (has_picture || screenshot_ || num_frames_ < touched_until_) return true;
    const Size size = window_.framebuffer_size();
    if (size.width != drawn_size_.width || size.height != drawn_size_.height) return true;
    const bool is_busy = session.is_moving() || !session.held.empty() || session.loader.is_loading();
    return glfwGetTime() - drawn_at_s_ >= (is_busy ? busy_redraw_s : still_redraw_s);
}

void App::draw() {
    const Size pixels = window_.framebuffer_size();
    glViewport(0, 0, pixels.width, pixels.height);
    glClearColor(0.05f, 0.05f, 0.055f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    const float per_point = static_cast<float>(pixels.width) / static_cast<float>(std::max(1, window_.size().width));
    const Rectangle& area = picture_area_;
    if (session.picture.scene == session.scene.number)
        view_.draw({area.left * per_point, area.top * per_point, area.width * per_point, area.height * per_point}, pixels, session.wipe,
                   static_cast<int>(session.picture.width) < session.options.film.value_or(film_area()).width);
    ui_.begin_frame(scripted_mouse);
    draw_panels();
    ui_.end_frame();
}

void App::draw_panels() {
    const Size size = window_.size();
    if (size.width < 80 || size.height < 60) return;
    const float width = static_cast<float>(size.width), height = static_cast<float>(size.height);
    if (has_panels()) {
        draw_schedule_side({0, 0, panel_width(), height}, session);
        draw_scene_side({width - panel_width(), 0, panel_width(), height}, session);
    }
    draw_overlays(picture_area_, {0, 0, width, height}, session);
}

void App::set_title() {
    std::string title = "warpath";
    if (session.scene.number > 0) {
        const Picture& picture = session.picture;
        title += " - " + session.scene.path.filename().string();
        if (picture.width > 0)
            title += " - " + picture.scheduler + " - " + std::to_string(picture.num_samples) + " spp - " +
                     session.render.store().path(picture);
    }
    if (title != title_) window_.set_title(title_ = title);
}

void App::carry_out_orders() {
    set_title();
    if (session.clipboard) window_.set_clipboard(*session.clipboard), session.clipboard.reset();
    if (session.full_screen_wanted) window_.toggle_full_screen(), session.full_screen_wanted = false;
}

void App::write_screenshot() {
    const std::filesystem::path path = *screenshot_;
    screenshot_.reset();
    try {
        save_framebuffer(window_.framebuffer_size(), path);  // no message: it would stand in the next picture
    } catch (const std::exception& e) {
        session.say(e.what(), true);
    }
}

}  // namespace warpath::viewer
