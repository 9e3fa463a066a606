#pragma once

#include <optional>

#include "scene/flatten.h"
#include "scene/scene_data.h"

namespace warpath {

/// Which instances keep a mesh in common, and which are laid out in world space.
struct Sharing {
    std::vector<uint64_t> num_sharing;     ///< by mesh: instances that keep it in common; empty where none do
    std::vector<uint8_t> keeps_transform;  ///< by instance: whether it is one of those; empty where none are

    bool shares(size_t instance) const { return !keeps_transform.empty() && keeps_transform[instance] != 0; }
};

/// Decides what `mode` leaves open (flatten.h). An instance is laid out all the same where its transform has no inverse,
/// stretches space by more than max_stretch or takes the mesh beyond 1e18, and every instance whose mesh emits is, since
/// emitters are triangles in world space.
Sharing choose_sharing(const Scene& scene, InstanceSharing mode);

/// The way of a ray from the world into the object space of an instance, and back; nothing where Sharing says that it is
/// laid out. `box`: of the mesh. Leaves out what only the columns know: mesh, first_id and first_triangle.
struct InstanceMaps {
    InstanceSpace space;
    SceneInstance instance;
};
std::optional<InstanceMaps> instance_maps(const glm::dmat4& to_world, const Bounds& box);

/// Box around the mesh's box at its place in the world, rounded outwards.
Bounds placed_bounds(const Affine& to_world, const Bounds& box);

}  // namespace warpath
