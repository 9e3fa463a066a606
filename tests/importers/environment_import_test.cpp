#include <gtest/gtest.h>

#include <limits>

#include "importers/importer.h"
#include "importers/obj_image_bytes.h"
#include "support/temporary_folder.h"
#include "warpath/error.h"

namespace warpath::test {
namespace {

TEST(ImportEnvironment, keeps_radiances_and_rows_from_the_zenith) {
    const TemporaryFolder folder;
    const auto path = folder.write(
        "sky.hdr", hdr_bytes(1, 2, {std::string("\x80\x80\x80\x83", 4), std::string("\x80\x80\x80\x81", 4)}));
    const Environment sky = import_environment(path);
    EXPECT_EQ(sky.width, 1u);
    EXPECT_EQ(sky.height, 2u);
    EXPECT_EQ(sky.texels[0], Vec3(4.0f));
    EXPECT_EQ(sky.texels[1], Vec3(1.0f));
    EXPECT_EQ(sky.color, Vec3(1.0f));
}

TEST(ImportEnvironment, integer_images_are_srgb) {
    const TemporaryFolder folder;
    const Environment a = import_environment(folder.write("a.png", png_bytes(1, 8, PngColor::Grey, {"\xbc"})));
    EXPECT_NEAR(a.texels[0].x, 0.50289, 1e-5);
    const Environment b =
        import_environment(folder.write("b.png", png_bytes(1, 16, PngColor::Grey, {std::string("\x80\x00", 2)})));
    EXPECT_NEAR(b.texels[0].x, 0.21405, 1e-5);
}

TEST(ImportEnvironment, texels_that_are_no_radiance_become_zero_with_their_number) {
    const TemporaryFolder folder;
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const ExrWindow w{0, 0, 3, 0};
    const std::vector<float> one(4, 1.0f);
    const auto path =
        folder.write("sky.exr", exr_bytes(w, w, {{"B", one}, {"G", {1, infinity, 1, 1}}, {"R", {nan, 1, -1, 5}}}));
    std::vector<std::string> warnings;
    const Environment sky = import_environment(path, &warnings);
    EXPECT_EQ(sky.texels[0], Vec3(0, 1, 1));
    EXPECT_EQ(sky.texels[1], Vec3(1, 0, 1));
    EXPECT_EQ(sky.texels[2], Vec3(0, 1, 1));
    EXPECT_EQ(sky.texels[3], Vec3(5, 1, 1));
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_NE(warnings[0].find("3 texels"), std::string::npos);
}

TEST(ImportEnvironment, errors_name_the_file) {
    const TemporaryFolder folder;
    for (const auto& path : {folder.write("garbage.hdr", "no picture"), folder.path() / "absent.hdr", folder.path()}) {
        try {
            import_environment(path);
            ADD_FAILURE() << path;
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find(path.string()), std::string::npos);
        }
    }
}

}  // namespace
}  // namespace warpath::test
