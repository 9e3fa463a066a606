#pragma once

#include <string>

#include "importers/gltf_document.h"
#include "scene/scene.h"

/// What nodes place besides meshes: cameras and punctual lights. Both look along their node's -Z axis.
namespace warpath {

/// Where a node puts what it holds.
struct GltfPlace {
    glm::dmat4 to_world;
    std::string label;  ///< for messages: node 3 ("lamp")
    std::string name;   ///< for things without a name of their own
};

/// Adds a camera as seen from a node. Orthographic cameras and impossible angles are left out with a warning.
void add_gltf_camera(GltfDocument& document, int camera, const GltfPlace& place, Scene& scene);

/// The node's light of KHR_lights_punctual, or -1.
int node_light(const tinygltf::Node& node);

/// Adds a light as a node places it. Candela and lux are taken as W/sr and W/m^2 of each channel.
/// Errors:  BadInput for a light beyond the range of single precision.
void add_gltf_light(GltfDocument& document, int light, const GltfPlace& place, Scene& scene);

}  // namespace warpath
