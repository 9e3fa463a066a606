#pragma once

#include <nlohmann/json_fwd.hpp>

#include "importers/gltf_document.h"

namespace warpath {

/// Looks at "extensionsRequired" and "extensionsUsed": a required extension that the importer does not support is an
/// error that names it, one that is merely used is a warning. Supported: KHR_lights_punctual,
/// KHR_materials_emissive_strength, _ior, _specular, _transmission, _unlit (as emission), _volume,
/// KHR_mesh_quantization, KHR_texture_transform. Errors:  BadInput.
void check_gltf_extensions(const nlohmann::json& root, GltfDocument& document);

}  // namespace warpath
