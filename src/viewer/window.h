#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

struct GLFWwindow;

namespace warpath::viewer {

/// What happens to a window. The numbers are those of GLFW; positions are in window coordinates from the upper left corner.
class InputSink {
  public:
    virtual ~InputSink() = default;
    virtual void on_key(int key, int action, int mods) = 0;
    virtual void on_character(uint32_t code_point) = 0;
    virtual void on_button(int button, int action, int mods) = 0;
    virtual void on_cursor(double x, double y) = 0;
    virtual void on_scroll(double steps) = 0;
    virtual void on_drop(const std::vector<std::filesystem::path>& paths) = 0;
};

struct Size {
    int width = 0, height = 0;
    bool operator==(const Size&) const = default;
};

/// A window with an OpenGL 3.3 core context, current on the thread that made it. One at a time.
class Window {
  public:
    /// Errors:  Unavailable: no display, no OpenGL, or an old one, with what is there.
    Window(Size size, const std::string& title, bool full_screen);
    ~Window();
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    GLFWwindow* handle() const { return window_; }
    /// An invisible window whose context shares objects with this one, for another thread; null where there is none. Kept by this window.
    GLFWwindow* make_shared_context();
    void listen(InputSink* sink);

    Size size() const;               ///< in window coordinates
    Size framebuffer_size() const;   ///< in pixels
    float content_scale() const;     ///< how large text has to be
    bool wants_to_close() const;
    void resize(Size size);
    void set_title(const std::string& title);
    void toggle_full_screen();
    void set_clipboard(const std::string& text);
    void hide();
    void show_frame();               ///< swaps buffers
    /// Handles what has come in, after waiting for it at most so long.
    void poll(double seconds);
    static void wake();              ///< from any thread: ends a wait
    std::string renderer_name() const;  ///< of OpenGL

  private:
    GLFWwindow *window_ = nullptr, *shared_ = nullptr;
    Size windowed_{};
    int windowed_x_ = 0, windowed_y_ = 0;
};

}  // namespace warpath::viewer
