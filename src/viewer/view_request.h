#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "warpath/live_frame.h"

namespace warpath::viewer {

/// How schedulers are shown.
enum class Mode {
    Single,     ///< one
    Alternate,  ///< A and B in turn, pass by pass, into one film
    Split,      ///< A and B each render a film of their own; a wipe shows both
};

/// What the window wants to see: written by the window's thread as a whole, read by the render thread. The newest counts.
struct ViewRequest {
    uint64_t scene = 0;              ///< number of the scene that camera and materials belong to; another one than the render thread has is left alone
    uint64_t serial = 0;             ///< goes up with every change; pictures say which one they show
    uint64_t restarts = 0;           ///< goes up whenever the picture shall begin anew
    CameraOption camera{};
    RenderOptions options;           ///< of the full film, with the scheduler of Mode::Single
    float scale = 1;                 ///< of the film's sides, while the camera moves
    Mode mode = Mode::Single;
    std::string scheduler_a, scheduler_b;  ///< of the other modes
    uint32_t samples_per_pass = 1;
    uint32_t sample_limit = 0;       ///< stop refining there; 0: where the film is full
    bool paused = false;
    bool hash_film = false;          ///< passes tell the film's checksum
    bool without_display = false;    ///< render, but develop nothing: what a bare renderer does
    DevelopOptions develop;
    float environment_rotation_deg = 0, environment_scale = 1;
    std::map<uint32_t, MaterialParameters> materials;  ///< those that were edited
};

/// Whether a picture for `a` is none for `b`: the film has to begin anew.
bool changes_picture(const ViewRequest& a, const ViewRequest& b);

}  // namespace warpath::viewer
