#pragma once

#include "importers/gltf_document.h"
#include "scene/scene.h"

namespace warpath {

/// Walks the nodes of the default scene (scene 0 if none is named, all roots if there are no scenes) and adds an
/// instance, camera or light for each that has one, in file order, depth first. The walk keeps its own stack, so that
/// the depth of a chain does not matter, and multiplies matrices in double precision. Errors:  BadInput, naming the
/// node, for a transform that is not finite or not affine, and what GltfMeshReader reports. Source:  glTF 2.0
/// Specification, section 3.5, "Scenes"; KHR_lights_punctual.
void place_gltf_nodes(GltfDocument& document, Scene& scene);

/// A node's own transform: its matrix, or translation * rotation * scale.
glm::dmat4 local_transform(GltfDocument& document, size_t node);

}  // namespace warpath
