#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <variant>

#include "viewer/pass_sample.h"
#include "viewer/view_request.h"
#include "warpath/image.h"

namespace warpath::viewer {

/// Orders to the render thread, carried out one after the other between passes.
struct InstallScene {
    uint64_t scene = 0;
    LoadedScene loaded;
    RenderOptions options;
};
enum class PickPurpose { Material, Focus };
struct PickAt {
    uint64_t scene = 0;
    float x = 0, y = 0;              ///< of the picture, 0..1 from the left and the top
    PickPurpose purpose = PickPurpose::Material;
};
struct SaveImage {
    std::filesystem::path path;
    WriteOptions write;
    std::map<std::string, std::string> attributes;
};
using RenderOrder = std::variant<InstallScene, PickAt, SaveImage>;

/// What the render thread says to the window.
struct SceneReady {
    uint64_t scene = 0;
    std::string backend, device;
};
struct SceneFailed {
    uint64_t scene = 0;
    std::string text;
};
struct Picked {
    uint64_t scene = 0;
    PickPurpose purpose = PickPurpose::Material;
    std::optional<Pick> pick;
};
struct Saved {
    std::filesystem::path path;
    std::string error;               ///< empty where it worked
    uint32_t num_samples = 0;
};
struct Problem {
    std::string text;                ///< one sentence
};
struct PassDone {
    PassSample sample;
    uint64_t serial = 0;             ///< of the request
    uint32_t num_samples = 0;        ///< of the film then
    uint64_t checksum = 0;
};
using RenderEvent = std::variant<SceneReady, SceneFailed, Picked, Saved, Problem, PassDone>;

/// When groups were busy in the last pass, and how deep queues were.
struct Schedule {
    std::string scheduler;
    FrameRecord record;
    std::vector<Timeline::Depth> depths;
    bool has_sms = false;
};

}  // namespace warpath::viewer
