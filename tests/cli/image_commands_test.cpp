#include "cli/run_program.h"
#include "warpath/image.h"

namespace warpath {
namespace {

using test::run_program;
using test::RunResult;
using test::TemporaryFolder;

Image small_image(float value) {
    Image image;
    image.width = image.height = 2;
    for (const char* name : {"R", "G", "B"}) image.channels.push_back({name, std::vector<float>(4, value)});
    image.channels.push_back({"normal.X", {1, 2, 3, 4}});
    image.channels.push_back({"normal.Y", {5, 6, 7, 8}});
    image.channels.push_back({"normal.Z", {-1, 0, 0, 0}});
    image.channels.push_back({"depth.Z", {9, 8, 7, 6}});
    return image;
}

RunResult run(const TemporaryFolder& folder, const std::string& line) {
    return run_program(folder.path(), test::words(line));
}

TEST(compare_command, tells_identical_different_and_unreadable_apart) {
    const TemporaryFolder folder;
    write_image(small_image(1.0f), folder / "a.exr");
    write_image(small_image(1.25f), folder / "b.exr");
    Image wide = small_image(1.0f);
    wide.width = 4, wide.height = 1;
    write_image(wide, folder / "wide.exr");
    folder.write("garbage.exr", "garbage");
    EXPECT_EQ(run(folder, "compare a.exr a.exr").status, 0);
    EXPECT_EQ(run(folder, "compare a.exr b.exr").status, 1);
    EXPECT_EQ(run(folder, "compare a.exr b.exr --tolerance 0.2").status, 1);
    EXPECT_EQ(run(folder, "compare a.exr b.exr --tolerance 0.25").status, 0);
    for (const char* line :
         {"compare a.exr missing.exr", "compare a.exr garbage.exr", "compare a.exr wide.exr", "compare a.exr a.gif",
          "compare a.exr b.exr --tolerance -1", "compare a.exr b.exr --tolerance nan"})
        EXPECT_EQ(run(folder, line).status, 2) << line;
}

TEST(compare_command, prints_every_figure) {
    const TemporaryFolder folder;
    write_image(small_image(1.0f), folder / "a.exr");
    write_image(small_image(1.25f), folder / "b.exr");
    const std::string out = run(folder, "compare a.exr b.exr").out;
    // (1 - 1.25)^2, over 1.25^2 + 0.01, and 10 log10(1.25^2 / 0.0625)
    for (const char* line : {"identical: no\n", "MSE: 0.0625\n", "relative MSE: 0.039745628\n", "PSNR: 13.9794 dB\n",
                             "maximum difference: 0.25\n", "NaN: 0 0\n", "Inf: 0 0\n"})
        EXPECT_NE(out.find(line), std::string::npos) << out;
    EXPECT_NE(run(folder, "compare a.exr a.exr").out.find("identical: yes\n"), std::string::npos);
}

TEST(convert_command, writes_other_formats) {
    const TemporaryFolder folder;
    write_image(small_image(0.25f), folder / "a.exr");
    ASSERT_EQ(run(folder, "convert a.exr a.pfm").status, 0);
    EXPECT_EQ(read_image(folder / "a.pfm").find("G")->values, std::vector<float>(4, 0.25f));
    ASSERT_EQ(run(folder, "convert a.exr a.png --tone linear --exposure 1").status, 0);
    EXPECT_NEAR(read_image(folder / "a.png").find("G")->values[0], 0.5f, 0.004f);
    ASSERT_EQ(run(folder, "convert a.exr b.exr").status, 0);
    EXPECT_EQ(run(folder, "compare a.exr b.exr").status, 0);
}

TEST(convert_command, picks_a_layer) {
    const TemporaryFolder folder;
    write_image(small_image(0.25f), folder / "a.exr");
    ASSERT_EQ(run(folder, "convert a.exr n.pfm --layer normal").status, 0);
    EXPECT_EQ(read_image(folder / "n.pfm").find("R")->values, (std::vector<float>{1, 2, 3, 4}));
    EXPECT_EQ(read_image(folder / "n.pfm").find("B")->values, (std::vector<float>{-1, 0, 0, 0}));
    ASSERT_EQ(run(folder, "convert a.exr d.pfm --layer depth").status, 0);
    EXPECT_EQ(read_image(folder / "d.pfm").find("R")->values, (std::vector<float>{9, 8, 7, 6}));
    const RunResult unknown = run(folder, "convert a.exr u.pfm --layer albedo");
    EXPECT_EQ(unknown.status, 1);
    EXPECT_NE(unknown.err.find("depth and normal"), std::string::npos) << unknown.err;
    EXPECT_FALSE(std::filesystem::exists(folder / "u.pfm"));
}

TEST(convert_command, refuses_bad_names_and_values) {
    const TemporaryFolder folder;
    write_image(small_image(0.25f), folder / "a.exr");
    EXPECT_EQ(run(folder, "convert missing.exr b.png").status, 1);
    EXPECT_EQ(run(folder, "convert a.exr nowhere/b.png").status, 1);
    EXPECT_EQ(run(folder, "convert a.exr b.gif").status, 2);
    EXPECT_EQ(run(folder, "convert a.exr b.png --exposure bright").status, 2);
    EXPECT_EQ(run(folder, "convert a.exr b.png --tone none").status, 2);
    EXPECT_EQ(folder.num_entries(), 1u);
}

}  // namespace
}  // namespace warpath
