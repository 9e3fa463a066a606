#pragma once

#include <cstddef>
#include <string>

#include "importers/image_file.h"

/// The decoders behind read_image_memory, one file each. Each throws Error{BadInput} that starts with `name`.
namespace warpath {

/// PNG, JPEG, BMP, TGA, GIF, PSD, PNM: what stb_image decodes, without Radiance HDR.
ImageFile read_stb_image(const uint8_t* bytes, size_t size, const std::string& name);

/// Refuses JPEG files whose Huffman tables would overflow those of stb_image before 2.28, which does not look. Other
/// files pass.
void check_jpeg(const uint8_t* bytes, size_t size, const std::string& name);

bool is_radiance_hdr(const uint8_t* bytes, size_t size);
ImageFile read_radiance_hdr(const uint8_t* bytes, size_t size, const std::string& name);

bool is_openexr(const uint8_t* bytes, size_t size);
ImageFile read_openexr(const uint8_t* bytes, size_t size, const std::string& name);

[[noreturn]] void fail_image(const std::string& name, const std::string& why);

/// Refuses images whose RGBA texels would not fit: more than 2^16 pixels a side or 2^30 in all.
void check_image_size(uint64_t width, uint64_t height, const std::string& name);

}  // namespace warpath
