#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "warpath/scene.h"

namespace warpath::experiments {

/// A scene and how to look at it.
struct View {
    std::string name;
    std::filesystem::path scene;
    LoadOptions load;
};

/// A view of a scene file as it is, named by the file.
View view_of_scene(const std::filesystem::path& scene);

/// "ex,ey,ez/tx,ty,tz/ux,uy,uz/vfov".
/// Errors:  BadInput.
CameraOption read_camera(const std::string& text);

/// The views of a list such as scripts/data/views.json: objects with `name` and `scene`, and perhaps `camera`
/// (eye/target/up/vertical angle of view in degrees) and `env`. Files are relative to `folder`. `only` picks views by
/// name, in its order; empty: all. Errors:  BadInput naming the list and the view; BadOption for a name that is not in
/// the list.
std::vector<View> read_views(const std::filesystem::path& list, const std::filesystem::path& folder,
                             const std::vector<std::string>& only);

}  // namespace warpath::experiments
