#include "viewer/ui.h"

#include <imgui/backends/imgui_impl_glfw.h>
#include <imgui/backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <algorithm>
#include <filesystem>

#include "warpath/error.h"

namespace warpath::viewer {
namespace {

/// A font that most systems have, where the built-in one is a bitmap of one size.
constexpr const char* font_files[] = {"/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", "/usr/share/fonts/TTF/DejaVuSans.ttf",
                                      "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf"};

void load_font(float scale) {
    ImFontAtlas& fonts = *ImGui::GetIO().Fonts;
    for (const char* file : font_files)
        if (std::filesystem::exists(file) && fonts.AddFontFromFileTTF(file, 14.0f * scale)) return;
    ImFontConfig config;
    config.SizePixels = 13.0f * scale;
    fonts.AddFontDefault(&config);
}

void set_style(float scale) {
    ImGui::StyleColorsDark();
    ImGuiStyle& style = ImGui::GetStyle();
    style.WindowRounding = 0, style.FrameRounding = 3, style.GrabRounding = 3, style.ScrollbarSize = 11;
    style.WindowBorderSize = 0;
    style.Colors[ImGuiCol_WindowBg] = ImVec4(0.075f, 0.08f, 0.09f, 0.97f);
    style.Colors[ImGuiCol_Header] = ImVec4(0.16f, 0.22f, 0.30f, 1.0f);
    style.ScaleAllSizes(scale);
}

}  // namespace

Ui::Ui(Window& window, float scale) : window_(window), scale_(scale) {
    IMGUI_CHECKVERSION();
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;  // leaves no file behind
    set_style(scale);
    load_font(scale);
    // This program hands events on itself, so that a script's take the same way.
    if (!ImGui_ImplGlfw_InitForOpenGL(window.handle(), false) || !ImGui_ImplOpenGL3_Init("#version 330 core"))
        throw Error(ErrorCode::Unavailable, "the user interface cannot be drawn with this OpenGL: " + window.renderer_name());
}

Ui::~Ui() {
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
}

void Ui::begin_frame(const std::optional<ScriptedMouse>& mouse) {
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    if (mouse) {
        ImGuiIO& io = ImGui::GetIO();
#if IMGUI_VERSION_NUM >= 18700
        io.AddMousePosEvent(static_cast<float>(mouse->x), static_cast<float>(mouse->y));
#else
        io.MousePos = ImVec2(static_cast<float>(mouse->x), static_cast<float>(mouse->y));
        for (int i = 0; i < 3; ++i) io.MouseDown[i] = mouse->down[i];
#endif
    }
    ImGui::NewFrame();
    ImGui::PushAllowKeyboardFocus(false);  // Tab flips schedulers; it must not put the keyboard into a field
}

void Ui::end_frame() {
    ImGui::PopAllowKeyboardFocus();
    ImGui::Render();
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

bool Ui::wants_mouse() const { return ImGui::GetIO().WantCaptureMouse; }
bool Ui::wants_text() const { return ImGui::GetIO().WantTextInput; }
void Ui::on_key(int key, int action, int mods) { ImGui_ImplGlfw_KeyCallback(window_.handle(), key, 0, action, mods); }
void Ui::on_character(uint32_t code_point) { ImGui_ImplGlfw_CharCallback(window_.handle(), code_point); }
void Ui::on_button(int button, int action, int mods) { ImGui_ImplGlfw_MouseButtonCallback(window_.handle(), button, action, mods); }
/// Since 1.87 moves come as events; before, the backend asked for the place in every frame.
void Ui::on_cursor([[maybe_unused]] double x, [[maybe_unused]] double y) {
#if IMGUI_VERSION_NUM >= 18700
    ImGui_ImplGlfw_CursorPosCallback(window_.handle(), x, y);
#endif
}
void Ui::on_scroll(double steps) { ImGui_ImplGlfw_ScrollCallback(window_.handle(), 0, steps); }

}  // namespace warpath::viewer
