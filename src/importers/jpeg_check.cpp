#include "importers/image_formats.h"

namespace warpath {

namespace {

/// Each Huffman table of a DHT segment: a class byte, 16 counts, and as many symbols as they add up to.
void check_huffman_tables(const uint8_t* segment, size_t size, const std::string& name) {
    for (size_t at = 0; at < size;) {
        size_t num_symbols = 0;
        if (size - at < 17) fail_image(name, "is damaged: a Huffman table is cut short");
        for (size_t i = 1; i <= 16; ++i) num_symbols += segment[at + i];
        if (num_symbols > 256 || num_symbols > size - at - 17)
            fail_image(name, "is damaged: a Huffman table has too many symbols");
        at += 17 + num_symbols;
    }
}

}  // namespace

void check_jpeg(const uint8_t* bytes, size_t size, const std::string& name) {
    constexpr uint8_t define_huffman = 0xc4, restart_first = 0xd0, end_of_image = 0xd9;
    if (size < 4 || bytes[0] != 0xff || bytes[1] != 0xd8) return;
    for (size_t at = 2; at + 3 < size;) {
        // Between markers lies compressed data, where a zero follows each 0xff; markers up to 0xd9 from 0xd0 on stand
        // alone.
        const uint8_t marker = bytes[at + 1];
        if (bytes[at] != 0xff || marker == 0 || marker == 0xff || (marker >= restart_first && marker <= end_of_image)) {
            ++at;
            continue;
        }
        const size_t length = size_t{bytes[at + 2]} << 8 | bytes[at + 3];
        if (length < 2 || length > size - at - 2) {
            ++at;  // stb_image reports what is wrong here
            continue;
        }
        if (marker == define_huffman) check_huffman_tables(bytes + at + 4, length - 2, name);
        at += 2 + length;
    }
}

}  // namespace warpath
