#pragma once

#include "importers/json_values.h"

namespace warpath {

/// Adds the list of shapes to the scene, each as one mesh for each of its materials and one instance for each copy.
/// Errors:  BadInput for an unknown material, and for lengths or indices of a mesh that do not fit.
void read_shapes(JsonScene& json_scene, const nlohmann::json& list, const std::string& pointer);

}  // namespace warpath
