#include "importers/texture_loader.h"

#include <cmath>

#include "warpath/error.h"

namespace warpath {

namespace {

Texture make_checker() {
    Texture texture;
    texture.name = "missing texture";
    texture.width = texture.height = 2;
    texture.srgb = true;
    texture.texels8 = {255, 0, 255, 255, 128, 0, 128, 255, 128, 0, 128, 255, 255, 0, 255, 255};
    return texture;
}

int base64_digit(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    if (c == '+' || c == '-') return 62;
    if (c == '/' || c == '_') return 63;
    return -1;
}

int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

std::string decode_base64(std::string_view text, const std::string& name) {
    std::string bytes;
    bytes.reserve(text.size() / 4 * 3);
    uint32_t bits = 0;
    int num_bits = 0;
    for (const char c : text) {
        if (c == '=') break;
        if (c == '\n' || c == '\r' || c == ' ' || c == '\t') continue;
        const int digit = base64_digit(c);
        if (digit < 0) throw Error(ErrorCode::BadInput, name + ": its data URI is not valid base64");
        bits = (bits << 6 | static_cast<uint32_t>(digit)) & 0xffffffu;
        if ((num_bits += 6) >= 8) bytes.push_back(static_cast<char>(bits >> (num_bits -= 8) & 0xffu));
    }
    return bytes;
}

std::string decode_percent(std::string_view text) {
    std::string bytes;
    for (size_t i = 0; i < text.size(); ++i) {
        const bool escape =
            text[i] == '%' && i + 2 < text.size() && hex_digit(text[i + 1]) >= 0 && hex_digit(text[i + 2]) >= 0;
        bytes.push_back(escape ? static_cast<char>(hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2])) : text[i]);
        if (escape) i += 2;
    }
    return bytes;
}

}  // namespace

float srgb_to_linear(float encoded) {
    return encoded <= 0.04045f ? encoded / 12.92f : std::pow((encoded + 0.055f) / 1.055f, 2.4f);
}

std::string decode_data_uri(std::string_view uri, const std::string& name) {
    const size_t comma = uri.find(',');
    if (!uri.starts_with("data:") || comma == std::string_view::npos)
        throw Error(ErrorCode::BadInput, name + ": its URI is not of the form data:TYPE;base64,DATA");
    const std::string_view data = uri.substr(comma + 1);
    return uri.substr(0, comma).ends_with(";base64") ? decode_base64(data, name) : decode_percent(data);
}

Texture make_texture(ImageFile&& image, const std::string& name, TextureUse use) {
    Texture texture;
    texture.name = name;
    texture.width = image.width;
    texture.height = image.height;
    texture.texels8 = std::move(image.texels8);
    texture.texels32 = std::move(image.texels32);
    const bool encoded = use == TextureUse::Color && !image.is_hdr;
    texture.srgb = encoded && !texture.texels8.empty();
    if (encoded)
        for (Vec4& t : texture.texels32) t = {srgb_to_linear(t.x), srgb_to_linear(t.y), srgb_to_linear(t.z), t.w};
    image = {};
    return texture;
}

template <class Read>
uint32_t TextureCache::load(const std::string& key, const std::string& name, TextureUse use, Read read) {
    if (const auto it = loaded_.find({key, use}); it != loaded_.end()) return it->second;
    if (watch_) watch_->at(LoadStep::Textures, 0.0, name);
    uint32_t index;
    try {
        ImageFile image = read();
        if (const uint64_t bad = replace_bad_texels(image); bad > 0)
            scene_.warnings.push_back("texture '" + name + "' has " + std::to_string(bad) +
                                      " texels that are NaN or infinite; they count as 0");
        const TextureFacts facts{image.has_alpha(), image.is_grey(), false};
        index = add(make_texture(std::move(image), name, use), facts);
    } catch (const Error& error) {
        index = missing("texture: " + std::string(error.what()) + "; a magenta checker stands in for it where it gives a colour, and elsewhere nothing");
    }
    loaded_.emplace(std::pair(key, use), index);
    return index;
}

uint32_t TextureCache::from_file(const std::filesystem::path& path, TextureUse use) {
    std::error_code ec;
    const std::filesystem::path canonical = std::filesystem::weakly_canonical(path, ec);
    const std::string key = "file:" + (ec ? path : canonical).string();
    return load(key, path.string(), use, [&] { return read_image_file(path); });
}

uint32_t TextureCache::from_memory(const void* bytes, size_t size, const std::string& name, TextureUse use) {
    return load("memory:" + name, name, use, [&] { return read_image_memory(bytes, size, name); });
}

uint32_t TextureCache::from_data_uri(std::string_view uri, const std::string& name, TextureUse use) {
    return load("memory:" + name, name, use, [&] {
        const std::string bytes = decode_data_uri(uri, name);
        return read_image_memory(bytes.data(), bytes.size(), name);
    });
}

uint32_t TextureCache::missing(const std::string& warning) {
    if (!warning.empty()) scene_.warnings.push_back(warning);
    if (default_texture_ == invalid_id) default_texture_ = add(make_checker(), {false, false, true});
    return default_texture_;
}

uint32_t TextureCache::add(Texture texture, const TextureFacts& facts) {
    const auto index = static_cast<uint32_t>(scene_.textures.size());
    made_.emplace(texture.name, index);
    scene_.textures.push_back(std::move(texture));
    facts_.resize(scene_.textures.size());  // textures that others pushed get plain facts
    facts_[index] = facts;
    return index;
}

uint32_t TextureCache::find_made(const std::string& name) const {
    const auto it = made_.find(name);
    return it == made_.end() ? invalid_id : it->second;
}

}  // namespace warpath
