#include <algorithm>
#include <climits>
#include <cstring>
#include <memory>

#include "importers/image_formats.h"

// Static, so that no other copy of stb_image in the program (tinygltf may bring one) can take its place. Radiance HDR
// has its own reader: stb_image before 2.28 never ends on a file that is cut short.
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_NO_HDR
#define STBI_NO_LINEAR
#define STBI_NO_PIC
#define STBI_NO_STDIO
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#endif
#if __has_include(<stb/stb_image.h>)
#include <stb/stb_image.h>
#else
#include <stb_image.h>
#endif
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

namespace warpath {

namespace {

/// Feeds stb_image and notices when it asks for more than there is: it takes missing bytes as zeros without complaint
/// in some formats.
struct Source {
    const uint8_t* bytes;
    size_t size, position = 0;
    bool past_end = false;

    static int read(void* user, char* out, int count) {
        Source& s = *static_cast<Source*>(user);
        const size_t n = std::min(static_cast<size_t>(count), s.size - s.position);
        // A short answer alone is normal: stb_image refills its buffer by blocks. An empty one means it needs more.
        if (n == 0) s.past_end = true;
        std::memcpy(out, s.bytes + s.position, n);
        s.position += n;
        return static_cast<int>(n);
    }
    static void skip(void* user, int count) {
        Source& s = *static_cast<Source*>(user);
        const auto to = static_cast<int64_t>(s.position) + count;
        s.position = static_cast<size_t>(std::clamp<int64_t>(to, 0, static_cast<int64_t>(s.size)));
    }
    static int eof(void* user) {
        const Source& s = *static_cast<Source*>(user);
        return s.position >= s.size;
    }
};

constexpr stbi_io_callbacks callbacks{&Source::read, &Source::skip, &Source::eof};

struct FreePixels {
    void operator()(void* p) const { stbi_image_free(p); }
};

/// The size in a PNG's header. stb_image would say of a huge one only that it is of no known type.
void check_png_size(const uint8_t* bytes, size_t size, const std::string& name) {
    if (size < 24 || std::memcmp(bytes, "\x89PNG", 4) != 0) return;
    const auto number = [&](size_t at) {
        return uint64_t{bytes[at]} << 24 | uint64_t{bytes[at + 1]} << 16 | uint64_t{bytes[at + 2]} << 8 | bytes[at + 3];
    };
    check_image_size(number(16), number(20), name);
}

std::string reason() {
    const char* text = stbi_failure_reason();
    const std::string words = text ? text : "no reason given";
    if (words == "outofdata") return "it ends too early; it may have been cut short";
    if (words == "unknown image type") return "it is no PNG, JPEG, HDR or OpenEXR image";
    return words;
}

}  // namespace

ImageFile read_stb_image(const uint8_t* bytes, size_t size, const std::string& name) {
    if (size > INT_MAX) fail_image(name, "is larger than 2 GiB");
    check_png_size(bytes, size, name);
    check_jpeg(bytes, size, name);
    int width = 0, height = 0, channels = 0;
    Source info{bytes, size};
    if (!stbi_info_from_callbacks(&callbacks, &info, &width, &height, &channels))
        fail_image(name, "cannot be decoded: " + reason());
    check_image_size(static_cast<uint64_t>(width), static_cast<uint64_t>(height), name);

    ImageFile image;
    Source depth{bytes, size};
    image.sixteen_bit = stbi_is_16_bit_from_callbacks(&callbacks, &depth) != 0;
    Source source{bytes, size};
    std::unique_ptr<void, FreePixels> pixels;
    if (image.sixteen_bit)
        pixels.reset(stbi_load_16_from_callbacks(&callbacks, &source, &width, &height, &channels, 4));
    else
        pixels.reset(stbi_load_from_callbacks(&callbacks, &source, &width, &height, &channels, 4));
    if (source.past_end) fail_image(name, "ends too early; it may have been cut short");
    if (!pixels) fail_image(name, "cannot be decoded: " + reason());

    image.width = static_cast<uint32_t>(width);
    image.height = static_cast<uint32_t>(height);
    image.num_channels = channels;
    const size_t num_pixels = size_t{image.width} * image.height;
    if (image.sixteen_bit) {
        const auto* v = static_cast<const uint16_t*>(pixels.get());
        image.texels32.resize(num_pixels);
        for (size_t i = 0; i < num_pixels; ++i, v += 4) image.texels32[i] = Vec4(v[0], v[1], v[2], v[3]) / 65535.0f;
    } else {
        const auto* v = static_cast<const uint8_t*>(pixels.get());
        image.texels8.assign(v, v + 4 * num_pixels);
    }
    return image;
}

}  // namespace warpath
