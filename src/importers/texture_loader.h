#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "importers/image_file.h"
#include "scene/load_watch.h"
#include "scene/scene.h"

namespace warpath {

/// What the texels of a texture mean. Color: rgb is sRGB-encoded in integer files. Data: numbers as they stand
/// (normals, roughness, alpha). Float files are linear either way, and alpha is never decoded.
enum class TextureUse : uint8_t { Color, Data };

/// What the file of a texture held, before it became RGBA.
struct TextureFacts {
    bool has_alpha = false;
    bool is_grey = false;
    bool missing = false;  ///< the visible default stands in for it
};

/// Puts images into Scene::textures, once for each file and use. 8-bit texels stay 8-bit with the sRGB flag; 16-bit and
/// float ones become linear texels32, decoded here when they are colours.
/// A texture that is absent or cannot be read is a warning in Scene::warnings that names it, and a magenta checker in
/// its place, so every function returns a valid index into Scene::textures. None throws for a bad image, only when
/// the watch has loading stopped. Threads: one
/// thread. The scene must outlive the cache.
class TextureCache {
  public:
    /// watch: told of each file; may be null, else it must outlive the cache.
    explicit TextureCache(Scene& scene, const LoadWatch* watch = nullptr) : scene_(scene), watch_(watch) {}

    uint32_t from_file(const std::filesystem::path& path, TextureUse use);
    /// An encoded image (PNG, JPEG, ...) in memory. `name` names it in messages and must be unique, e.g. "a.gltf image
    /// 3".
    uint32_t from_memory(const void* bytes, size_t size, const std::string& name, TextureUse use);
    /// "data:image/png;base64,....".
    uint32_t from_data_uri(std::string_view uri, const std::string& name, TextureUse use);
    /// The visible default, with `warning` added to the scene's (unless empty).
    uint32_t missing(const std::string& warning);
    /// Texels made by the caller, e.g. a normal map computed from heights; found again by `find_made(name)`.
    uint32_t add(Texture texture, const TextureFacts& facts = {});
    /// The texture added under that name, or invalid_id.
    uint32_t find_made(const std::string& name) const;

    const TextureFacts& facts(uint32_t texture) const { return facts_[texture]; }

  private:
    template <class Read>
    uint32_t load(const std::string& key, const std::string& name, TextureUse use, Read read);

    Scene& scene_;
    const LoadWatch* watch_;
    std::map<std::pair<std::string, TextureUse>, uint32_t> loaded_;
    std::map<std::string, uint32_t> made_;
    std::vector<TextureFacts> facts_;  ///< one per texture of the scene
    uint32_t default_texture_ = invalid_id;
};

/// Image to texture: 8-bit stays, 16-bit colours are decoded from sRGB, float is copied. Empties `image`.
Texture make_texture(ImageFile&& image, const std::string& name, TextureUse use);

/// sRGB to linear for one value in [0,1] (IEC 61966-2-1).
float srgb_to_linear(float encoded);

/// The bytes of a "data:" URI, base64 or percent-encoded.
/// Errors:  BadInput, naming `name`.
std::string decode_data_uri(std::string_view uri, const std::string& name);

}  // namespace warpath
