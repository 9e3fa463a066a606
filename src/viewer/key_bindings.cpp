#include "viewer/key_bindings.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace warpath::viewer {
namespace {

constexpr const char *schedulers = "Schedulers", *moving = "Moving", *camera = "Camera", *picture = "Picture", *window = "Window";

constexpr std::array bindings = {
    KeyBinding{Action::Scheduler1, GLFW_KEY_1, 0, schedulers, "first scheduler of the list"},
    KeyBinding{Action::Scheduler2, GLFW_KEY_2, 0, schedulers, "second scheduler"},
    KeyBinding{Action::Scheduler3, GLFW_KEY_3, 0, schedulers, "third scheduler"},
    KeyBinding{Action::Scheduler4, GLFW_KEY_4, 0, schedulers, "fourth scheduler"},
    KeyBinding{Action::Scheduler5, GLFW_KEY_5, 0, schedulers, "fifth scheduler"},
    KeyBinding{Action::Scheduler6, GLFW_KEY_6, 0, schedulers, "sixth scheduler"},
    KeyBinding{Action::Scheduler7, GLFW_KEY_7, 0, schedulers, "seventh scheduler"},
    KeyBinding{Action::Scheduler8, GLFW_KEY_8, 0, schedulers, "eighth scheduler"},
    KeyBinding{Action::Scheduler9, GLFW_KEY_9, 0, schedulers, "ninth scheduler"},
    KeyBinding{Action::FlipScheduler, GLFW_KEY_TAB, 0, schedulers, "flip between the last two schedulers"},
    KeyBinding{Action::Alternate, GLFW_KEY_B, 0, schedulers, "A/B: alternate the last two, frame by frame"},
    KeyBinding{Action::Split, GLFW_KEY_V, 0, schedulers, "split view: A left of the wipe, B right of it, all pixels compared"},
    KeyBinding{Action::Record, GLFW_KEY_R, GLFW_MOD_CONTROL, schedulers, "record numbers; once more writes CSV and JSON"},
    KeyBinding{Action::FlyForward, GLFW_KEY_W, 0, moving, "fly forward (Shift: four times as fast)", true},
    KeyBinding{Action::FlyBack, GLFW_KEY_S, 0, moving, "fly back", true},
    KeyBinding{Action::FlyLeft, GLFW_KEY_A, 0, moving, "fly left", true},
    KeyBinding{Action::FlyRight, GLFW_KEY_D, 0, moving, "fly right", true},
    KeyBinding{Action::FlyUp, GLFW_KEY_E, 0, moving, "fly up", true},
    KeyBinding{Action::FlyDown, GLFW_KEY_Q, 0, moving, "fly down", true},
    KeyBinding{Action::FocusHere, GLFW_KEY_F, 0, camera, "focus on what the mouse points at, and orbit about it"},
    KeyBinding{Action::Turntable, GLFW_KEY_T, 0, camera, "turntable on and off"},
    KeyBinding{Action::HomeView, GLFW_KEY_HOME, 0, camera, "the scene's own camera"},
    KeyBinding{Action::NarrowerView, GLFW_KEY_LEFT_BRACKET, 0, camera, "narrower field of view"},
    KeyBinding{Action::WiderView, GLFW_KEY_RIGHT_BRACKET, 0, camera, "wider field of view"},
    KeyBinding{Action::SmallerAperture, GLFW_KEY_COMMA, 0, camera, "smaller aperture"},
    KeyBinding{Action::LargerAperture, GLFW_KEY_PERIOD, 0, camera, "larger aperture"},
    KeyBinding{Action::AddBookmark, GLFW_KEY_B, GLFW_MOD_CONTROL, camera, "bookmark this view"},
    KeyBinding{Action::PreviousBookmark, GLFW_KEY_PAGE_UP, 0, camera, "previous bookmark"},
    KeyBinding{Action::NextBookmark, GLFW_KEY_PAGE_DOWN, 0, camera, "next bookmark"},
    KeyBinding{Action::CopyCamera, GLFW_KEY_C, GLFW_MOD_CONTROL, camera, "copy the camera as JSON"},
    KeyBinding{Action::Pause, GLFW_KEY_SPACE, 0, picture, "pause and go on"},
    KeyBinding{Action::Restart, GLFW_KEY_R, 0, picture, "begin the picture anew"},
    KeyBinding{Action::NextLayer, GLFW_KEY_L, 0, picture, "next layer: colour, albedo, normal, depth, samples, costs"},
    KeyBinding{Action::Darker, GLFW_KEY_MINUS, 0, picture, "darker by a quarter of a stop"},
    KeyBinding{Action::Brighter, GLFW_KEY_EQUAL, 0, picture, "brighter by a quarter of a stop"},
    KeyBinding{Action::ToneCurve, GLFW_KEY_K, 0, picture, "tone curve: filmic or linear"},
    KeyBinding{Action::RotateEnvironmentLeft, GLFW_KEY_LEFT, 0, picture, "turn the environment left", true},
    KeyBinding{Action::RotateEnvironmentRight, GLFW_KEY_RIGHT, 0, picture, "turn the environment right", true},
    KeyBinding{Action::SavePng, GLFW_KEY_S, GLFW_MOD_CONTROL, picture, "save the picture as PNG"},
    KeyBinding{Action::SaveExr, GLFW_KEY_E, GLFW_MOD_CONTROL, picture, "save the film as EXR"},
    KeyBinding{Action::Sidebars, GLFW_KEY_P, 0, window, "panels on and off"},
    KeyBinding{Action::FullScreen, GLFW_KEY_F11, 0, window, "full screen"},
    KeyBinding{Action::Help, GLFW_KEY_F1, 0, window, "this help"},
    KeyBinding{Action::Cancel, GLFW_KEY_ESCAPE, 0, window, "close the help, or cancel loading"},
    KeyBinding{Action::Quit, GLFW_KEY_Q, GLFW_MOD_CONTROL, window, "quit"},
};

constexpr std::array mouse = {
    MouseBinding{"left drag", "orbit about the target; on the line of the split view: move it"},
    MouseBinding{"left click", "pick a surface and edit its material"},
    MouseBinding{"double click", "focus on a surface, and orbit about it"},
    MouseBinding{"right drag", "look about"},
    MouseBinding{"middle drag", "pan"},
    MouseBinding{"wheel", "nearer and farther; with the right button down: flying speed"},
    MouseBinding{"drop a file", "open a scene; an .hdr or .exr replaces the environment"},
};

struct KeyName {
    int key;
    const char* name;
};
constexpr std::array names = {
    KeyName{GLFW_KEY_TAB, "Tab"}, KeyName{GLFW_KEY_SPACE, "Space"}, KeyName{GLFW_KEY_ESCAPE, "Esc"}, KeyName{GLFW_KEY_HOME, "Home"},
    KeyName{GLFW_KEY_PAGE_UP, "PageUp"}, KeyName{GLFW_KEY_PAGE_DOWN, "PageDown"}, KeyName{GLFW_KEY_LEFT, "Left"},
    KeyName{GLFW_KEY_RIGHT, "Right"}, KeyName{GLFW_KEY_UP, "Up"}, KeyName{GLFW_KEY_DOWN, "Down"}, KeyName{GLFW_KEY_ENTER, "Enter"},
    KeyName{GLFW_KEY_F1, "F1"}, KeyName{GLFW_KEY_F11, "F11"},
};

std::string lower(std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

}  // namespace

std::span<const KeyBinding> key_bindings() { return bindings; }
std::span<const MouseBinding> mouse_bindings() { return mouse; }

const KeyBinding* find_binding(int key, int mods) {
    const int control = mods & GLFW_MOD_CONTROL;
    const auto found = std::find_if(bindings.begin(), bindings.end(),
                                    [&](const KeyBinding& binding) { return binding.key == key && binding.mods == control; });
    return found == bindings.end() ? nullptr : &*found;
}

std::string key_text(int key, int mods) {
    std::string text = mods & GLFW_MOD_CONTROL ? "Ctrl+" : "";
    const auto named = std::find_if(names.begin(), names.end(), [&](const KeyName& name) { return name.key == key; });
    if (named != names.end()) return text += named->name;
    return text += static_cast<char>(key);  // GLFW's codes of printable keys are those of ASCII
}

std::optional<KeyPress> key_from_text(const std::string& text) {
    KeyPress press;
    std::string name = lower(text);
    if (name.starts_with("ctrl+")) press.mods |= GLFW_MOD_CONTROL, name.erase(0, 5);
    if (name.starts_with("shift+")) press.mods |= GLFW_MOD_SHIFT, name.erase(0, 6);
    for (const KeyName& known : names)
        if (name == lower(known.name)) return press.key = known.key, press;
    if (name.size() != 1 || name[0] <= ' ' || name[0] > '~') return std::nullopt;
    press.key = std::toupper(static_cast<unsigned char>(name[0]));
    return press;
}

}  // namespace warpath::viewer
