#include "viewer/window.h"

#include <epoxy/gl.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "warpath/error.h"

namespace warpath::viewer {
namespace {

std::string last_glfw_error() {
    const char* text = nullptr;
    glfwGetError(&text);
    return text ? text : "GLFW gives no reason";
}

/// What OpenGL there is, for a message: the version of whatever context can be had.
std::string offered_opengl() {
    glfwDefaultWindowHints();
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
    GLFWwindow* const window = glfwCreateWindow(16, 16, "", nullptr, nullptr);
    if (!window) return "";
    const std::string version = std::to_string(glfwGetWindowAttrib(window, GLFW_CONTEXT_VERSION_MAJOR)) + "." +
                                std::to_string(glfwGetWindowAttrib(window, GLFW_CONTEXT_VERSION_MINOR));
    glfwDestroyWindow(window);
    return version;
}

void hint_context() {
    glfwDefaultWindowHints();
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
}

InputSink* sink_of(GLFWwindow* window) { return static_cast<InputSink*>(glfwGetWindowUserPointer(window)); }

}  // namespace

Window::Window(Size size, const std::string& title, bool full_screen) : windowed_(size) {
    if (!glfwInit())
        throw Error(ErrorCode::Unavailable, "cannot open a window, since no display answers (" + last_glfw_error() +
                                                "); start it on a desktop, or with xvfb-run");
    hint_context();
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
    GLFWmonitor* const monitor = full_screen ? glfwGetPrimaryMonitor() : nullptr;
    window_ = glfwCreateWindow(size.width, size.height, title.c_str(), monitor, nullptr);
    if (!window_) {
        const std::string reason = last_glfw_error(), offered = offered_opengl();
        glfwTerminate();
        throw Error(ErrorCode::Unavailable,
                    offered.empty() ? "cannot open a window: this display offers no OpenGL (" + reason + ")"
                                    : "cannot open a window: OpenGL 3.3 is needed, and this display offers " + offered + " (" + reason + ")");
    }
    glfwMakeContextCurrent(window_);
    if (epoxy_gl_version() < 33) {
        const std::string version = reinterpret_cast<const char*>(glGetString(GL_VERSION));
        glfwDestroyWindow(window_);
        glfwTerminate();
        throw Error(ErrorCode::Unavailable, "cannot open a window: OpenGL 3.3 is needed, and this display offers " + version);
    }
    glfwSwapInterval(1);
}

Window::~Window() {
    if (shared_) glfwDestroyWindow(shared_);
    glfwDestroyWindow(window_);
    glfwTerminate();
}

GLFWwindow* Window::make_shared_context() {
    hint_context();
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
    if (!shared_) shared_ = glfwCreateWindow(16, 16, "", nullptr, window_);
    return shared_;
}

void Window::listen(InputSink* sink) {
    glfwSetWindowUserPointer(window_, sink);
    glfwSetKeyCallback(window_, [](GLFWwindow* w, int key, int, int action, int mods) { sink_of(w)->on_key(key, action, mods); });
    glfwSetCharCallback(window_, [](GLFWwindow* w, unsigned code) { sink_of(w)->on_character(code); });
    glfwSetMouseButtonCallback(window_, [](GLFWwindow* w, int button, int action, int mods) { sink_of(w)->on_button(button, action, mods); });
    glfwSetCursorPosCallback(window_, [](GLFWwindow* w, double x, double y) { sink_of(w)->on_cursor(x, y); });
    glfwSetScrollCallback(window_, [](GLFWwindow* w, double, double y) { sink_of(w)->on_scroll(y); });
    glfwSetDropCallback(window_, [](GLFWwindow* w, int count, const char** names) {
        sink_of(w)->on_drop(std::vector<std::filesystem::path>(names, names + count));
    });
}

Size Window::size() const {
    Size size;
    glfwGetWindowSize(window_, &size.width, &size.height);
    return size;
}

Size Window::framebuffer_size() const {
    Size size;
    glfwGetFramebufferSize(window_, &size.width, &size.height);
    return size;
}

float Window::content_scale() const {
    float x = 1, y = 1;
    glfwGetWindowContentScale(window_, &x, &y);
    return x;
}

bool Window::wants_to_close() const { return glfwWindowShouldClose(window_) != 0; }
void Window::resize(Size size) { glfwSetWindowSize(window_, size.width, size.height); }
void Window::set_title(const std::string& title) { glfwSetWindowTitle(window_, title.c_str()); }
void Window::set_clipboard(const std::string& text) { glfwSetClipboardString(window_, text.c_str()); }
void Window::hide() { glfwHideWindow(window_); }
void Window::show_frame() { glfwSwapBuffers(window_); }

void Window::toggle_full_screen() {
    if (glfwGetWindowMonitor(window_)) {
        glfwSetWindowMonitor(window_, nullptr, windowed_x_, windowed_y_, windowed_.width, windowed_.height, GLFW_DONT_CARE);
        return;
    }
    GLFWmonitor* const monitor = glfwGetPrimaryMonitor();
    const GLFWvidmode* const video = monitor ? glfwGetVideoMode(monitor) : nullptr;
    if (!video) return;
    windowed_ = size();
    glfwGetWindowPos(window_, &windowed_x_, &windowed_y_);
    glfwSetWindowMonitor(window_, monitor, 0, 0, video->width, video->height, video->refreshRate);
}

void Window::poll(double seconds) {
    if (seconds > 0)
        glfwWaitEventsTimeout(seconds);
    else
        glfwPollEvents();
}

void Window::wake() { glfwPostEmptyEvent(); }

std::string Window::renderer_name() const { return reinterpret_cast<const char*>(glGetString(GL_RENDERER)); }

}  // namespace warpath::viewer
