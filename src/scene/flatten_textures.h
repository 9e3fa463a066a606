#pragma once

#include "scene/scene_data.h"

namespace warpath {

/// For each material: whether its alpha, vertex colours aside, can let a ray through. Never true for AlphaMode::Opaque.
std::vector<uint8_t> materials_with_alpha(const Scene& scene);

/// Moves all texels into the texture columns, in order, and fills the sRGB table. Empties `textures` as it goes.
/// Errors:  Internal when a texture's texels do not match its size.
void pack_textures(std::vector<Texture>& textures, SceneColumns<HostColumn>& columns);

}  // namespace warpath
