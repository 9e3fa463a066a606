#pragma once

#include <optional>
#include <span>
#include <string>

namespace warpath::viewer {

/// All that a key does. What is held moves the camera as long as it is down; the others act once.
enum class Action {
    Scheduler1, Scheduler2, Scheduler3, Scheduler4, Scheduler5, Scheduler6, Scheduler7, Scheduler8, Scheduler9,
    FlipScheduler, Alternate, Split, Record,
    FlyForward, FlyBack, FlyLeft, FlyRight, FlyUp, FlyDown,
    FocusHere, Turntable, HomeView, WiderView, NarrowerView, SmallerAperture, LargerAperture,
    AddBookmark, PreviousBookmark, NextBookmark, CopyCamera,
    Pause, Restart, NextLayer, Darker, Brighter, ToneCurve, RotateEnvironmentLeft, RotateEnvironmentRight,
    SavePng, SaveExr, Sidebars, FullScreen, Help, Cancel, Quit,
};

struct KeyBinding {
    Action action;
    int key, mods;         ///< of GLFW; mods: GLFW_MOD_CONTROL or 0. Shift is left to the action
    const char *group, *meaning;
    bool held = false;
};
/// Every key: what the window listens to, what the help shows, and what docs/viewer.md lists.
std::span<const KeyBinding> key_bindings();

/// What the mouse does, for the help.
struct MouseBinding {
    const char *gesture, *meaning;
};
std::span<const MouseBinding> mouse_bindings();

/// The binding of a key, or null.
const KeyBinding* find_binding(int key, int mods);
/// "Ctrl+S", "Tab".
std::string key_text(int key, int mods);

struct KeyPress {
    int key = 0, mods = 0;
};
/// The inverse of key_text, whatever the case. Unset for what is no key.
std::optional<KeyPress> key_from_text(const std::string& text);

}  // namespace warpath::viewer
