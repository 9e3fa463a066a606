#pragma once

#include <cstdint>
#include <optional>

#include "viewer/window.h"

namespace warpath::viewer {

/// The mouse as a script moves it, in place of the real one.
struct ScriptedMouse {
    double x = 0, y = 0;
    bool down[3] = {false, false, false};  ///< left, right, middle
};

/// Dear ImGui on a window. Hides what its releases differ in: 1.86 as well as what came after it.
class Ui {
  public:
    /// `scale` of text and widgets.
    Ui(Window& window, float scale);
    ~Ui();
    Ui(const Ui&) = delete;
    Ui& operator=(const Ui&) = delete;

    void begin_frame(const std::optional<ScriptedMouse>& mouse);
    void end_frame();                ///< draws
    float scale() const { return scale_; }
    bool wants_mouse() const;        ///< it points at a panel
    bool wants_text() const;         ///< a field is being typed into

    void on_key(int key, int action, int mods);
    void on_character(uint32_t code_point);
    void on_button(int button, int action, int mods);
    void on_cursor(double x, double y);
    void on_scroll(double steps);

  private:
    Window& window_;
    float scale_;
};

}  // namespace warpath::viewer
