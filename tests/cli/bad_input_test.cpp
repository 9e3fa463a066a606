#include "cli/run_program.h"

#include <sys/stat.h>

namespace warpath {
namespace {

using test::LampFolder;
using test::run_program;
using test::RunResult;

void expect_contains(const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
}

/// One error line that holds `part`, the given exit status, and no file that was not there before.
void expect_refused(const LampFolder& folder, const RunResult& run, int status, const std::string& part) {
    EXPECT_EQ(run.status, status) << run.err;
    expect_contains(run.err, "error: ");
    expect_contains(run.err, part);
    EXPECT_FALSE(std::filesystem::exists(folder / "out.png"));
    EXPECT_LT(run.elapsed_s, 20.0);
}

struct BadFlag {
    const char *flags, *part;
};

class bad_flag : public testing::TestWithParam<BadFlag> {};

TEST_P(bad_flag, is_refused_with_its_name) {
    const LampFolder folder;
    expect_refused(folder, folder.render(std::string("-o out.png ") + GetParam().flags), 2, GetParam().part);
    EXPECT_EQ(folder.num_entries(), 2u);
}

INSTANTIATE_TEST_SUITE_P(
    render, bad_flag,
    testing::Values(
        BadFlag{"--size 0x0", "--size '0x0'"}, BadFlag{"--size 0x16", "--size '0x16'"},
        BadFlag{"--size 16x", "--size '16x'"}, BadFlag{"--size -4x4", "--size '-4x4'"},
        BadFlag{"--size 3.5x2", "--size '3.5x2'"}, BadFlag{"--size 100000x100000", "400000000000 bytes"},
        BadFlag{"--spp 0", "--spp '0'"}, BadFlag{"--spp many", "--spp 'many'"}, BadFlag{"--spp 16x", "--spp '16x'"},
        BadFlag{"--spp 99999999999999999999", "--spp"}, BadFlag{"--spp -o", "--spp '-o'"},
        BadFlag{"--max-depth -1", "--max-depth '-1'"}, BadFlag{"--threads -2", "--threads '-2'"},
        BadFlag{"--seed 1.5", "--seed '1.5'"}, BadFlag{"--batch x", "--batch 'x'"}, BadFlag{"--pool -1", "--pool '-1'"},
        BadFlag{"--blocks-per-sm 1e3", "--blocks-per-sm"}, BadFlag{"--exposure bright", "--exposure 'bright'"},
        BadFlag{"--watchdog 0", "--watchdog '0'"}, BadFlag{"--sampler halton", "sobol and independent"},
        BadFlag{"--filter tent", "box, gaussian and blackman-harris"}, BadFlag{"--tone reinhard", "filmic and linear"},
        BadFlag{"--bvh slow", "fast, balanced, best and splits"},
        BadFlag{"--aov albedo,uv", "albedo, normal, depth, samples, cost, node-steps, triangle-tests and bounces"},
        BadFlag{"--aov albedo", "--aov needs an .exr"}, BadFlag{"--half", "--half needs an .exr"},
        BadFlag{"--scheduler fast", "persistent"}, BadFlag{"--device 99", "--device '99'"},
        BadFlag{"--devices 0,99", "--devices '0,99' is not accepted: the devices are 0: "},
        BadFlag{"--devices 0,,0",
                "--devices '0,,0' is not accepted: give whole numbers from 0 to 1023, separated by commas"},
        BadFlag{"--devices ,", "--devices ',' is not accepted"}, BadFlag{"--devices 0,one", "--devices '0,one'"},
        BadFlag{"--devices -1", "--devices '-1'"}, BadFlag{"--device 0 --devices 0,0", "exclude each other"}));

TEST(bad_option, unknown_command_is_named) {
    const LampFolder folder;
    const RunResult run = test::run_program(folder.path(), {"rendre", "lamp.obj"});
    EXPECT_EQ(run.status, 2);
    expect_contains(run.err, "no command 'rendre'");
}

TEST(bad_option, unknown_scheduler_is_answered_with_the_known_ones) {
    const LampFolder folder;
    const RunResult run = folder.render("-o out.png --scheduler fastest");
    expect_refused(folder, run, 2, "--scheduler 'fastest'");
    expect_contains(run.err, "launch");
    expect_contains(run.err, "persistent");
}

TEST(bad_option, unknown_backend_is_answered_with_the_known_ones) {
    const LampFolder folder;
    const RunResult run = run_program(folder.path(), test::words("render lamp.obj -o out.png --backend metal"));
    expect_refused(folder, run, 2, "--backend 'metal'");
    expect_contains(run.err, "cpu and cuda");
}

TEST(bad_option, a_backend_that_is_not_here_is_no_silent_fall_back) {
    const LampFolder folder;
    const RunResult info = run_program(folder.path(), {"info"});
    if (info.out.find("device: cuda") != std::string::npos && info.out.find("cannot be used") == std::string::npos)
        GTEST_SKIP() << "there is a CUDA device";
    expect_refused(folder, run_program(folder.path(), test::words("render lamp.obj -o out.png --backend cuda")), 1,
                   "--backend cuda");
}

TEST(bad_usage, wrong_command_lines_end_with_status_2) {
    const LampFolder folder;
    for (const char* line :
         {"", "render", "paint lamp.obj", "render lamp.obj --unknown", "render lamp.obj extra.obj",
          "render lamp.obj --spp", "render lamp.obj --spp 1 --spp 2", "compare a.exr", "convert a.exr"})
        EXPECT_EQ(run_program(folder.path(), test::words(line)).status, 2) << line;
    EXPECT_EQ(folder.num_entries(), 2u);
}

TEST(bad_output, is_found_before_the_scene_is_read) {
    const LampFolder folder;
    folder.write("file", "");
    std::filesystem::create_directory(folder / "folder.png");
    const auto render_to = [&](const std::string& flags) {
        return run_program(folder.path(), test::words("render missing.obj " + flags));
    };
    expect_refused(folder, render_to("-o nowhere/out.png"), 1, "nowhere");
    expect_refused(folder, render_to("-o file/out.png"), 1, "Not a directory");
    expect_refused(folder, render_to("-o folder.png"), 1, "it is a folder");
    expect_refused(folder, render_to("-o /proc/out.png"), 1, "/proc");
    expect_refused(folder, render_to("-o out.gif"), 2, "known are .png");
    expect_refused(folder, render_to("-o out"), 2, "no extension");
    expect_refused(folder, render_to("-o out.png --json nowhere/run.json"), 1, "nowhere");
}

TEST(bad_output, that_would_destroy_an_input_or_the_other_output_is_refused) {
    const LampFolder folder;
    const auto size_before = std::filesystem::file_size(folder / "lamp.obj");
    expect_refused(folder, folder.render("-o out.png --json ./out.png"), 2, "also the image");
    expect_refused(folder, folder.render("-o out.png --json lamp.obj"), 2, "also the scene");
    EXPECT_EQ(std::filesystem::file_size(folder / "lamp.obj"), size_before);
    EXPECT_EQ(folder.num_entries(), 2u);
}

TEST(bad_output, read_only_folder_is_found_before_rendering) {
    if (geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
    const LampFolder folder;
    std::filesystem::create_directory(folder / "locked");
    chmod((folder / "locked").c_str(), 0500);
    expect_refused(folder, run_program(folder.path(), test::words("render missing.obj -o locked/out.png")), 1,
                   "Permission denied");
}

TEST(bad_output, full_disk_is_reported_and_leaves_no_picture) {
    const LampFolder folder;
    std::filesystem::create_symlink("/dev/full", folder / "full.exr");
    const RunResult run = folder.render("-o full.exr --size 8x8 --spp 1");
    EXPECT_EQ(run.status, 1);
    expect_contains(run.err, "No space left");
    EXPECT_EQ(folder.num_entries(), 3u);
}

struct BadScene {
    const char *name, *text, *part;
};

class bad_scene : public testing::TestWithParam<BadScene> {};

TEST_P(bad_scene, is_an_error_that_names_the_file) {
    const LampFolder folder;
    folder.write(GetParam().name, GetParam().text);
    const std::vector<std::string> arguments = {"render", GetParam().name, "-o", "out.png",   "--size",
                                                "8x8",    "--spp",         "1",  "--backend", "cpu"};
    const RunResult run = run_program(folder.path(), arguments);
    expect_refused(folder, run, 1, GetParam().name);
    expect_contains(run.err, GetParam().part);
    EXPECT_EQ(run_program(folder.path(), {"info", GetParam().name}).status, 1);
}

INSTANTIATE_TEST_SUITE_P(
    render, bad_scene,
    testing::Values(BadScene{"empty.obj", "", ""}, BadScene{"empty.gltf", "", ""}, BadScene{"empty.glb", "", ""},
                    BadScene{"empty.json", "", ""},
                    BadScene{"cut.gltf", "{\"asset\": {\"version\": \"2.0\"}, \"scenes\": [{\"nod", ""},
                    BadScene{"cut.json", "{\"camera\": {\"eye\": [0,", ""}, BadScene{"cut.glb", "glTF\x02", ""},
                    BadScene{"garbage.obj", "\x89PNG\x01\x02\xff\xfe\x7f\x45LF", ""},
                    BadScene{"garbage.json", "\xff\xfe\xfd\xfc", ""},
                    BadScene{"garbage.glb", "\xff\xfe\xfd\xfc\xfb\xfa", ""},
                    BadScene{"garbage.bin", "\x7f\x45LF\x02\x01", ""}, BadScene{"point.obj", "v 0 0 0\n", ""},
                    BadScene{"point_face.obj", "v 0 0 0\nf 1 1 1\n", ""},
                    BadScene{"past_end.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n", "4"},
                    BadScene{"nan.obj", "v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", ""},
                    BadScene{"inf.obj", "v inf 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", ""},
                    BadScene{"no_area.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n", ""},
                    BadScene{"nothing.json", "{\"models\": []}", ""}));

TEST(bad_scene, missing_file_and_folder_are_errors) {
    const LampFolder folder;
    std::filesystem::create_directory(folder / "folder.obj");
    expect_refused(folder, run_program(folder.path(), test::words("render missing.obj -o out.png")), 1, "missing.obj");
    expect_refused(folder, run_program(folder.path(), test::words("render folder.obj -o out.png")), 1, "folder.obj");
    expect_refused(folder, run_program(folder.path(), test::words("render lamp.obj -o out.png --env missing.hdr")), 1,
                   "missing.hdr");
}

TEST(bad_scene, degenerate_triangles_are_left_out_counted_and_warned_about) {
    const LampFolder folder;
    folder.write("some.obj",
                 "v -9 -9 0\nv 9 -9 0\nv 9 9 0\nv nan 0 0\nv 1e38 1e38 -1e38\nf 1 2 3\nf 1 2 4\nf 1 1 3\nf 1 2 5\n");
    const RunResult info = run_program(folder.path(), {"info", "some.obj"});
    EXPECT_EQ(info.status, 0) << info.err;
    expect_contains(info.out, "triangles: 1\n");
    expect_contains(info.out, "skipped triangles: 3\n");
    expect_contains(info.out, "warning: ");
    EXPECT_EQ(
        run_program(folder.path(), test::words("render some.obj -o out.png --size 8x8 --spp 1 --backend cpu")).status,
        0);
}

}  // namespace
}  // namespace warpath
