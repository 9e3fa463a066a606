#pragma once

#include <optional>

#include "viewer/picture_view.h"
#include "viewer/session.h"
#include "viewer/ui.h"
#include "viewer/window.h"

namespace warpath::viewer {

/// The window with all that is in it: hands input to panels and session, and draws.
class App : public InputSink {
  public:
    App(const ViewOptions& options, Window& window);
    ~App() override;

    /// One turn: input, session, picture, panels, which are drawn where they may have changed. Waits up to a sixtieth of a second for something to happen.
    void frame();
    bool wants_to_close() const { return window_.wants_to_close() || session.quit_wanted; }
    /// All of the window as it was drawn last, or the next one where `path` is set before.
    void screenshot(const std::filesystem::path& path) { screenshot_ = path; }
    bool has_screenshot_to_take() const { return screenshot_.has_value(); }
    uint64_t num_frames() const { return num_frames_; }

    void on_key(int key, int action, int mods) override;
    void on_character(uint32_t code_point) override { touch(), ui_.on_character(code_point); }
    void on_button(int button, int action, int mods) override;
    void on_cursor(double x, double y) override;
    void on_scroll(double steps) override;
    void on_drop(const std::vector<std::filesystem::path>& paths) override;

    Session session;
    std::optional<ScriptedMouse> scripted_mouse;  ///< set while a script runs
    Window& window() const { return window_; }
    const std::string& title() const { return title_; }
    const Rectangle& picture_area() const { return picture_area_; }  ///< where the picture is, in window coordinates

  private:
    enum class Drag { None, Orbit, Look, Pan, Wipe };
    Size film_area() const;
    void touch() { touched_until_ = num_frames_ + 3; }  // widgets may take more than one frame to answer
    bool is_due(bool has_picture) const;
    void lay_out();
    void draw();
    void draw_panels();
    void set_title();
    void carry_out_orders();
    void write_screenshot();
    float panel_width() const;
    bool has_panels() const;
    float wipe_x() const;

    Window& window_;
    Ui ui_;
    PictureView view_;
    Rectangle picture_area_;         ///< window coordinates
    std::optional<std::filesystem::path> screenshot_;
    std::string title_;
    uint64_t num_frames_ = 0, touched_until_ = 3;
    double drawn_at_s_ = -1;
    Size drawn_size_{0, 0};
    double x_ = 0, y_ = 0;           ///< of the mouse
    double pressed_x_ = 0, pressed_y_ = 0, last_click_s_ = -1;
    bool was_dragged_ = false;
    Drag drag_ = Drag::None;
};

/// The store of pictures that suits where things are rendered: interop, pinned memory or the CPU's film.
std::unique_ptr<PictureStore> make_store(const ViewOptions& options, Window& window);

}  // namespace warpath::viewer
