#pragma once

#include "importers/json_values.h"

namespace warpath {

/// Loads the listed model files and adds their meshes, materials, lights and cameras to the scene. A file that several
/// entries use with the same materials is loaded and stored once.
/// Errors:  BadInput for a model that is itself a JSON scene, and for an unknown material; what the file's importer
/// throws
///          is passed on with the entry's pointer in front.
void read_models(JsonScene& json_scene, const nlohmann::json& list, const std::string& pointer);

}  // namespace warpath
