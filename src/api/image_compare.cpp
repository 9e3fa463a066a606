#include <algorithm>
#include <cmath>
#include <cstring>

#include "api/image_format.h"
#include "api/image_ssim.h"
#include "warpath/error.h"

namespace warpath {
namespace {

std::string size_text(const Image& image) { return std::to_string(image.width) + "x" + std::to_string(image.height); }

bool identical_bits(const Image& a, const Image& b) {
    if (a.channels.size() != b.channels.size()) return false;
    return std::all_of(a.channels.begin(), a.channels.end(), [&](const Image::Channel& x) {
        const Image::Channel* y = b.find(x.name);
        return y && x.values.size() == y->values.size() &&
               std::memcmp(x.values.data(), y->values.data(), x.values.size() * sizeof(float)) == 0;
    });
}

/// The same number, the same infinity, or both NaN.
bool same_value(float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)); }

/// Sums over the values of one or more channels.
struct Sums {
    double squared = 0, relative = 0, max_difference = 0, peak = 0;
    uint64_t num_finite = 0;

    void add(float a, float b) {
        if (!std::isfinite(a) || !std::isfinite(b)) {
            if (!same_value(a, b)) max_difference = HUGE_VAL;
            return;
        }
        const double d = static_cast<double>(a) - b;
        squared += d * d;
        relative += d * d / (static_cast<double>(b) * b + 1e-2);
        max_difference = std::max(max_difference, std::abs(d));
        peak = std::max({peak, static_cast<double>(a), static_cast<double>(b)});
        ++num_finite;
    }
};

/// Rec. 709 luminance; what is not finite counts as 0, its presence shows in the other figures.
std::vector<float> finite_luminance(const ColorChannels& c, size_t num_pixels) {
    const auto finite = [](float x) { return std::isfinite(x) ? x : 0.0f; };
    std::vector<float> y(num_pixels);
    for (size_t i = 0; i < num_pixels; ++i)
        y[i] = 0.2126f * finite(c.r[i]) + 0.7152f * finite(c.g[i]) + 0.0722f * finite(c.b[i]);
    return y;
}

}  // namespace

ImageDifference compare_images(const Image& a, const Image& b) {
    const ColorChannels color_a = color_channels(a, "the first image"), color_b = color_channels(b, "the second image");
    if (a.width != b.width || a.height != b.height)
        throw Error(ErrorCode::BadInput, "the images differ in size: " + size_text(a) + " and " + size_text(b));
    const size_t num_pixels = static_cast<size_t>(a.width) * a.height;
    ImageDifference result;
    Sums sums;
    for (const auto channel : {&ColorChannels::r, &ColorChannels::g, &ColorChannels::b}) {
        const float *va = color_a.*channel, *vb = color_b.*channel;
        for (size_t i = 0; i < num_pixels; ++i) {
            sums.add(va[i], vb[i]);
            result.nan_a += std::isnan(va[i]), result.nan_b += std::isnan(vb[i]);
            result.inf_a += std::isinf(va[i]), result.inf_b += std::isinf(vb[i]);
        }
    }
    const double n = static_cast<double>(std::max<uint64_t>(sums.num_finite, 1));
    const double peak = a.display_range && b.display_range ? 1.0 : sums.peak;
    result.identical = identical_bits(a, b);
    result.mse = sums.squared / n;
    result.relative_mse = sums.relative / n;
    result.psnr_db = result.mse > 0 ? 10.0 * std::log10(peak * peak / result.mse) : HUGE_VAL;
    result.max_difference = sums.max_difference;
    result.ssim = mean_ssim({finite_luminance(color_a, num_pixels), a.width, a.height},
                            {finite_luminance(color_b, num_pixels), b.width, b.height}, peak);
    return result;
}

}  // namespace warpath
