#pragma once

#include "importers/gltf_document.h"
#include "importers/texture_loader.h"
#include "scene/material.h"

namespace warpath {

/// A material's use of a glTF texture.
struct GltfTextureUse {
    int index = -1;  ///< -1: no texture
    int tex_coord = 0;
    const tinygltf::Value* transform = nullptr;  ///< KHR_texture_transform
};

GltfTextureUse texture_use(const tinygltf::TextureInfo& info);
GltfTextureUse texture_use(const tinygltf::NormalTextureInfo& info);
/// The texture info under `key` in an extension's object.
GltfTextureUse texture_use(const tinygltf::Value& extension, const std::string& key);

/// Number or numbers under `key` in an extension's object, else the given default.
double number_in(const tinygltf::Value& object, const std::string& key, double otherwise);
std::vector<double> numbers_in(const tinygltf::Value& object, const std::string& key, std::vector<double> otherwise);

/// Loads the images that materials use, and makes TextureRefs of their samplers and transforms.
class GltfTextureReader {
  public:
    GltfTextureReader(GltfDocument& document, Scene& scene) : document_(document), cache_(scene, document.watch) {}

    /// A colour (rgb sRGB-encoded). A missing image gives the visible default.
    TextureRef color(const GltfTextureUse& use, const std::string& user);
    /// Numbers. A missing image gives no texture, so that the factor alone counts; there is a warning all the same.
    TextureRef data(const GltfTextureUse& use, uint8_t channel, const std::string& user);
    bool has_alpha(const TextureRef& ref) const { return ref.valid() && cache_.facts(ref.texture).has_alpha; }

  private:
    TextureRef make_ref(const GltfTextureUse& use, TextureUse kind, const std::string& user);
    uint32_t load_image(int texture, TextureUse kind);
    void apply_sampler(int sampler, TextureRef& ref);

    GltfDocument& document_;
    TextureCache cache_;
};

}  // namespace warpath
