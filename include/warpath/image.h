#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace warpath {

/// Float image, planar: each channel is width * height values, rows from the top.
struct Image {
    uint32_t width = 0, height = 0;
    struct Channel {
        std::string name;            ///< "R", "G", "B", or "layer.R"
        std::vector<float> values;
    };
    std::vector<Channel> channels;   ///< R, G, B first
    std::map<std::string, std::string> attributes;  ///< text metadata (EXR only)

    const Channel* find(const std::string& name) const;
};

enum class ToneCurve { Filmic, Linear };

struct WriteOptions {
    ToneCurve tone_curve = ToneCurve::Filmic;  ///< PNG only
    float exposure = 0.0f;                     ///< in stops; PNG only
    bool half = false;                         ///< EXR: 16-bit half instead of 32-bit float for R, G, B
};

/// Writes by extension: .png (8-bit sRGB, tone mapped), .hdr (RGBE), .exr (all channels and attributes).
/// The file appears whole or not at all (temporary name, flush, rename).
/// Errors:  BadOption for an unknown extension; Io with the path and the system's reason.
void write_image(const Image& image, const std::filesystem::path& path, const WriteOptions& options = {});

/// Fails with Io now if `path`'s folder is missing or cannot be written, or the extension is unknown, instead of after rendering.
void check_writable(const std::filesystem::path& path);

/// Reads .png (to linear), .hdr or .exr.
Image read_image(const std::filesystem::path& path);

/// Difference of two images' R, G, B.
struct ImageDifference {
    bool identical = false;          ///< bit for bit, all channels of both
    double mse = 0, relative_mse = 0;  ///< relative: mean of (a-b)^2 / (b^2 + 1e-2)
    double psnr_db = 0;              ///< peak 1 for PNG, else the larger image's maximum
    double max_difference = 0, ssim = 1;
    uint64_t nan_a = 0, nan_b = 0, inf_a = 0, inf_b = 0;
};
/// Errors:  BadInput when the sizes differ.
ImageDifference compare_images(const Image& a, const Image& b);

}  // namespace warpath
