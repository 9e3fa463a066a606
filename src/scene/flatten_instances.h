#pragma once

#include "scene/flatten_sharing.h"
#include "scene/scene_data.h"

namespace warpath {

/// Why triangles were left out, and the names of the meshes that they were in.
struct SkippedTriangles {
    uint64_t num_bad_coordinates = 0;  ///< a corner is NaN, infinite or beyond 1e18
    uint64_t num_zero_area = 0;
    std::vector<std::string> mesh_names;
    uint64_t total() const { return num_bad_coordinates + num_zero_area; }
};

/// Fills the vertex and triangle columns, the bounds and the objects: first all instances that are laid out, in their
/// order, then each shared mesh once, and the instances that keep their transforms. An attribute's column stays empty when no instanced mesh has it; meshes without it get its neutral value.
/// Shapes:  material_alpha[num_materials], from `materials_with_alpha`.
/// Errors:  BadInput when vertices or triangles are too many for 32-bit numbers; OutOfMemory; Internal when `scene`
///          breaks the rules of scene.h (an index or an array's length is wrong).
SkippedTriangles flatten_instances(const Scene& scene, const std::vector<uint8_t>& material_alpha, InstanceSharing mode,
                                   SceneData& data);

}  // namespace warpath
