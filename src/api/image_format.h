#pragma once

#include <filesystem>
#include <string>

#include "warpath/image.h"

namespace warpath {

enum class ImageFormat { Png, Hdr, Exr, Pfm };

/// Chooses the format by extension, in any case.
/// Errors:  BadOption with the known extensions.
ImageFormat image_format(const std::filesystem::path& path);

/// The three colour channels of an image: R, G, B, or Y three times.
struct ColorChannels {
    const float *r = nullptr, *g = nullptr, *b = nullptr;
};
/// Errors:  BadInput naming `what`: no pixels, a channel of another size, or neither R, G, B nor Y.
ColorChannels color_channels(const Image& image, const std::string& what);

/// An image of the given channels, all values 0.
/// Errors:  BadInput naming `what` if it has no pixels or would not fit into half of this machine's memory (a hostile
/// header).
Image make_image(uint64_t width, uint64_t height, const std::vector<std::string>& channels, const std::string& what);

/// 8-bit sRGB, tone mapped.
std::string encode_png(const Image& image, const WriteOptions& options);
/// Radiance RGBE, run-length encoded.
/// Source:  Ward, "Real Pixels", Graphics Gems II, 1991. Mantissas are rounded to the nearest, not cut off.
std::string encode_hdr(const Image& image);
/// OpenEXR scan lines, ZIP. R, G, B as float or half; "samples" as UINT where all values are whole; the others as
/// float.
std::string encode_exr(const Image& image, const WriteOptions& options);
/// Portable float map: three floats a pixel, little-endian, rows from the bottom.
std::string encode_pfm(const Image& image);

Image read_exr(const std::filesystem::path& path);
Image read_pfm(const std::filesystem::path& path);

}  // namespace warpath
