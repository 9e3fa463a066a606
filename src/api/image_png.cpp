#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#include <stb/stb_image_write.h>
#pragma GCC diagnostic pop

#include <cmath>

#include "api/image_format.h"
#include "api/image_srgb.h"
#include "render/tone.h"
#include "warpath/error.h"

namespace warpath {
namespace {

void append(void* context, void* data, int size) {
    static_cast<std::string*>(context)->append(static_cast<const char*>(data), static_cast<size_t>(size));
}

}  // namespace

std::string encode_png(const Image& image, const WriteOptions& options) {
    const ColorChannels color = color_channels(image, "the image to write");
    const size_t num_pixels = static_cast<size_t>(image.width) * image.height;
    // stb_image_write counts bytes in int: one filter byte a row, three a pixel.
    if (num_pixels * 3 + image.height > 0x7fff0000u)
        throw Error(ErrorCode::BadOption, "a PNG of " + std::to_string(image.width) + "x" +
                                              std::to_string(image.height) +
                                              " pixels is too large to encode; write .exr instead");
    if (!std::isfinite(options.exposure))
        throw Error(ErrorCode::BadOption, "the exposure must be a finite number of stops");
    const float scale = std::exp2(options.exposure);
    const bool filmic = options.tone_curve == ToneCurve::Filmic;
    std::vector<unsigned char> bytes(num_pixels * 3);
    for (size_t i = 0; i < num_pixels; ++i) {
        bytes[i * 3 + 0] = srgb_byte(tone_mapped(color.r[i], scale, filmic));
        bytes[i * 3 + 1] = srgb_byte(tone_mapped(color.g[i], scale, filmic));
        bytes[i * 3 + 2] = srgb_byte(tone_mapped(color.b[i], scale, filmic));
    }
    std::string encoded;
    const int width = static_cast<int>(image.width), height = static_cast<int>(image.height);
    if (!stbi_write_png_to_func(append, &encoded, width, height, 3, bytes.data(), width * 3))
        throw Error(ErrorCode::OutOfMemory, "cannot encode the PNG: out of memory");
    return encoded;
}

}  // namespace warpath
