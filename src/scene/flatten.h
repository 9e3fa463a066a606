#pragma once

#include "scene/scene_data.h"

namespace warpath {

/// What becomes of a mesh that several instances show.
enum class InstanceSharing : uint32_t {
    Auto,  ///< laid out once for each instance, as rays like best, unless that copied more than max_copied_triangles
    On,    ///< kept once, wherever that is possible
    Off,   ///< always laid out
};
/// About 1 GB of triangles, vertices and BVH.
inline constexpr uint64_t max_copied_triangles = 4'000'000;

/// Turns a host scene into flat columns: applies instance transforms (normals by the inverse transpose, mirrorings
/// recorded in the triangle flags) or, for meshes that stay shared, keeps them (instance.h), leaves out triangles that
/// have no area or a coordinate that is NaN, infinite or beyond 1e18 in magnitude (counted, one warning), packs textures,
/// builds the light and environment tables, and fills the constants. Consumes `scene` to save memory.
/// Errors:  BadInput when no triangle is left.
SceneData flatten(Scene&& scene, InstanceSharing sharing = InstanceSharing::Auto);

}  // namespace warpath
