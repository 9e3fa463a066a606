#include "importers/image_file.h"

#include <new>

#include "importers/file_bytes.h"
#include "importers/image_formats.h"
#include "warpath/error.h"

namespace warpath {

void fail_image(const std::string& name, const std::string& why) {
    throw Error(ErrorCode::BadInput, "image '" + name + "' " + why);
}

void check_image_size(uint64_t width, uint64_t height, const std::string& name) {
    const std::string size = std::to_string(width) + "x" + std::to_string(height);
    if (width == 0 || height == 0) fail_image(name, "is " + size + ": it has no pixels");
    if (width > 65536 || height > 65536 || width * height > (1u << 28))
        fail_image(name, "is " + size + ", which is too large (at most 65536 a side and 2^28 pixels); scale it down");
}

ImageFile read_image_memory(const void* bytes, size_t size, const std::string& name) {
    const auto* data = static_cast<const uint8_t*>(bytes);
    if (size == 0) fail_image(name, "is empty");
    try {
        if (is_openexr(data, size)) return read_openexr(data, size, name);
        if (is_radiance_hdr(data, size)) return read_radiance_hdr(data, size, name);
        return read_stb_image(data, size, name);
    } catch (const std::bad_alloc&) {
        fail_image(name, "does not fit in memory");
    }
}

ImageFile read_image_file(const std::filesystem::path& path) {
    const std::string bytes = read_file_bytes(path);
    return read_image_memory(bytes.data(), bytes.size(), path.string());
}

uint64_t replace_bad_texels(ImageFile& image) {
    uint64_t num_bad = 0;
    for (Vec4& texel : image.texels32) {
        bool bad = false;
        for (int c = 0; c < 4; ++c) {
            if (is_finite(texel[c])) continue;
            texel[c] = 0.0f;
            bad = true;
        }
        num_bad += bad;
    }
    return num_bad;
}

}  // namespace warpath
