#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/temporary_folder.h"
#include "warpath/error.h"
#include "warpath/image.h"

namespace warpath::test {

/// An image whose R, G and B are the given values, row by row.
inline Image color_image(uint32_t width, std::vector<float> r, std::vector<float> g, std::vector<float> b) {
    Image image;
    image.width = width;
    image.height = static_cast<uint32_t>(r.size() / width);
    image.channels = {{"R", std::move(r)}, {"G", std::move(g)}, {"B", std::move(b)}};
    return image;
}
inline Image grey_image(uint32_t width, const std::vector<float>& values) {
    return color_image(width, values, values, values);
}

/// Writes and reads back under that name.
inline Image round_trip(const Image& image, const std::string& name, const WriteOptions& options = {}) {
    const TemporaryFolder folder;
    write_image(image, folder / name, options);
    return read_image(folder / name);
}

/// Reading must fail with that code.
inline void expect_read_error(const std::filesystem::path& path, ErrorCode code) {
    try {
        read_image(path);
        ADD_FAILURE() << path << " was read";
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), code) << e.what();
        EXPECT_NE(std::string(e.what()).find(path.filename().string()), std::string::npos) << e.what();
    }
}

}  // namespace warpath::test
