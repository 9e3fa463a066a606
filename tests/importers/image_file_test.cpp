#include "importers/image_file.h"

#include <gtest/gtest.h>

#include <limits>

#include "importers/obj_image_bytes.h"
#include "support/temporary_folder.h"
#include "warpath/error.h"

namespace warpath::test {
namespace {

ImageFile read(const std::string& bytes) { return read_image_memory(bytes.data(), bytes.size(), "test image"); }

std::vector<int> texel8(const ImageFile& image, size_t i) {
    return {image.texels8[4 * i], image.texels8[4 * i + 1], image.texels8[4 * i + 2], image.texels8[4 * i + 3]};
}

std::string error_of(const std::string& bytes) {
    try {
        read(bytes);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(ImageFile, grey_means_equal_channels) {
    const ImageFile image = read(png_bytes(2, 8, PngColor::Grey, {std::string("\xbc\x10", 2)}));
    EXPECT_EQ(image.num_channels, 1);
    EXPECT_TRUE(image.is_grey());
    EXPECT_FALSE(image.has_alpha());
    EXPECT_EQ(texel8(image, 0), (std::vector<int>{188, 188, 188, 255}));
    EXPECT_EQ(texel8(image, 1), (std::vector<int>{16, 16, 16, 255}));
}

TEST(ImageFile, second_of_two_channels_is_alpha) {
    const ImageFile image = read(png_bytes(1, 8, PngColor::GreyAlpha, {std::string("\xbc\x28", 2)}));
    EXPECT_TRUE(image.has_alpha());
    EXPECT_EQ(texel8(image, 0), (std::vector<int>{188, 188, 188, 40}));
}

TEST(ImageFile, rows_run_from_the_top) {
    const ImageFile image = read(png_bytes(1, 8, PngColor::Grey, {"\x01", "\x02", "\x03"}));
    EXPECT_EQ(image.height, 3u);
    EXPECT_EQ(image.texels8[0], 1);
    EXPECT_EQ(image.texels8[8], 3);
}

TEST(ImageFile, small_bit_depths_span_the_whole_range) {
    const ImageFile one = read(png_bytes(2, 1, PngColor::Grey, {std::string("\x40", 1)}));
    EXPECT_EQ(texel8(one, 0), (std::vector<int>{0, 0, 0, 255}));
    EXPECT_EQ(texel8(one, 1), (std::vector<int>{255, 255, 255, 255}));
    const ImageFile four = read(png_bytes(2, 4, PngColor::Grey, {std::string("\xb1", 1)}));
    EXPECT_EQ(four.texels8[0], 0xbb);
    EXPECT_EQ(four.texels8[4], 0x11);
}

TEST(ImageFile, palette_with_transparency_is_resolved) {
    const std::string extra =
        png_chunk("PLTE", std::string("\xff\x00\x00\x00\x80\xff", 6)) + png_chunk("tRNS", std::string("\xff\x80", 2));
    const ImageFile image = read(png_bytes(2, 4, PngColor::Palette, {std::string("\x01", 1)}, extra));
    EXPECT_EQ(image.num_channels, 4);
    EXPECT_EQ(texel8(image, 0), (std::vector<int>{255, 0, 0, 255}));
    EXPECT_EQ(texel8(image, 1), (std::vector<int>{0, 128, 255, 128}));
}

TEST(ImageFile, colour_key_makes_its_colour_transparent_and_no_other) {
    const std::string key = png_chunk("tRNS", std::string("\0\x01\0\0\0\0", 6));
    const ImageFile image = read(png_bytes(2, 8, PngColor::Rgb, {std::string("\x01\0\0\0\0\0", 6)}, key));
    EXPECT_EQ(image.texels8[3], 0);
    EXPECT_EQ(image.texels8[7], 255);
}

TEST(ImageFile, colour_key_of_16_bit_compares_all_bits) {
    const std::string key = png_chunk("tRNS", std::string("\x80\x01", 2));
    const ImageFile image = read(png_bytes(2, 16, PngColor::Grey, {std::string("\x80\x01\x80\x02", 4)}, key));
    EXPECT_EQ(image.texels32[0].w, 0.0f);
    EXPECT_EQ(image.texels32[1].w, 1.0f);
}

TEST(ImageFile, sixteen_bits_are_kept) {
    const ImageFile image = read(png_bytes(1, 16, PngColor::Rgb, {std::string("\x80\x00\xbc\xbc\x00\xff", 6)}));
    EXPECT_TRUE(image.sixteen_bit);
    EXPECT_FALSE(image.is_hdr);
    EXPECT_TRUE(image.texels8.empty());
    EXPECT_FLOAT_EQ(image.texels32[0].x, 32768.0f / 65535.0f);
    EXPECT_FLOAT_EQ(image.texels32[0].y, 48316.0f / 65535.0f);
    EXPECT_FLOAT_EQ(image.texels32[0].z, 255.0f / 65535.0f);
    EXPECT_EQ(image.texels32[0].w, 1.0f);
}

TEST(ImageFile, gamma_chunk_changes_nothing) {
    const std::string row("\xbc\x89\x40", 3);
    const ImageFile plain = read(png_bytes(1, 8, PngColor::Rgb, {row}));
    const ImageFile gamma =
        read(png_bytes(1, 8, PngColor::Rgb, {row}, png_chunk("gAMA", std::string("\0\x01\x86\xa0", 4))));
    EXPECT_EQ(plain.texels8, gamma.texels8);
}

TEST(ImageFile, radiance_mantissas_and_exponents) {
    // 128 * 2^(129 - 136) = 1; an exponent of 0 is black whatever the mantissas.
    const ImageFile image =
        read(hdr_bytes(2, 1, {std::string("\x80\x40\xff\x81", 4), std::string("\x09\x09\x09\x00", 4)}));
    EXPECT_TRUE(image.is_hdr);
    EXPECT_EQ(image.texels32[0], Vec4(1.0f, 0.5f, 255.0f / 128.0f, 1.0f));
    EXPECT_EQ(image.texels32[1], Vec4(0.0f, 0.0f, 0.0f, 1.0f));
}

TEST(ImageFile, radiance_run_lengths) {
    std::string bytes = hdr_bytes(8, 1, {});
    bytes += std::string("\x02\x02\x00\x08", 4);
    bytes += std::string("\x88\x80", 2);                              // R: 8 times 128
    bytes += std::string("\x08\x00\x10\x20\x30\x40\x50\x60\x70", 9);  // G: 8 bytes as they are
    bytes += std::string("\x84\x00\x84\x80", 4);                      // B: 4 times 0, 4 times 128
    bytes += std::string("\x88\x81", 2);                              // E
    const ImageFile image = read(bytes);
    EXPECT_EQ(image.texels32[3], Vec4(1.0f, 0x30 / 128.0f, 0.0f, 1.0f));
    EXPECT_EQ(image.texels32[4], Vec4(1.0f, 0x40 / 128.0f, 1.0f, 1.0f));
}

TEST(ImageFile, radiance_that_is_cut_short_ends_with_an_error) {
    std::string rows = std::string("\x02\x02\x00\x08\x88\x80\x88\x80\x88\x80\x88\x81", 12);
    const std::string whole = hdr_bytes(8, 4, {}) + rows + rows + rows + rows;
    EXPECT_EQ(read(whole).height, 4u);
    for (size_t n = 0; n < whole.size(); ++n) EXPECT_THROW(read(whole.substr(0, n)), Error) << n;
}

TEST(ImageFile, radiance_bottom_up_is_turned) {
    std::string bytes = hdr_bytes(1, 2, {std::string("\x80\x80\x80\x81", 4), std::string("\x80\x80\x80\x82", 4)});
    bytes.replace(bytes.find("-Y"), 2, "+Y");
    EXPECT_EQ(read(bytes).texels32[0].x, 2.0f);
}

TEST(ImageFile, openexr_channels_by_name) {
    const ExrWindow w{0, 0, 1, 0};
    const ImageFile image = read(exr_bytes(w, w, {{"A", {0.25f, 1}}, {"B", {3, 6}}, {"G", {2, 5}}, {"R", {1, 4}}}));
    EXPECT_TRUE(image.is_hdr);
    EXPECT_EQ(image.num_channels, 4);
    EXPECT_EQ(image.texels32[0], Vec4(1, 2, 3, 0.25f));
    EXPECT_EQ(image.texels32[1], Vec4(4, 5, 6, 1));
}

TEST(ImageFile, openexr_luminance_is_grey) {
    const ExrWindow w{0, 0, 0, 0};
    const ImageFile image = read(exr_bytes(w, w, {{"Y", {0.5f}}}));
    EXPECT_EQ(image.num_channels, 1);
    EXPECT_EQ(image.texels32[0], Vec4(0.5f, 0.5f, 0.5f, 1.0f));
}

TEST(ImageFile, openexr_layer_is_found_and_other_channels_are_named) {
    const ExrWindow w{0, 0, 0, 0};
    const ImageFile image = read(exr_bytes(w, w, {{"view.B", {3}}, {"view.G", {2}}, {"view.R", {1}}}));
    EXPECT_EQ(image.texels32[0], Vec4(1, 2, 3, 1));
    EXPECT_NE(error_of(exr_bytes(w, w, {{"U", {3}}, {"V", {2}}})).find("U, V"), std::string::npos);
}

TEST(ImageFile, openexr_data_window_lies_in_the_display_window) {
    // 2x1 stored pixels in a 4x3 picture, whose own origin is not zero either.
    const ImageFile image =
        read(exr_bytes({11, -4, 12, -4}, {10, -5, 13, -3}, {{"B", {1, 2}}, {"G", {1, 2}}, {"R", {1, 2}}}));
    ASSERT_EQ(image.width, 4u);
    ASSERT_EQ(image.height, 3u);
    for (size_t i = 0; i < 12; ++i) EXPECT_EQ(image.texels32[i].x, i == 5 ? 1.0f : i == 6 ? 2.0f : 0.0f) << i;
}

TEST(ImageFile, openexr_apart_from_its_display_window_is_taken_as_stored) {
    const ImageFile image = read(exr_bytes({100, 100, 101, 100}, {0, 0, 3, 3}, {{"Y", {1, 2}}}));
    EXPECT_EQ(image.width, 2u);
    EXPECT_EQ(image.texels32[1].x, 2.0f);
}

TEST(ImageFile, any_format_that_is_cut_short_is_an_error_with_its_name) {
    const ExrWindow w{0, 0, 3, 3};
    const std::vector<float> values(16, 1.0f);
    const std::string exr = exr_bytes(w, w, {{"B", values}, {"G", values}, {"R", values}});
    const std::string png = png_bytes(4, 8, PngColor::Rgb, std::vector<std::string>(4, std::string(12, '\x55')));
    for (const std::string& whole : {exr, png}) {
        EXPECT_NO_THROW(read(whole));
        for (size_t n = 0; n < whole.size(); n += 7)
            EXPECT_NE(error_of(whole.substr(0, n)).find("test image"), std::string::npos) << n;
    }
}

TEST(ImageFile, bmp_that_is_cut_short_is_an_error) {
    std::string bmp =
        "BM" + little_endian(uint32_t{54 + 4 * 12}) + little_endian(uint32_t{0}) + little_endian(uint32_t{54});
    bmp += little_endian(uint32_t{40}) + little_endian(int32_t{4}) + little_endian(int32_t{4}) +
           little_endian(uint16_t{1}) + little_endian(uint16_t{24}) + std::string(24, '\0') + std::string(48, '\x7f');
    EXPECT_EQ(read(bmp).texels8[0], 0x7f);
    EXPECT_THROW(read(bmp.substr(0, bmp.size() - 20)), Error);
}

TEST(ImageFile, huge_dimensions_are_refused) {
    std::string png = png_bytes(1, 8, PngColor::Grey, {"x"});
    png.replace(16, 8, std::string("\x00\x01\x86\xa0\x00\x01\x86\xa0", 8));
    EXPECT_NE(error_of(png).find("100000x100000, which is too large"), std::string::npos);
    EXPECT_NE(error_of(hdr_bytes(100000, 100000, {})).find("too large"), std::string::npos);
    EXPECT_NE(error_of(hdr_bytes(0, 5, {})).find("no pixels"), std::string::npos);
}

TEST(ImageFile, jpeg_tables_that_would_overflow_the_decoder_are_refused) {
    // A DHT segment of one table with 16 * 255 symbols, then with 256 of them in a segment that ends after 10.
    const std::string start("\xff\xd8\xff\xc4", 4);
    EXPECT_NE(error_of(start + std::string("\x10\x03\x00", 3) + std::string(16, '\xff') + std::string(4096, '\x01'))
                  .find("too many symbols"),
              std::string::npos);
    EXPECT_NE(error_of(start + std::string("\x00\x1d\x00\xff\x01", 5) + std::string(24, '\0') + std::string(500, '\0'))
                  .find("too many symbols"),
              std::string::npos);
}

TEST(ImageFile, garbage_and_nothing_are_errors) {
    EXPECT_NE(error_of("this is no picture at all").find("cannot be decoded"), std::string::npos);
    EXPECT_NE(error_of("this is no picture at all").find("no PNG, JPEG, HDR or OpenEXR"), std::string::npos);
    const std::string png = png_bytes(1, 8, PngColor::Grey, {"\x07"});
    EXPECT_NE(error_of(png.substr(0, png.size() - 20)).find("cut short"), std::string::npos);
    EXPECT_NE(error_of("").find("empty"), std::string::npos);
    EXPECT_THROW(read_image_file("/no/such/picture.png"), Error);
}

TEST(ImageFile, content_counts_not_the_extension) {
    const TemporaryFolder folder;
    const auto path = folder.write("picture.jpg", png_bytes(1, 8, PngColor::Grey, {"\x07"}));
    EXPECT_EQ(read_image_file(path).texels8[0], 7);
}

TEST(ImageFile, bad_texels_are_counted_and_become_zero) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const ExrWindow w{0, 0, 2, 0};
    ImageFile image = read(exr_bytes(w, w, {{"B", {1, 1, 1}}, {"G", {1, infinity, 1}}, {"R", {nan, 1, 1}}}));
    EXPECT_EQ(replace_bad_texels(image), 2u);
    EXPECT_EQ(image.texels32[0], Vec4(0, 1, 1, 1));
    EXPECT_EQ(image.texels32[1], Vec4(1, 0, 1, 1));
}

}  // namespace
}  // namespace warpath::test
