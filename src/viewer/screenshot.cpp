#include "viewer/screenshot.h"

#include <epoxy/gl.h>

#include <array>
#include <cmath>
#include <vector>

#include "warpath/image.h"

namespace warpath::viewer {
namespace {

/// The linear value that a linear tone curve writes as that byte.
std::array<float, 256> linear_values() {
    std::array<float, 256> values{};
    for (size_t i = 0; i < values.size(); ++i) {
        const double x = static_cast<double>(i) / 255;
        values[i] = static_cast<float>(x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4));
    }
    return values;
}

}  // namespace

void save_framebuffer(Size size, const std::filesystem::path& path) {
    const size_t width = static_cast<size_t>(size.width), height = static_cast<size_t>(size.height);
    std::vector<uint8_t> bytes(4 * width * height);
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    glReadBuffer(GL_BACK);
    glReadPixels(0, 0, size.width, size.height, GL_RGBA, GL_UNSIGNED_BYTE, bytes.data());

    const std::array<float, 256> linear = linear_values();
    Image image;
    image.width = static_cast<uint32_t>(width), image.height = static_cast<uint32_t>(height);
    for (size_t c = 0; c < 3; ++c) {
        Image::Channel& channel = image.channels.emplace_back(Image::Channel{std::string(1, "RGB"[c]), {}});
        channel.values.resize(width * height);
        for (size_t y = 0; y < height; ++y)  // OpenGL counts rows from the bottom
            for (size_t x = 0; x < width; ++x) channel.values[y * width + x] = linear[bytes[4 * ((height - 1 - y) * width + x) + c]];
    }
    WriteOptions options;
    options.tone_curve = ToneCurve::Linear;
    write_image(image, path, options);
}

}  // namespace warpath::viewer
