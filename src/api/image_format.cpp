#include "api/image_format.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "api/image_srgb.h"
#include "importers/image_file.h"
#include "warpath/error.h"
#include "warpath/file.h"

namespace warpath {
namespace {

std::string lower_case(std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

std::string encode(const Image& image, ImageFormat format, const WriteOptions& options) {
    switch (format) {
        case ImageFormat::Png:
            return encode_png(image, options);
        case ImageFormat::Hdr:
            return encode_hdr(image);
        case ImageFormat::Exr:
            return encode_exr(image, options);
        case ImageFormat::Pfm:
            return encode_pfm(image);
    }
    throw Error(ErrorCode::Internal, "write_image: an image format without an encoder");
}

/// PNG and Radiance HDR. Alpha is dropped, as every image written here is opaque.
Image read_color(const std::filesystem::path& path) {
    const ImageFile file = read_image_file(path);
    Image image = make_image(file.width, file.height, {"R", "G", "B"}, path.string());
    image.display_range = !file.is_hdr;
    std::array<float, 256> from_byte;
    for (size_t i = 0; i < from_byte.size(); ++i)
        from_byte[i] = static_cast<float>(srgb_decode(static_cast<double>(i) / 255.0));
    for (int c = 0; c < 3; ++c) {
        std::vector<float>& values = image.channels[static_cast<size_t>(c)].values;
        for (size_t i = 0; i < values.size(); ++i) {
            if (file.is_hdr)
                values[i] = file.texels32[i][c];
            else if (file.sixteen_bit)
                values[i] = static_cast<float>(srgb_decode(file.texels32[i][c]));
            else
                values[i] = from_byte[file.texels8[i * 4 + static_cast<size_t>(c)]];
        }
    }
    return image;
}

}  // namespace

ImageFormat image_format(const std::filesystem::path& path) {
    const std::string extension = lower_case(path.extension().string());
    if (extension == ".png") return ImageFormat::Png;
    if (extension == ".hdr") return ImageFormat::Hdr;
    if (extension == ".exr") return ImageFormat::Exr;
    if (extension == ".pfm") return ImageFormat::Pfm;
    const std::string problem = extension.empty() ? "has no extension" : "has the unknown extension " + extension;
    throw Error(ErrorCode::BadOption,
                "image file name '" + path.string() + "' " + problem + "; known are .png, .hdr, .exr and .pfm");
}

const Image::Channel* Image::find(const std::string& name) const {
    const auto found = std::find_if(channels.begin(), channels.end(), [&](const Channel& c) { return c.name == name; });
    return found == channels.end() ? nullptr : &*found;
}

ColorChannels color_channels(const Image& image, const std::string& what) {
    const size_t num_pixels = static_cast<size_t>(image.width) * image.height;
    if (num_pixels == 0) throw Error(ErrorCode::BadInput, what + " has no pixels");
    for (const Image::Channel& channel : image.channels)
        if (channel.values.size() != num_pixels)
            throw Error(ErrorCode::BadInput, what + ": channel " + channel.name + " has " +
                                                 std::to_string(channel.values.size()) + " values for " +
                                                 std::to_string(num_pixels) + " pixels");
    const Image::Channel *r = image.find("R"), *g = image.find("G"), *b = image.find("B"), *y = image.find("Y");
    if (r && g && b) return {r->values.data(), g->values.data(), b->values.data()};
    if (y) return {y->values.data(), y->values.data(), y->values.data()};
    throw Error(ErrorCode::BadInput, what + " has neither the channels R, G, B nor Y");
}

Image make_image(uint64_t width, uint64_t height, const std::vector<std::string>& channels, const std::string& what) {
    constexpr uint64_t max_side = 0x7fffffff;
    if (width == 0 || height == 0 || width > max_side || height > max_side || channels.empty())
        throw Error(ErrorCode::BadInput, what + " claims to be " + std::to_string(width) + "x" +
                                             std::to_string(height) + " pixels of " + std::to_string(channels.size()) +
                                             " channels");
    const double size_bytes =
        static_cast<double>(width) * static_cast<double>(height) * 4.0 * static_cast<double>(channels.size());
    const double memory_bytes =
        static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
    if (size_bytes > memory_bytes / 2)
        throw Error(ErrorCode::BadInput, what + " claims to be " + std::to_string(width) + "x" +
                                             std::to_string(height) +
                                             " pixels, which is more than half of this machine's memory");
    Image image;
    image.width = static_cast<uint32_t>(width), image.height = static_cast<uint32_t>(height);
    for (const std::string& name : channels) image.channels.push_back({name, std::vector<float>(width * height)});
    return image;
}

void write_image(const Image& image, const std::filesystem::path& path, const WriteOptions& options) {
    write_file(path, encode(image, image_format(path), options));
}

void check_writable(const std::filesystem::path& path) {
    image_format(path);
    check_file_writable(path);
}

Image read_image(const std::filesystem::path& path) {
    switch (image_format(path)) {
        case ImageFormat::Png:
        case ImageFormat::Hdr:
            return read_color(path);
        case ImageFormat::Exr:
            return read_exr(path);
        case ImageFormat::Pfm:
            return read_pfm(path);
    }
    throw Error(ErrorCode::Internal, "read_image: an image format without a decoder");
}

}  // namespace warpath
