#include <cmath>
#include <limits>

#include "api/image_files.h"

namespace warpath {
namespace {

using test::color_image;
using test::grey_image;
using test::round_trip;

constexpr float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();

/// What read_image must return for an 8-bit value: IEC 61966-2-1.
double linear_of_byte(int byte) {
    const double s = byte / 255.0;
    return s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4);
}

void expect_bytes(const Image& image, const std::vector<int>& red) {
    ASSERT_EQ(image.channels[0].values.size(), red.size());
    for (size_t i = 0; i < red.size(); ++i)
        EXPECT_NEAR(image.channels[0].values[i], linear_of_byte(red[i]), 1e-6) << "pixel " << i;
}

TEST(write_png, encodes_linear_values_as_srgb) {
    const std::vector<float> values = {0.0f, 0.001f, 0.18f, 0.5f, 1.0f, 2.0f};
    // 255 * (1.055 x^(1/2.4) - 0.055), below 0.0031308: 255 * 12.92 x
    expect_bytes(round_trip(grey_image(6, values), "a.png", {ToneCurve::Linear}), {0, 3, 118, 188, 255, 255});
}

TEST(write_png, applies_the_filmic_curve_by_default) {
    // The curve maps 0.18 to 0.26690 and 1 to 0.80380; by hand, sRGB of these is 141.1 and 231.6.
    expect_bytes(round_trip(grey_image(3, {0.0f, 0.18f, 1.0f}), "a.png"), {0, 141, 232});
}

TEST(write_png, counts_exposure_in_stops) {
    expect_bytes(round_trip(grey_image(1, {0.25f}), "a.png", {ToneCurve::Linear, 1.0f}), {188});
    expect_bytes(round_trip(grey_image(1, {2.0f}), "a.png", {ToneCurve::Linear, -2.0f}), {188});
    expect_bytes(round_trip(grey_image(2, {0.5f, 0.0f}), "a.png", {ToneCurve::Filmic, 1.0f}), {232, 0});
}

TEST(write_png, shows_what_is_not_finite_as_black_or_white) {
    const Image image = grey_image(6, {nan, inf, -inf, -1.0f, 3e38f, -3e38f});
    for (const ToneCurve curve : {ToneCurve::Filmic, ToneCurve::Linear})
        for (const float exposure : {-1.0f, 0.0f, 60.0f})
            expect_bytes(round_trip(image, "a.png", {curve, exposure}), {0, 255, 0, 0, 255, 0});
}

TEST(write_png, keeps_rows_and_channels_in_place) {
    const Image image =
        round_trip(color_image(2, {1, 0, 0, 1}, {0, 1, 0, 1}, {0, 0, 1, 1}), "a.png", {ToneCurve::Linear});
    EXPECT_EQ(image.width, 2u);
    EXPECT_EQ(image.height, 2u);
    EXPECT_TRUE(image.display_range);
    EXPECT_EQ(image.find("R")->values, (std::vector<float>{1, 0, 0, 1}));
    EXPECT_EQ(image.find("G")->values, (std::vector<float>{0, 1, 0, 1}));
    EXPECT_EQ(image.find("B")->values, (std::vector<float>{0, 0, 1, 1}));
}

TEST(write_image, refuses_an_image_without_pixels_or_colour) {
    const test::TemporaryFolder folder;
    Image depth_only = grey_image(1, {1.0f});
    depth_only.channels.resize(1);
    depth_only.channels[0].name = "depth.Z";
    Image short_channel = grey_image(2, {1.0f, 1.0f});
    short_channel.channels[1].values.pop_back();
    for (const std::string name : {"a.png", "a.hdr", "a.exr", "a.pfm"}) {
        EXPECT_THROW(write_image(Image{}, folder / name), Error);
        EXPECT_THROW(write_image(short_channel, folder / name), Error);
        EXPECT_THROW(write_image(depth_only, folder / name), Error);
    }
    EXPECT_EQ(folder.num_entries(), 0u);
}

TEST(read_png, refuses_what_is_missing_empty_cut_off_or_garbage) {
    const test::TemporaryFolder folder;
    write_image(grey_image(4, std::vector<float>(64, 0.3f)), folder / "good.png");
    const std::string bytes = test::file_bytes(folder / "good.png");
    test::expect_read_error(folder / "missing.png", ErrorCode::Io);
    test::expect_read_error(folder.write("empty.png", ""), ErrorCode::BadInput);
    test::expect_read_error(folder.write("cut.png", bytes.substr(0, bytes.size() / 2)), ErrorCode::BadInput);
    test::expect_read_error(folder.write("garbage.png", std::string(1000, '\x5a')), ErrorCode::BadInput);
}

}  // namespace
}  // namespace warpath
