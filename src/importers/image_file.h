#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/math.h"

namespace warpath {

/// A decoded image file, always as RGBA with rows from the top. Grey files have equal channels; the second of two
/// channels is alpha; palettes and colour keys (PNG tRNS) are resolved; a gamma chunk is ignored.
struct ImageFile {
    uint32_t width = 0, height = 0;  ///< at least 1 each
    int num_channels = 0;            ///< of the file after resolving palettes: 1 grey, 2 grey + alpha, 3 RGB, 4 RGBA
    bool is_hdr = false;             ///< texels32 holds linear values (Radiance HDR, OpenEXR)
    bool sixteen_bit = false;      ///< texels32 holds value / 65535, in the file's own encoding (not yet sRGB-decoded)
    std::vector<uint8_t> texels8;  ///< 4 * width * height; or
    std::vector<Vec4> texels32;    ///< width * height; exactly one of the two is filled

    bool has_alpha() const { return num_channels == 2 || num_channels == 4; }
    bool is_grey() const { return num_channels <= 2; }
};

/// Reads PNG, JPEG, BMP, TGA, GIF, PSD, PNM, Radiance HDR and OpenEXR, told apart by content, not by extension.
/// Float formats keep NaN and infinity; `replace_bad_texels` removes them.
/// Errors:  Io when the file cannot be read, BadInput when it is cut short, garbage or too large; both name the file.
ImageFile read_image_file(const std::filesystem::path& path);

/// The same from memory; `name` stands for the file in messages.
ImageFile read_image_memory(const void* bytes, size_t size, const std::string& name);

/// Sets every channel that is NaN or infinite to 0 and returns how many texels had one.
uint64_t replace_bad_texels(ImageFile& image);

}  // namespace warpath
