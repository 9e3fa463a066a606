#include <algorithm>
#include <array>
#include <cmath>

#include "api/image_format.h"

namespace warpath {
namespace {

using Rgbe = std::array<unsigned char, 4>;

/// What the format can hold: no sign, no NaN, below 2^127.
float representable(float x) { return x > 0.0f ? std::min(x, std::nextafter(0x1p127f, 0.0f)) : 0.0f; }

Rgbe to_rgbe(float r, float g, float b) {
    const float largest = std::max({r, g, b});
    if (largest < 1e-32f) return {0, 0, 0, 0};
    int exponent = 0;
    const float fraction = std::frexp(largest, &exponent);
    if (std::lround(fraction * 256.0f) == 256 && exponent < 127) ++exponent;  // rounds up to the next power of two
    const auto mantissa = [&](float x) {
        return static_cast<unsigned char>(std::min(std::lround(std::ldexp(x, 8 - exponent)), 255l));
    };
    return {mantissa(r), mantissa(g), mantissa(b), static_cast<unsigned char>(exponent + 128)};
}

/// One component of one row: runs of equal bytes as (128 + length, byte), others as (length, bytes...).
void append_runs(std::string& out, const std::vector<Rgbe>& row, size_t component) {
    constexpr size_t min_run = 4, max_run = 127, max_literal = 128;
    const auto run_at = [&](size_t i) {
        size_t n = 1;
        while (i + n < row.size() && n < max_run && row[i + n][component] == row[i][component]) ++n;
        return n;
    };
    for (size_t i = 0; i < row.size();) {
        const size_t run = run_at(i);
        if (run >= min_run) {
            out += static_cast<char>(128 + run);
            out += static_cast<char>(row[i][component]);
            i += run;
            continue;
        }
        size_t end = i;
        while (end < row.size() && end - i < max_literal && run_at(end) < min_run) ++end;
        out += static_cast<char>(end - i);
        for (; i < end; ++i) out += static_cast<char>(row[i][component]);
    }
}

void append_row(std::string& out, const std::vector<Rgbe>& row) {
    // The run-length form is defined for these widths only; others hold the pixels as they are.
    if (row.size() < 8 || row.size() > 0x7fff) {
        for (const Rgbe& p : row) out.append(reinterpret_cast<const char*>(p.data()), p.size());
        return;
    }
    out += {2, 2, static_cast<char>(row.size() >> 8), static_cast<char>(row.size() & 0xff)};
    for (size_t component = 0; component < 4; ++component) append_runs(out, row, component);
}

}  // namespace

std::string encode_hdr(const Image& image) {
    const ColorChannels color = color_channels(image, "the image to write");
    std::string out = "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y " + std::to_string(image.height) + " +X " +
                      std::to_string(image.width) + "\n";
    std::vector<Rgbe> row(image.width);
    for (size_t y = 0; y < image.height; ++y) {
        for (size_t x = 0; x < image.width; ++x) {
            const size_t i = y * image.width + x;
            row[x] = to_rgbe(representable(color.r[i]), representable(color.g[i]), representable(color.b[i]));
        }
        append_row(out, row);
    }
    return out;
}

}  // namespace warpath
