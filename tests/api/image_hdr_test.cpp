#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "api/image_files.h"

namespace warpath {
namespace {

using test::color_image;
using test::grey_image;
using test::round_trip;

constexpr float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();

/// Half a step of the shared exponent's mantissa, which has between 128 and 255 steps up to the largest component.
void expect_close(const Image& got, const Image& want) {
    ASSERT_EQ(got.width, want.width);
    ASSERT_EQ(got.height, want.height);
    for (size_t i = 0; i < want.channels[0].values.size(); ++i) {
        const float largest =
            std::max({want.channels[0].values[i], want.channels[1].values[i], want.channels[2].values[i]});
        for (size_t c = 0; c < 3; ++c)
            ASSERT_LE(std::abs(got.channels[c].values[i] - want.channels[c].values[i]), largest / 255.0f)
                << "pixel " << i;
    }
}

Image random_image(uint32_t width, uint32_t height) {
    std::mt19937 random(width * 31 + height);
    std::uniform_real_distribution<float> exponent(-20.0f, 20.0f);
    std::vector<float> c[3];
    for (std::vector<float>& values : c)
        for (uint32_t i = 0; i < width * height; ++i) values.push_back(std::exp2(exponent(random)));
    return color_image(width, c[0], c[1], c[2]);
}

TEST(write_hdr, rounds_to_the_nearest_value_at_every_width) {
    // Below 8 and above 32767 the format has no run-length form; 127 to 129 are the lengths of runs.
    for (const uint32_t width : {1u, 7u, 8u, 9u, 127u, 128u, 129u, 300u, 32767u, 32768u}) {
        const Image image = random_image(width, 2);
        expect_close(round_trip(image, "a.hdr"), image);
    }
}

TEST(write_hdr, keeps_powers_of_two_and_runs_exactly) {
    std::vector<float> values(500, 1.0f);
    for (size_t i = 200; i < 203; ++i) values[i] = 0.25f;
    for (size_t i = 300; i < 310; ++i) values[i] = static_cast<float>(1 << (i - 300));
    const Image read = round_trip(grey_image(500, values), "a.hdr");
    EXPECT_EQ(read.find("R")->values, values);
    EXPECT_EQ(read.find("B")->values, values);
    EXPECT_FALSE(read.display_range);
}

TEST(write_hdr, does_not_darken) {
    // Cutting mantissas off would lose half a step in the mean, 0.2 to 0.4 %.
    std::vector<float> values;
    for (int i = 0; i < 4096; ++i) values.push_back(1.0f + static_cast<float>(i) / 4096.0f);
    const Image read = round_trip(grey_image(64, values), "a.hdr");
    double sum = 0, expected = 0;
    for (size_t i = 0; i < values.size(); ++i) sum += read.channels[0].values[i], expected += values[i];
    EXPECT_NEAR(sum / expected, 1.0, 2e-4);
}

TEST(write_hdr, shows_what_it_cannot_hold_as_zero_or_its_largest_value) {
    const Image read = round_trip(grey_image(5, {nan, -1.0f, inf, 3e38f, 1e-40f}), "a.hdr");
    const std::vector<float>& r = read.find("R")->values;
    EXPECT_EQ(r[0], 0.0f);
    EXPECT_EQ(r[1], 0.0f);
    EXPECT_GT(r[2], 1.6e38f);
    EXPECT_TRUE(std::isfinite(r[2]));
    EXPECT_EQ(r[3], r[2]);
    EXPECT_EQ(r[4], 0.0f);
}

TEST(write_pfm, keeps_every_bit_and_the_order_of_rows) {
    const std::vector<float> r = {1, 2, 3, nan, -0.0f, inf}, g = {0, 0, 1e-40f, 5, 6, 7}, b = {9, 8, 7, 6, 5, -4};
    const test::TemporaryFolder folder;
    write_image(color_image(2, r, g, b), folder / "a.pfm");
    const std::string bytes = test::file_bytes(folder / "a.pfm");
    EXPECT_EQ(bytes.substr(0, 12), "PF\n2 3\n-1.0\n");
    ASSERT_EQ(bytes.size(), 12u + 6 * 12);
    float first;  // the file starts with the lowest row
    memcpy(&first, bytes.data() + 12 + 8, 4);
    EXPECT_EQ(first, 5.0f);
    const Image read = read_image(folder / "a.pfm");
    for (size_t i = 0; i < r.size(); ++i) {
        EXPECT_EQ(std::bit_cast<uint32_t>(read.channels[0].values[i]), std::bit_cast<uint32_t>(r[i]));
        EXPECT_EQ(read.channels[1].values[i], g[i]);
        EXPECT_EQ(read.channels[2].values[i], b[i]);
    }
}

TEST(read_pfm, reads_grey_and_big_endian_files) {
    const test::TemporaryFolder folder;
    const Image read = read_image(folder.write("a.pfm", std::string("Pf\n2 1\n1.0\n\x3f\x80\0\0\x40\0\0\0", 19)));
    for (const Image::Channel& channel : read.channels) EXPECT_EQ(channel.values, (std::vector<float>{1.0f, 2.0f}));
}

TEST(read_pfm, refuses_what_is_missing_cut_off_hostile_or_garbage) {
    const test::TemporaryFolder folder;
    test::expect_read_error(folder / "missing.pfm", ErrorCode::Io);
    test::expect_read_error(folder.write("empty.pfm", ""), ErrorCode::BadInput);
    test::expect_read_error(folder.write("cut.pfm", "PF\n2 2\n-1.0\n0123456789"), ErrorCode::BadInput);
    test::expect_read_error(folder.write("negative.pfm", "PF\n-2 2\n-1.0\n"), ErrorCode::BadInput);
    test::expect_read_error(folder.write("huge.pfm", "PF\n2000000000 2000000000\n-1.0\n"), ErrorCode::BadInput);
    test::expect_read_error(folder.write("word.pfm", "PF\nmany 2\n-1.0\n"), ErrorCode::BadInput);
    test::expect_read_error(folder.write("other.pfm", "#?RADIANCE\n"), ErrorCode::BadInput);
}

}  // namespace
}  // namespace warpath
