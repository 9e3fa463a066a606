#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>

#include "api/image_files.h"

namespace warpath {
namespace {

using test::grey_image;
using test::round_trip;

constexpr float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();

enum StoredType : int32_t { Uint = 0, Half = 1, Float = 2 };

/// Channels and their types as the file stores them: the "channels" attribute of the OpenEXR file layout.
std::map<std::string, int32_t> stored_types(const std::string& bytes) {
    std::map<std::string, int32_t> types;
    const std::string key("channels\0chlist\0", 16);
    for (size_t at = bytes.find(key) + key.size() + 4; bytes[at] != 0;) {
        const std::string name = bytes.c_str() + at;
        int32_t type = -1;
        std::memcpy(&type, bytes.data() + at + name.size() + 1, 4);
        types[name] = type;
        at += name.size() + 1 + 16;  // type, linear flag and padding, two samplings
    }
    return types;
}

Image layered_image() {
    Image image = grey_image(3, {0.1f, 1e6f, nan, inf, -0.0f, 1e-42f});
    image.channels.push_back({"albedo.R", {0.1f, 0.2f, 0.3f, 0.4f, 0.5f, 0.6f}});
    image.channels.push_back({"depth.Z", {1, 2, 3, 4, 5, 1e7f}});
    image.channels.push_back({"samples.Y", {0, 64, 64, 64, 65, 16777216.0f}});
    image.attributes = {
        {"camera", "0,0,4/0,0,0/0,1,0/40"}, {"a name longer than thirty-one characters", "x"}, {"empty", ""}};
    return image;
}

TEST(write_exr, keeps_every_bit_of_every_channel_and_the_attributes) {
    const Image image = layered_image(), read = round_trip(image, "a.exr");
    EXPECT_EQ(read.width, 3u);
    EXPECT_EQ(read.height, 2u);
    EXPECT_EQ(read.attributes, image.attributes);
    ASSERT_EQ(read.channels.size(), image.channels.size());
    for (size_t c = 0; c < image.channels.size(); ++c) {
        EXPECT_EQ(read.channels[c].name, image.channels[c].name);
        for (size_t i = 0; i < 6; ++i)
            EXPECT_EQ(std::bit_cast<uint32_t>(read.channels[c].values[i]),
                      std::bit_cast<uint32_t>(image.channels[c].values[i]))
                << image.channels[c].name << " " << i;
    }
}

TEST(write_exr, stores_floats_and_whole_sample_counts) {
    const test::TemporaryFolder folder;
    Image image = layered_image();
    write_image(image, folder / "a.exr");
    const std::map<std::string, int32_t> expected = {{"R", Float},        {"G", Float},       {"B", Float},
                                                     {"albedo.R", Float}, {"depth.Z", Float}, {"samples.Y", Uint}};
    EXPECT_EQ(stored_types(test::file_bytes(folder / "a.exr")), expected);
    image.channels.back().values[0] = 0.5f;
    write_image(image, folder / "b.exr");
    EXPECT_EQ(stored_types(test::file_bytes(folder / "b.exr"))["samples.Y"], Float);
    EXPECT_EQ(read_image(folder / "b.exr").find("samples.Y")->values, image.channels.back().values);
}

TEST(write_exr, stores_colour_alone_as_half_and_keeps_it_finite) {
    const test::TemporaryFolder folder;
    write_image(layered_image(), folder / "a.exr", {ToneCurve::Filmic, 0.0f, true});
    const std::map<std::string, int32_t> expected = {{"R", Half},         {"G", Half},        {"B", Half},
                                                     {"albedo.R", Float}, {"depth.Z", Float}, {"samples.Y", Uint}};
    EXPECT_EQ(stored_types(test::file_bytes(folder / "a.exr")), expected);
    const Image read = read_image(folder / "a.exr");
    const std::vector<float>& r = read.find("R")->values;
    EXPECT_NEAR(r[0], 0.1f, 0.1f / 2048);
    EXPECT_EQ(r[1], 65504.0f);
    EXPECT_TRUE(std::isnan(r[2]));
    EXPECT_EQ(r[3], inf);
    EXPECT_EQ(read.find("depth.Z")->values[5], 1e7f);
}

TEST(read_exr, puts_colour_first) {
    Image image = grey_image(1, {1.0f});
    image.channels.insert(image.channels.begin(), {"A.first", {2.0f}});
    const Image read = round_trip(image, "a.exr");
    EXPECT_EQ(read.channels[0].name, "R");
    EXPECT_EQ(read.channels[1].name, "G");
    EXPECT_EQ(read.channels[2].name, "B");
    EXPECT_EQ(read.channels[3].name, "A.first");
}

TEST(read_exr, refuses_what_is_missing_empty_cut_off_or_garbage) {
    const test::TemporaryFolder folder;
    write_image(layered_image(), folder / "good.exr");
    const std::string bytes = test::file_bytes(folder / "good.exr");
    test::expect_read_error(folder / "missing.exr", ErrorCode::Io);
    test::expect_read_error(folder.write("empty.exr", ""), ErrorCode::BadInput);
    test::expect_read_error(folder.write("garbage.exr", std::string(1000, '\x5a')), ErrorCode::BadInput);
    for (size_t length = 1; length < bytes.size(); length += 7)
        test::expect_read_error(folder.write("cut.exr", bytes.substr(0, length)), ErrorCode::BadInput);
}

TEST(read_exr, refuses_a_header_that_asks_for_more_than_there_is_memory) {
    const test::TemporaryFolder folder;
    write_image(grey_image(1, {1.0f}), folder / "good.exr");
    std::string bytes = test::file_bytes(folder / "good.exr");
    const std::string key("dataWindow\0box2i\0", 17);
    const int32_t far_corner[2] = {2000000000, 2000000000};
    std::memcpy(bytes.data() + bytes.find(key) + key.size() + 4 + 8, far_corner, 8);
    test::expect_read_error(folder.write("huge.exr", bytes), ErrorCode::BadInput);
}

TEST(read_exr, survives_any_changed_byte_of_the_header) {
    const test::TemporaryFolder folder;
    write_image(layered_image(), folder / "good.exr");
    const std::string bytes = test::file_bytes(folder / "good.exr");
    for (size_t i = 0; i < bytes.size(); ++i) {
        std::string changed = bytes;
        changed[i] = static_cast<char>(changed[i] ^ 0x85);
        folder.write("changed.exr", changed);
        try {
            read_image(folder / "changed.exr");
        } catch (const Error& e) {
            EXPECT_EQ(e.code(), ErrorCode::BadInput) << i << ": " << e.what();
        }
    }
}

}  // namespace
}  // namespace warpath
