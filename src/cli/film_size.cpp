#include "cli/film_size.h"

#include <unistd.h>

#include <array>
#include <cstdio>

#include "warpath/error.h"

namespace warpath::cli {
namespace {

/// Sums of 8 bytes and an image value of 4 for each component.
uint64_t bytes_per_pixel(const std::vector<std::string>& aovs) {
    uint64_t bytes = 3 * (8 + 4) + 4;  // radiance, and the number of samples
    for (const std::string& aov : aovs) {
        if (aov == "samples")
            bytes += 4;
        else
            bytes += (aov == "albedo" || aov == "normal" ? 3 : 1) * (8 + 4);
    }
    return bytes;
}

uint64_t memory_bytes() {
    return static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace

uint64_t film_bytes(uint64_t width, uint64_t height, const std::vector<std::string>& aovs) {
    return width * height * bytes_per_pixel(aovs);
}

std::string bytes_text(uint64_t size_bytes) {
    constexpr std::array units = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double value = static_cast<double>(size_bytes);
    size_t unit = 0;
    for (; value >= 1024.0 && unit + 1 < units.size(); ++unit) value /= 1024.0;
    std::array<char, 32> text;
    std::snprintf(text.data(), text.size(), unit == 0 ? "%.0f %s" : "%.1f %s", value, units[unit]);
    return text.data();
}

void check_film_size(uint32_t width, uint32_t height, const std::vector<std::string>& aovs) {
    // A pixel is a 32-bit index in every slot; one side fits where four rows or columns of it are addressed, too.
    constexpr uint64_t max_pixels = uint64_t{1} << 31, max_side = uint64_t{1} << 28;
    // In double first: 2^64 pixels of 36 bytes would wrap around.
    const double wanted = static_cast<double>(width) * height * static_cast<double>(bytes_per_pixel(aovs));
    const uint64_t num_pixels = uint64_t{width} * height;
    const std::string size = std::to_string(width) + "x" + std::to_string(height);
    std::array<char, 40> exact;
    std::snprintf(exact.data(), exact.size(), "%.0f", wanted);
    const std::string bytes = std::string(exact.data()) + " bytes (" +
                              bytes_text(wanted < 0x1p63 ? static_cast<uint64_t>(wanted) : INT64_MAX) + ")";
    if (num_pixels > max_pixels || width > max_side || height > max_side)
        throw Error(ErrorCode::BadOption, "--size " + size + " is too large: the film would take " + bytes +
                                              ", and the limit is " + std::to_string(max_pixels) + " pixels");
    if (wanted > 0.8 * static_cast<double>(memory_bytes()))
        throw Error(ErrorCode::BadOption, "--size " + size + " is too large: the film would take " + bytes +
                                              ", and this machine has " + bytes_text(memory_bytes()) + " of memory");
}

}  // namespace warpath::cli
