#include "scene/flatten_textures.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "warpath/error.h"

namespace warpath {

namespace {

/// Does the channel that `use` reads fall below 1 anywhere? NaN counts as below.
bool falls_below_one(const Texture& texture, const TextureRef& use) {
    const size_t num_texels = size_t{texture.width} * texture.height;
    for (size_t i = 0; i < num_texels; ++i) {
        if (texture.texels8.empty()) {
            const float value = texture.texels32[i][use.channel];
            if (use.invert ? !(value <= 0.0f) : !(value >= 1.0f)) return true;
        } else {
            const uint8_t value = texture.texels8[4 * i + use.channel];
            if (value != (use.invert ? 0 : 255)) return true;
        }
    }
    return false;
}

/// IEC 61966-2-1.
float srgb_to_linear(double value) {
    return static_cast<float>(value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4));
}

}  // namespace

std::vector<uint8_t> materials_with_alpha(const Scene& scene) {
    std::vector<uint8_t> result;
    for (const Material& material : scene.materials) {
        bool alpha = false;
        if (material.alpha_mode != AlphaMode::Opaque) {
            alpha = material.alpha < 1.0f || (material.alpha_mode == AlphaMode::Mask && material.alpha_cutoff > 1.0f) ||
                    (material.alpha_tex.valid() &&
                     falls_below_one(scene.textures[material.alpha_tex.texture], material.alpha_tex));
        }
        result.push_back(alpha);
    }
    return result;
}

void pack_textures(std::vector<Texture>& textures, SceneColumns<HostColumn>& columns) {
    size_t num_words = 0, num_floats = 0;
    for (const Texture& texture : textures) {
        const size_t num_texels = size_t{texture.width} * texture.height;
        const bool is_float = texture.texels8.empty();
        if (num_texels == 0 || (is_float ? texture.texels32.size() != num_texels
                                         : texture.texels8.size() != 4 * num_texels || !texture.texels32.empty())) {
            throw Error(ErrorCode::Internal, "texture \"" + texture.name + "\" does not hold width * height texels");
        }
        (is_float ? num_floats : num_words) += num_texels;
    }
    columns.texels8.reserve(num_words);
    columns.texels32.reserve(num_floats);
    for (Texture& texture : textures) {
        const size_t num_texels = size_t{texture.width} * texture.height;
        TextureInfo info{};
        info.width = texture.width, info.height = texture.height;
        info.srgb = texture.srgb;
        info.is_float = texture.texels8.empty();
        if (info.is_float) {
            info.offset = columns.texels32.size();
            columns.texels32.insert(columns.texels32.end(), texture.texels32.begin(), texture.texels32.end());
        } else {
            info.offset = columns.texels8.size();
            columns.texels8.resize(info.offset + num_texels);
            std::memcpy(columns.texels8.data() + info.offset, texture.texels8.data(), 4 * num_texels);
        }
        columns.textures.push_back(info);
        texture = {};
    }
    columns.srgb_table.resize(256);
    for (int i = 0; i < 256; ++i) columns.srgb_table[i] = srgb_to_linear(i / 255.0);
}

}  // namespace warpath
