#include "importers/gltf_textures.h"

#include <cmath>

#include "importers/gltf_uri.h"

namespace warpath {

namespace {

using tinygltf::Value;

const Value* find_member(const Value& object, const std::string& key) {
    return object.IsObject() && object.Has(key) ? &object.Get(key) : nullptr;
}

const Value* find_transform(const tinygltf::ExtensionMap& extensions) {
    const auto it = extensions.find("KHR_texture_transform");
    return it == extensions.end() ? nullptr : &it->second;
}

/// uv' = T R S uv. The listing in the extension's text turned the other way for years; what counts is its sentence
/// (UVs turn counter-clockwise, in a space whose v axis points down), which all viewers follow.
/// Source: KHR_texture_transform, and KhronosGroup/glTF issue 1563.
void apply_transform(const Value& transform, TextureRef& ref) {
    const std::vector<double> offset = numbers_in(transform, "offset", {0.0, 0.0});
    const std::vector<double> scale = numbers_in(transform, "scale", {1.0, 1.0});
    const double angle = number_in(transform, "rotation", 0.0);
    const double c = std::cos(angle), s = std::sin(angle);
    ref.m00 = static_cast<float>(c * scale[0]);
    ref.m01 = static_cast<float>(s * scale[1]);
    ref.m10 = static_cast<float>(-s * scale[0]);
    ref.m11 = static_cast<float>(c * scale[1]);
    ref.offset = {static_cast<float>(offset[0]), static_cast<float>(offset[1])};
    for (float* x : {&ref.m00, &ref.m01, &ref.m10, &ref.m11, &ref.offset.x, &ref.offset.y})
        if (!is_finite(*x)) *x = 0.0f;
}

WrapMode wrap_mode(int gltf) {
    if (gltf == TINYGLTF_TEXTURE_WRAP_CLAMP_TO_EDGE) return WrapMode::Clamp;
    if (gltf == TINYGLTF_TEXTURE_WRAP_MIRRORED_REPEAT) return WrapMode::Mirror;
    return WrapMode::Repeat;
}

}  // namespace

double number_in(const Value& object, const std::string& key, double otherwise) {
    const Value* value = find_member(object, key);
    return value && value->IsNumber() ? value->GetNumberAsDouble() : otherwise;
}

std::vector<double> numbers_in(const Value& object, const std::string& key, std::vector<double> otherwise) {
    const Value* value = find_member(object, key);
    if (!value || !value->IsArray() || value->ArrayLen() != otherwise.size()) return otherwise;
    for (size_t i = 0; i < otherwise.size(); ++i) otherwise[i] = value->Get(static_cast<int>(i)).GetNumberAsDouble();
    return otherwise;
}

GltfTextureUse texture_use(const tinygltf::TextureInfo& info) {
    return {info.index, info.texCoord, find_transform(info.extensions)};
}

GltfTextureUse texture_use(const tinygltf::NormalTextureInfo& info) {
    return {info.index, info.texCoord, find_transform(info.extensions)};
}

GltfTextureUse texture_use(const Value& extension, const std::string& key) {
    const Value* info = find_member(extension, key);
    if (!info) return {};
    const Value* extensions = find_member(*info, "extensions");
    return {static_cast<int>(number_in(*info, "index", -1.0)), static_cast<int>(number_in(*info, "texCoord", 0.0)),
            extensions ? find_member(*extensions, "KHR_texture_transform") : nullptr};
}

TextureRef GltfTextureReader::color(const GltfTextureUse& use, const std::string& user) {
    return make_ref(use, TextureUse::Color, user);
}

TextureRef GltfTextureReader::data(const GltfTextureUse& use, uint8_t channel, const std::string& user) {
    TextureRef ref = make_ref(use, TextureUse::Data, user);
    ref.channel = channel;
    if (ref.valid() && cache_.facts(ref.texture).missing) ref.texture = invalid_id;
    return ref;
}

TextureRef GltfTextureReader::make_ref(const GltfTextureUse& use, TextureUse kind, const std::string& user) {
    TextureRef ref;
    if (use.index < 0) return ref;
    ref.texture = load_image(use.index, kind);
    apply_sampler(document_.model.textures[static_cast<size_t>(use.index)].sampler, ref);
    int uv_set = use.tex_coord;
    if (use.transform) {
        apply_transform(*use.transform, ref);
        uv_set = static_cast<int>(number_in(*use.transform, "texCoord", uv_set));
    }
    if (uv_set > 1) {
        document_.warn(user + " uses texture coordinate set " + std::to_string(uv_set) +
                       "; only sets 0 and 1 are supported, and 0 is taken");
        uv_set = 0;
    }
    ref.uv_set = static_cast<uint8_t>(uv_set);
    return ref;
}

uint32_t GltfTextureReader::load_image(int texture_index, TextureUse kind) {
    const tinygltf::Texture& texture = document_.model.textures[static_cast<size_t>(texture_index)];
    const std::string file = document_.path.string() + ": ";
    if (texture.source < 0) {
        const std::string why =
            texture.extensions.empty() ? "no image" : "an image only through " + texture.extensions.begin()->first;
        return cache_.missing(file + "texture " + std::to_string(texture_index) + " has " + why +
                              "; a magenta checker stands in for it where it gives a colour, and elsewhere nothing");
    }
    const tinygltf::Image& image = document_.model.images[static_cast<size_t>(texture.source)];
    const std::string name = document_.path.string() + " image " + std::to_string(texture.source);
    if (image.bufferView >= 0) {
        const std::string_view bytes = document_.view_bytes(image.bufferView);
        return cache_.from_memory(bytes.data(), bytes.size(), name, kind);
    }
    if (is_data_uri(image.uri)) return cache_.from_data_uri(image.uri, name, kind);
    const auto path = image.uri.empty() ? std::nullopt : resolve_uri(image.uri, document_.path, document_.warnings);
    if (path) return cache_.from_file(*path, kind);
    return cache_.missing(file + "image " + std::to_string(texture.source) +
                          (image.uri.empty()
                               ? " has no source"
                               : " lies at '" + shorten_uri(image.uri) + "', and only local files are read") +
                          "; a magenta checker stands in for it where it gives a colour, and elsewhere nothing");
}

void GltfTextureReader::apply_sampler(int sampler_index, TextureRef& ref) {
    if (sampler_index < 0) return;
    const tinygltf::Sampler& sampler = document_.model.samplers[static_cast<size_t>(sampler_index)];
    for (const int wrap : {sampler.wrapS, sampler.wrapT})
        if (wrap_mode(wrap) == WrapMode::Repeat && wrap != TINYGLTF_TEXTURE_WRAP_REPEAT)
            document_.warn("sampler " + std::to_string(sampler_index) + " has the unknown wrap mode " +
                           std::to_string(wrap) + ", taken as repeat");
    ref.wrap_u = wrap_mode(sampler.wrapS);
    ref.wrap_v = wrap_mode(sampler.wrapT);
    ref.nearest = sampler.magFilter == TINYGLTF_TEXTURE_FILTER_NEAREST;
}

}  // namespace warpath
