#pragma once

#include <glm/mat4x4.hpp>
#include <string>
#include <vector>

#include "importers/gltf_document.h"

namespace warpath {

/// Where a node shows its mesh, in its own space: at each place that EXT_mesh_gpu_instancing lists, or at its origin.
/// Errors:  BadInput, naming the node as `label`, for attributes of another type or of different lengths, and for values
///          that are not finite.
/// Source:  EXT_mesh_gpu_instancing, version 1.0: TRANSLATION, ROTATION and SCALE; attributes of other names are skipped.
std::vector<glm::dmat4> gltf_instance_transforms(const GltfDocument& document, const tinygltf::Node& node, const std::string& label);

}  // namespace warpath
