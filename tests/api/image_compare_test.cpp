#include <cmath>
#include <limits>

#include "api/image_files.h"

namespace warpath {
namespace {

using test::color_image;
using test::grey_image;

constexpr float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();

TEST(compare_images, gives_the_figures_worked_out_by_hand) {
    const Image a = color_image(1, {1.0f}, {0.0f}, {0.0f}), b = color_image(1, {1.0f}, {0.0f}, {0.5f});
    const ImageDifference d = compare_images(a, b);
    EXPECT_FALSE(d.identical);
    EXPECT_NEAR(d.mse, 0.25 / 3, 1e-12);
    EXPECT_NEAR(d.relative_mse, 0.25 / 0.26 / 3, 1e-12);  // b is the reference: 0.25 / (0.5^2 + 0.01)
    EXPECT_NEAR(compare_images(b, a).relative_mse, 0.25 / 0.01 / 3, 1e-9);
    EXPECT_NEAR(d.psnr_db, 10.7918125, 1e-6);  // 10 log10(12)
    EXPECT_EQ(d.max_difference, 0.5);
}

TEST(compare_images, takes_the_peak_from_the_brighter_image_unless_both_are_png) {
    Image a = grey_image(2, {0.5f, 0.0f}), b = grey_image(2, {0.25f, 0.0f});  // MSE 1/32
    EXPECT_NEAR(compare_images(a, b).psnr_db, 10 * std::log10(0.25 * 32), 1e-6);
    a.display_range = true;
    EXPECT_NEAR(compare_images(a, b).psnr_db, 10 * std::log10(0.25 * 32), 1e-6);
    b.display_range = true;
    EXPECT_NEAR(compare_images(a, b).psnr_db, 10 * std::log10(32.0), 1e-6);
}

TEST(compare_images, finds_equal_images_identical) {
    const Image a = grey_image(20, std::vector<float>(300, 0.7f));
    const ImageDifference d = compare_images(a, a);
    EXPECT_TRUE(d.identical);
    EXPECT_EQ(d.mse, 0.0);
    EXPECT_EQ(d.max_difference, 0.0);
    EXPECT_EQ(d.psnr_db, HUGE_VAL);
    EXPECT_NEAR(d.ssim, 1.0, 1e-9);
}

TEST(compare_images, calls_identical_only_what_is_the_same_bit_for_bit_in_all_channels) {
    const Image a = grey_image(1, {0.0f});
    Image zero = a, layered = a, reordered = a;
    zero.channels[1].values[0] = -0.0f;
    layered.channels.push_back({"depth.Z", {1.0f}});
    std::swap(reordered.channels[0], reordered.channels[2]);
    EXPECT_FALSE(compare_images(a, zero).identical);
    EXPECT_EQ(compare_images(a, zero).max_difference, 0.0);
    EXPECT_FALSE(compare_images(a, layered).identical);
    EXPECT_FALSE(compare_images(layered, a).identical);
    EXPECT_TRUE(compare_images(a, reordered).identical);
}

TEST(compare_images, gives_the_ssim_of_two_even_images) {
    // No variance: (2ab + C1) / (a^2 + b^2 + C1) with C1 = (0.01 * 0.5)^2.
    const double expected = (2 * 0.5 * 0.25 + 2.5e-5) / (0.25 + 0.0625 + 2.5e-5);
    for (const uint32_t side : {1u, 5u, 11u, 30u}) {
        const std::vector<float> half(side * side, 0.5f), quarter(side * side, 0.25f);
        EXPECT_NEAR(compare_images(grey_image(side, half), grey_image(side, quarter)).ssim, expected, 1e-6) << side;
    }
}

TEST(compare_images, gives_the_ssim_of_opposite_pixels) {
    // A window of two equal weights: means 1/2, variances 1/4, covariance -1/4; C2 = 0.03^2.
    const ImageDifference d = compare_images(grey_image(2, {0.0f, 1.0f}), grey_image(2, {1.0f, 0.0f}));
    EXPECT_NEAR(d.ssim, (-0.5 + 9e-4) / (0.5 + 9e-4), 1e-6);
}

TEST(compare_images, weighs_the_ssim_window_with_a_gaussian_of_sigma_1_5) {
    std::vector<float> dot(121, 0.0f);
    dot[60] = 1.0f;
    // The centre weighs g^2, where 1/g = sum of exp(-x^2 / 4.5) over -5..5; mean g^2, variance g^2 - g^4 against black.
    const double w = 0.266012 * 0.266012;
    const double expected = 1e-4 * 9e-4 / ((w * w + 1e-4) * (w - w * w + 9e-4));
    EXPECT_NEAR(compare_images(grey_image(11, dot), grey_image(11, std::vector<float>(121, 0.0f))).ssim, expected,
                1e-7);
}

TEST(compare_images, counts_nan_and_infinity_and_leaves_them_out_of_the_means) {
    const Image a = color_image(2, {nan, 1.0f}, {inf, 1.0f}, {0.0f, 1.0f});
    const Image b = color_image(2, {0.0f, 1.0f}, {inf, 1.0f}, {nan, 0.0f});
    const ImageDifference d = compare_images(a, b);
    EXPECT_EQ(d.nan_a, 1u);
    EXPECT_EQ(d.nan_b, 1u);
    EXPECT_EQ(d.inf_a, 1u);
    EXPECT_EQ(d.inf_b, 1u);
    EXPECT_NEAR(d.mse, 1.0 / 3, 1e-12);
    EXPECT_EQ(d.max_difference, HUGE_VAL);
    EXPECT_TRUE(std::isfinite(d.ssim));
}

TEST(compare_images, sees_no_difference_between_equal_infinities_or_two_nans) {
    EXPECT_EQ(compare_images(grey_image(2, {nan, inf}), grey_image(2, {-nan, inf})).max_difference, 0.0);
    EXPECT_EQ(compare_images(grey_image(1, {-inf}), grey_image(1, {inf})).max_difference, HUGE_VAL);
}

TEST(compare_images, refuses_images_of_different_sizes) {
    try {
        compare_images(grey_image(2, {1, 2}), grey_image(1, {1, 2}));
        ADD_FAILURE() << "nothing was thrown";
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ErrorCode::BadInput);
        EXPECT_NE(std::string(e.what()).find("2x1 and 1x2"), std::string::npos) << e.what();
    }
}

}  // namespace
}  // namespace warpath
