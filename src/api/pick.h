#pragma once

#include <optional>

#include "api/scene_editor.h"
#include "render/camera.h"
#include "warpath/live_frame.h"

namespace warpath {

/// What the ray through the middle of a pixel, from the middle of the lens, meets first. A surface that is more than half transparent is not met.
std::optional<Pick> pick_surface(const SceneImpl& scene, const SceneView& view, const Ray& ray);

}  // namespace warpath
