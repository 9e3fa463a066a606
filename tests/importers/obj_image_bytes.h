#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

/// Makes image files byte by byte, from the format descriptions, so that readers are not tested against themselves.
namespace warpath::test {

inline void append_big_endian(std::string& out, uint32_t value) {
    for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<char>(value >> shift & 0xffu));
}

inline uint32_t crc32(const std::string& bytes) {
    uint32_t crc = 0xffffffffu;
    for (const unsigned char c : bytes) {
        crc ^= c;
        for (int bit = 0; bit < 8; ++bit) crc = crc & 1u ? 0xedb88320u ^ (crc >> 1) : crc >> 1;
    }
    return ~crc;
}

inline std::string png_chunk(const std::string& type, const std::string& data) {
    std::string out;
    append_big_endian(out, static_cast<uint32_t>(data.size()));
    out += type + data;
    append_big_endian(out, crc32(type + data));
    return out;
}

/// A zlib stream of one stored block (less than 64 KiB).
inline std::string zlib_stored(const std::string& data) {
    std::string out("\x78\x01\x01", 3);
    const auto n = static_cast<uint16_t>(data.size()), inverse = static_cast<uint16_t>(~n);
    for (const uint16_t v : {n, inverse})
        out.push_back(static_cast<char>(v & 0xff)), out.push_back(static_cast<char>(v >> 8));
    uint32_t a = 1, b = 0;
    for (const unsigned char c : data) a = (a + c) % 65521, b = (b + a) % 65521;
    out += data;
    append_big_endian(out, b << 16 | a);
    return out;
}

enum class PngColor : uint8_t { Grey = 0, Rgb = 2, Palette = 3, GreyAlpha = 4, Rgba = 6 };

/// `rows` are the packed bytes of each row; `extra` holds chunks before the pixels (PLTE, tRNS, gAMA).
inline std::string png_bytes(uint32_t width, int bit_depth, PngColor color, const std::vector<std::string>& rows,
                             const std::string& extra = "") {
    std::string header, pixels;
    append_big_endian(header, width);
    append_big_endian(header, static_cast<uint32_t>(rows.size()));
    header.push_back(static_cast<char>(bit_depth));
    header.push_back(static_cast<char>(color));
    header.append(3, '\0');
    for (const std::string& row : rows) pixels += std::string(1, '\0') + row;
    return "\x89PNG\r\n\x1a\n" + png_chunk("IHDR", header) + extra + png_chunk("IDAT", zlib_stored(pixels)) +
           png_chunk("IEND", "");
}

/// A Radiance picture without run lengths.
inline std::string hdr_bytes(uint32_t width, uint32_t height, const std::vector<std::string>& rgbe_pixels) {
    std::string out =
        "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y " + std::to_string(height) + " +X " + std::to_string(width) + "\n";
    for (const std::string& p : rgbe_pixels) out += p;
    return out;
}

template <class T>
std::string little_endian(T value) {
    std::string out(sizeof(T), '\0');
    std::memcpy(out.data(), &value, sizeof(T));
    return out;
}

/// Uncompressed scanline OpenEXR with 32-bit float channels (in alphabetical order), given as name and values over the
/// data window.
struct ExrWindow {
    int x0, y0, x1, y1;
};
inline std::string exr_bytes(ExrWindow data, ExrWindow display,
                             const std::vector<std::pair<std::string, std::vector<float>>>& channels) {
    const auto attribute = [](const std::string& name, const std::string& type, const std::string& value) {
        return name + '\0' + type + '\0' + little_endian(static_cast<int32_t>(value.size())) + value;
    };
    const auto box = [](ExrWindow w) {
        return little_endian(w.x0) + little_endian(w.y0) + little_endian(w.x1) + little_endian(w.y1);
    };
    std::string list;
    for (const auto& [name, values] : channels)
        list += name + '\0' + little_endian(int32_t{2}) + little_endian(int32_t{0}) + little_endian(int32_t{1}) +
                little_endian(int32_t{1});
    std::string out("\x76\x2f\x31\x01\x02\x00\x00\x00", 8);
    out += attribute("channels", "chlist", list + '\0') +
           attribute("compression", "compression", std::string(1, '\0')) + attribute("dataWindow", "box2i", box(data)) +
           attribute("displayWindow", "box2i", box(display)) +
           attribute("lineOrder", "lineOrder", std::string(1, '\0')) +
           attribute("pixelAspectRatio", "float", little_endian(1.0f)) +
           attribute("screenWindowCenter", "v2f", little_endian(0.0f) + little_endian(0.0f)) +
           attribute("screenWindowWidth", "float", little_endian(1.0f)) + '\0';
    const auto width = static_cast<size_t>(data.x1 - data.x0 + 1), height = static_cast<size_t>(data.y1 - data.y0 + 1);
    const size_t row_bytes = channels.size() * width * 4;
    for (size_t y = 0; y < height; ++y)
        out += little_endian(uint64_t{out.size() + (height - y) * 8 + y * (row_bytes + 8)});
    for (size_t y = 0; y < height; ++y) {
        out += little_endian(data.y0 + static_cast<int>(y)) + little_endian(static_cast<int32_t>(row_bytes));
        for (const auto& [name, values] : channels)
            for (size_t x = 0; x < width; ++x) out += little_endian(values[y * width + x]);
    }
    return out;
}

}  // namespace warpath::test
