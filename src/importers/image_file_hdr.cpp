#include <charconv>
#include <cmath>
#include <cstring>
#include <string_view>

#include "importers/image_formats.h"

/// Radiance pictures: a text header, a line with the resolution, then RGBE pixels with or without run lengths.
/// Source: Greg Ward, "Real Pixels", Graphics Gems II, 1991, and the file format chapter of the Radiance manual.
/// EXPOSURE is not undone, as in other renderers.
namespace warpath {

namespace {

struct Rgbe {
    uint8_t r, g, b, e;
};

class Reader {
  public:
    Reader(const uint8_t* bytes, size_t size, const std::string& name) : at_(bytes), end_(bytes + size), name_(name) {}

    uint8_t byte() {
        if (at_ == end_) fail_image(name_, "ends too early; it may have been cut short");
        return *at_++;
    }
    Rgbe pixel() {
        Rgbe p;
        p.r = byte(), p.g = byte(), p.b = byte(), p.e = byte();
        return p;
    }
    std::string_view line() {
        const auto* start = reinterpret_cast<const char*>(at_);
        while (byte() != '\n') {
        }
        std::string_view text(start, static_cast<size_t>(reinterpret_cast<const char*>(at_) - start) - 1);
        if (text.ends_with('\r')) text.remove_suffix(1);
        return text;
    }
    void scanline(std::vector<Rgbe>& row) {
        const size_t width = row.size();
        const bool new_style =
            width >= 8 && width < 32768 && end_ - at_ >= 4 && at_[0] == 2 && at_[1] == 2 && at_[2] < 128;
        if (!new_style) return old_scanline(row);
        at_ += 2;
        const size_t length = size_t{byte()} << 8 | byte();
        if (length != width) fail_image(name_, "is damaged: a row has another length than the picture");
        for (uint8_t Rgbe::*channel : {&Rgbe::r, &Rgbe::g, &Rgbe::b, &Rgbe::e}) runs(row, channel);
    }

  private:
    /// One channel of a row: counts above 128 repeat a byte, others announce that many bytes.
    void runs(std::vector<Rgbe>& row, uint8_t Rgbe::*channel) {
        for (size_t x = 0; x < row.size();) {
            const uint8_t code = byte();
            const size_t count = code > 128 ? code - 128u : code;
            if (count == 0 || count > row.size() - x) fail_image(name_, "is damaged: a run passes the end of its row");
            const uint8_t value = code > 128 ? byte() : uint8_t{0};
            for (size_t i = 0; i < count; ++i) row[x++].*channel = code > 128 ? value : byte();
        }
    }
    /// Pixels as they are; (1,1,1,n) repeats the last one, each further one in a row counting 256 times as much.
    void old_scanline(std::vector<Rgbe>& row) {
        uint32_t shift = 0;
        for (size_t x = 0; x < row.size();) {
            const Rgbe p = pixel();
            if (p.r != 1 || p.g != 1 || p.b != 1) {
                row[x++] = p, shift = 0;
                continue;
            }
            const size_t count = shift < 24 ? size_t{p.e} << shift : 0;
            if (x == 0 || count > row.size() - x) fail_image(name_, "is damaged: a run passes the end of its row");
            for (size_t i = 0; i < count; ++i, ++x) row[x] = row[x - 1];
            shift += 8;
        }
    }

    const uint8_t *at_, *end_;
    const std::string& name_;
};

/// "-Y 512 +X 1024": the first axis is the slow one. Only upright pictures are read, flipped ones included.
struct Resolution {
    uint32_t width = 0, height = 0;
    bool bottom_up = false, right_to_left = false;
};

Resolution parse_resolution(std::string_view line, const std::string& name) {
    const auto number = [&](size_t at) {
        uint32_t value = 0;
        while (at < line.size() && line[at] == ' ') ++at;
        if (at < line.size()) std::from_chars(line.data() + at, line.data() + line.size(), value);
        return value;
    };
    const size_t y = line.find('Y'), x = line.find('X');
    if (y != 1 || x == std::string_view::npos || x < 3 || (line[0] != '-' && line[0] != '+') ||
        (line[x - 1] != '-' && line[x - 1] != '+'))
        fail_image(name, "has no usable resolution line: '" + std::string(line.substr(0, 40)) + "'");
    return {number(x + 1), number(y + 1), line[0] == '+', line[x - 1] == '-'};
}

}  // namespace

bool is_radiance_hdr(const uint8_t* bytes, size_t size) { return size > 2 && std::memcmp(bytes, "#?", 2) == 0; }

ImageFile read_radiance_hdr(const uint8_t* bytes, size_t size, const std::string& name) {
    Reader reader(bytes, size, name);
    reader.line();
    for (std::string_view line = reader.line(); !line.empty(); line = reader.line())
        if (line.starts_with("FORMAT=") && line != "FORMAT=32-bit_rle_rgbe")
            fail_image(name, "has the unknown pixel format '" + std::string(line.substr(7, 40)) + "'");
    const Resolution r = parse_resolution(reader.line(), name);
    check_image_size(r.width, r.height, name);

    ImageFile image;
    image.width = r.width, image.height = r.height;
    image.num_channels = 3;
    image.is_hdr = true;
    image.texels32.reserve(std::min(size_t{r.width} * r.height, size * 64));
    std::vector<Rgbe> row(r.width);
    for (uint32_t y = 0; y < r.height; ++y) {
        reader.scanline(row);
        for (uint32_t x = 0; x < r.width; ++x) {
            const Rgbe p = row[r.right_to_left ? r.width - 1 - x : x];
            const float scale = p.e == 0 ? 0.0f : std::ldexp(1.0f, p.e - 136);
            image.texels32.emplace_back(p.r * scale, p.g * scale, p.b * scale, 1.0f);
        }
    }
    if (r.bottom_up)
        for (uint32_t y = 0; y < r.height / 2; ++y)
            std::swap_ranges(image.texels32.begin() + size_t{y} * r.width,
                             image.texels32.begin() + size_t{y + 1} * r.width,
                             image.texels32.begin() + size_t{r.height - 1 - y} * r.width);
    return image;
}

}  // namespace warpath
