// What goes wrong around a window: one sentence each, and no crash or hang.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>

#include "viewer/window_fixture.h"

namespace warpath::test {
namespace {

/// An .obj of many triangles, which takes a while to load.
std::string many_triangles(int side) {
    std::string text;
    for (int y = 0; y <= side; ++y)
        for (int x = 0; x <= side; ++x) text += "v " + std::to_string(x) + " " + std::to_string((x * 7 + y * 13) % 5) + " " + std::to_string(y) + "\n";
    for (int y = 0; y < side; ++y) {
        for (int x = 0; x < side; ++x) {
            const int v = y * (side + 1) + x + 1;
            text += "f " + std::to_string(v) + " " + std::to_string(v + 1) + " " + std::to_string(v + side + 2) + " " + std::to_string(v + side + 1) + "\n";
        }
    }
    return text;
}

TEST_F(WindowTest, scenes_that_fail_leave_the_one_before) {
    folder.write("bad.obj", "v 0 0\nf 1 2 3\n");
    folder.write("bad.hdr", "no picture");
    const RunResult run = view("--spp 4", R"([{"wait_spp": 4}, {"drop": ["bad.obj"]}, {"wait_message": "bad.obj"}, {"drop": ["missing.json"]}, {"wait_message": "missing.json"},
                                             {"drop": ["bad.hdr"]}, {"wait_message": "bad.hdr"}, {"drop": ["lamp.mtl"]}, {"wait_message": "lamp.mtl"},
                                             {"wait_spp": 4}, {"save": "kept.exr"}, {"close": true}])");
    ASSERT_EQ(run.status, 0) << run.err;
    expect_same_pixels(read_image(folder / "kept.exr"), rendered("line.exr", "--spp 4"));
}

TEST_F(WindowTest, a_scene_dropped_while_another_loads_takes_its_place) {
    folder.write("large.obj", many_triangles(300));
    folder.write("other.obj", file_bytes(folder / "lamp.obj"));
    const RunResult run = view("", R"([{"wait_loaded": true}, {"drop": ["large.obj"]}, {"wait_frames": 2}, {"drop": ["other.obj"]}, {"wait_frames": 2}, {"wait_loaded": true},
                                       {"wait_frames": 3}, {"expect_title": "other.obj"}, {"drop": ["large.obj", "other.obj", "large.obj"]}, {"key": "Esc"}, {"wait_frames": 2},
                                       {"wait_loaded": true}, {"expect_title": "other.obj"}, {"close": true}])");
    EXPECT_EQ(run.status, 0) << run.err;
}

TEST_F(WindowTest, closing_while_a_scene_loads_ends_everything) {
    folder.write("large.obj", many_triangles(700));
    folder.write("steps.json", R"([{"wait_ms": 100}, {"close": true}])");
    const RunResult run = run_program(folder.path(), words("view large.obj --backend cpu --window 160x120 --script steps.json"));
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_LT(run.elapsed_s, 15);  // a second after the window closed, on a machine that does other things too
}

TEST_F(WindowTest, closing_while_a_long_pass_renders_ends_everything) {
    folder.write("steps.json", R"([{"wait_frames": 30}, {"close": true}])");
    const RunResult run = run_program(folder.path(), words("view lamp.obj --backend cpu --size 4000x4000 --window 160x120 --max-depth 64 --script steps.json"));
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_LT(run.elapsed_s, 15);
}

TEST_F(WindowTest, bad_scripts_are_refused_in_a_sentence) {
    const RunResult wrong = view("", R"([{"jump": 1}])");
    EXPECT_EQ(wrong.status, 1);
    EXPECT_TRUE(contains(wrong.err, "error: steps.json: step 1 is of no kind that is known: 'jump'")) << wrong.err;
    const RunResult scheduler = view("", R"([{"wait_loaded": true}, {"scheduler": "fastest"}])");
    EXPECT_EQ(scheduler.status, 1);
    EXPECT_TRUE(contains(scheduler.err, "step 2 (scheduler)")) << scheduler.err;
    const RunResult late = view("--spp 2", R"([{"wait_spp": 3, "within_s": 0.5}])");
    EXPECT_EQ(late.status, 1);
    EXPECT_TRUE(contains(late.err, "still waiting")) << late.err;
    EXPECT_EQ(view("--window 0x5", "[]").status, 2);
    EXPECT_EQ(view("--screenshot a.bmp", "[]").status, 2);
}

TEST_F(WindowTest, an_old_opengl_is_named) {
    setenv("MESA_GL_VERSION_OVERRIDE", "2.1", 1);
    const RunResult run = view("", "[]");
    unsetenv("MESA_GL_VERSION_OVERRIDE");
    EXPECT_EQ(run.status, 1);
    EXPECT_TRUE(contains(run.err, "error: cannot open a window: OpenGL 3.3 is needed")) << run.err;
}

TEST(WindowWithoutOpenGl, is_a_sentence) {
    const VirtualDisplay display({"-extension", "GLX"});
    if (display.name().empty()) GTEST_SKIP() << "there is no Xvfb that starts";
    const RunResult run = run_program(".", words("view --backend cpu"));
    EXPECT_EQ(run.status, 1);
    EXPECT_TRUE(contains(run.err, "error: cannot open a window: this display offers no OpenGL")) << run.err;
}

TEST(WindowWithoutDisplay, is_a_sentence) {
    unsetenv("DISPLAY"), unsetenv("WAYLAND_DISPLAY");
    const RunResult run = run_program(".", words("view --backend cpu"));
    EXPECT_EQ(run.status, 1);
    EXPECT_TRUE(contains(run.err, "error: cannot open a window, since no display answers")) << run.err;
}

}  // namespace
}  // namespace warpath::test
