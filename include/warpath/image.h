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
    bool display_range = false;      ///< read from .png: every value lies in 0..1

    /// The channel of that name, or null.
    const Channel* find(const std::string& name) const;
};

/// How linear radiance becomes a displayed value, before the sRGB transfer curve.
enum class ToneCurve {
    Filmic,  ///< x (2.51 x + 0.03) / (x (2.43 x + 0.59) + 0.14): Narkowicz, "ACES Filmic Tone Mapping Curve", 2016
    Linear,  ///< values above 1 are cut off
};

struct WriteOptions {
    ToneCurve tone_curve = ToneCurve::Filmic;  ///< PNG only
    float exposure = 0.0f;                     ///< in stops; PNG only
    bool half = false;                         ///< EXR: 16-bit half instead of 32-bit float for R, G, B
};

/// Writes by extension: .png (8-bit sRGB, tone mapped), .hdr (RGBE), .exr (all channels and attributes), .pfm (float RGB).
/// The file appears whole or not at all (temporary name, flush, rename). All but .exr hold R, G, B alone.
/// Not finite: .png and .hdr show NaN as 0 and infinity as their largest value; .exr and .pfm keep both.
/// Errors:  BadOption for an unknown extension; BadInput for an image without pixels or without R, G, B; Io with the path and
///          the system's reason.
void write_image(const Image& image, const std::filesystem::path& path, const WriteOptions& options = {});

/// Finds out now, not after rendering, whether `write_image` could write `path`.
/// Errors:  BadOption for an unknown extension; Io if the folder is missing or cannot be written, or `path` is a folder.
void check_writable(const std::filesystem::path& path);

/// Reads .png (to linear), .hdr, .exr (all channels, text attributes) or .pfm.
/// Errors:  Io if the file cannot be read; BadInput for what is in it; BadOption for an unknown extension.
Image read_image(const std::filesystem::path& path);

/// Difference of two images' R, G, B; `b` is the reference.
/// Values that are not finite in both images are left out of the means. Where they differ (a NaN against a number, say),
/// max_difference is infinite.
struct ImageDifference {
    bool identical = false;          ///< bit for bit, all channels of both
    double mse = 0, relative_mse = 0;  ///< relative: mean of (a-b)^2 / (b^2 + 1e-2)
    double psnr_db = 0;              ///< peak 1 for two PNGs, else the larger image's maximum; infinite for an MSE of 0
    double max_difference = 0;
    double ssim = 1;                 ///< mean SSIM of the luminance, with the same peak
    uint64_t nan_a = 0, nan_b = 0, inf_a = 0, inf_b = 0;
};
/// Compares two images of one size.
/// Errors:  BadInput when the sizes differ or R, G, B are missing.
/// Source:  Wang, Bovik, Sheikh and Simoncelli, "Image Quality Assessment: From Error Visibility to Structural Similarity", IEEE
///          Transactions on Image Processing 13(4), 2004: 11x11 Gaussian window, sigma 1.5, K1 0.01, K2 0.03. An image smaller
///          than the window gets a window of its own size.
ImageDifference compare_images(const Image& a, const Image& b);

}  // namespace warpath
