#pragma once

#include "scene/scene_data.h"

namespace warpath {

/// Turns a host scene into flat columns: applies instance transforms (normals by the inverse transpose, mirrorings
/// recorded in the triangle flags), leaves out triangles that have no area or a coordinate that is NaN, infinite or
/// beyond 1e18 in magnitude (counted, one warning), packs textures, builds the light and environment tables, and fills the
/// constants. Consumes `scene` to save memory.
/// Errors:  BadInput when no triangle is left.
SceneData flatten(Scene&& scene);

}  // namespace warpath
