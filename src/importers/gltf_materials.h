#pragma once

#include "importers/gltf_document.h"
#include "scene/scene.h"

namespace warpath {

/// Appends the file's materials, in its order, with the textures they use.
/// Values out of range are clamped with a warning. Occlusion textures are left out: occlusion is what a path tracer
/// finds. Source:  glTF 2.0 Specification, section 3.9 and appendix B; KHR_materials_emissive_strength, _ior,
/// _specular,
///          _transmission, _unlit and _volume.
void read_gltf_materials(GltfDocument& document, Scene& scene);

/// What a primitive without a material has: white, metallic 1, roughness 1.
Material gltf_default_material();

}  // namespace warpath
