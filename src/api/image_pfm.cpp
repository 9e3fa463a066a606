#include <bit>
#include <cstring>
#include <fstream>
#include <sstream>

#include "api/image_format.h"
#include "warpath/error.h"

namespace warpath {
namespace {

static_assert(std::endian::native == std::endian::little, "PFM files are written in the byte order of the machine");

float swapped(float x) { return std::bit_cast<float>(__builtin_bswap32(std::bit_cast<uint32_t>(x))); }

}  // namespace

std::string encode_pfm(const Image& image) {
    const ColorChannels color = color_channels(image, "the image to write");
    std::string out = "PF\n" + std::to_string(image.width) + " " + std::to_string(image.height) + "\n-1.0\n";
    out.reserve(out.size() + static_cast<size_t>(image.width) * image.height * 12);
    for (size_t y = image.height; y-- > 0;) {
        for (size_t i = y * image.width; i < (y + 1) * image.width; ++i) {
            const float pixel[3] = {color.r[i], color.g[i], color.b[i]};
            out.append(reinterpret_cast<const char*>(pixel), sizeof(pixel));
        }
    }
    return out;
}

Image read_pfm(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw Error(ErrorCode::Io, "cannot open " + path.string() + ": " + std::strerror(errno));
    std::string magic;
    int64_t width = 0, height = 0;
    double scale = 0;
    file >> magic >> width >> height >> scale;
    if (!file || (magic != "PF" && magic != "Pf") || width <= 0 || height <= 0 || scale == 0 || !file.ignore(1))
        throw Error(ErrorCode::BadInput, path.string() + " is not a PFM image: wrong header");
    const size_t num_components = magic == "PF" ? 3 : 1;
    Image image =
        make_image(static_cast<uint64_t>(width), static_cast<uint64_t>(height), {"R", "G", "B"}, path.string());
    std::vector<float> row(image.width * num_components);
    for (size_t y = image.height; y-- > 0;) {
        file.read(reinterpret_cast<char*>(row.data()), static_cast<std::streamsize>(row.size() * sizeof(float)));
        if (!file)
            throw Error(ErrorCode::BadInput, path.string() + " is cut off: row " + std::to_string(y) + " is missing");
        for (size_t x = 0; x < image.width; ++x) {
            for (size_t c = 0; c < 3; ++c) {
                const float v = row[x * num_components + (num_components == 3 ? c : 0)];
                image.channels[c].values[y * image.width + x] = scale < 0 ? v : swapped(v);
            }
        }
    }
    return image;
}

}  // namespace warpath
