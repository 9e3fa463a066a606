// The window, played by scripts.
#include <gtest/gtest.h>

#include <cstdlib>

#include "viewer/window_fixture.h"

namespace warpath::test {
namespace {

TEST_F(WindowTest, saves_the_image_of_the_command_line) {
    const RunResult run = view("--spp 8", R"([{"wait_spp": 1}, {"scheduler": "launch"}, {"wait_spp": 8}, {"save": "window.exr"}, {"close": true}])");
    ASSERT_EQ(run.status, 0) << run.err;
    const Image saved = read_image(folder / "window.exr");
    EXPECT_EQ(saved.attributes.at("samples_per_pixel"), "8");
    expect_same_pixels(saved, rendered("line.exr", "--spp 8"));
}

TEST_F(WindowTest, shows_the_picture_that_the_command_line_writes) {
    const RunResult run = view("--spp 4 --no-panels --window 96x72 --screenshot shot.png", R"([{"wait_spp": 4}, {"wait_frames": 2}])");
    ASSERT_EQ(run.status, 0) << run.err;
    const Image shot = read_image(folder / "shot.png"), picture = rendered("line.png", "--spp 4");
    ASSERT_EQ(shot.width, 96u);
    // Each pixel of the film is a square of nine of the window.
    uint64_t num_different = 0;
    for (const char* channel : {"R", "G", "B"})
        for (size_t y = 0; y < shot.height; ++y)
            for (size_t x = 0; x < shot.width; ++x)
                num_different += shot.find(channel)->values[y * 96 + x] != picture.find(channel)->values[y / 3 * 32 + x / 3];
    EXPECT_EQ(num_different, 0u);
}

TEST_F(WindowTest, flying_away_and_coming_home_gives_the_same_film) {
    const RunResult run = view("--spp 4 --bookmarks views.json",
                               R"([{"wait_spp": 4}, {"key": "Ctrl+b"}, {"key": "w", "hold_ms": 150}, {"drag": [[0.3, 0.3], [0.7, 0.5]]},
                                   {"drag": [[0.3, 0.3], [0.4, 0.4]], "button": "right"}, {"drag": [[0.3, 0.3], [0.4, 0.4]], "button": "middle"},
                                   {"scroll": 2}, {"key": "]"}, {"key": "."}, {"wait_spp": 4}, {"save": "away.exr"},
                                   {"key": "PageUp"}, {"wait_spp": 4}, {"save": "back.exr"}, {"key": "Home"}, {"key": "Ctrl+c"}, {"wait_spp": 4}, {"close": true}])");
    ASSERT_EQ(run.status, 0) << run.err;
    const Image line = rendered("line.exr", "--spp 4");
    expect_same_pixels(read_image(folder / "back.exr"), line);
    EXPECT_NE(read_image(folder / "away.exr").find("R")->values, line.find("R")->values);
    EXPECT_TRUE(contains(file_bytes(folder / "views.json"), "\"eye\""));
}

TEST_F(WindowTest, every_scheduler_gives_the_same_film_flip_by_flip) {
    const char* more = std::getenv("WARPATH_FLIPS");
    const RunResult run = view("--size 24x16", std::string(R"([{"wait_loaded": true}, {"key": "1"}, {"key": "2"}, {"key": "Tab"}, {"flip": )") +
                                                   (more ? more : "200") + R"(, "within_s": 3000}, {"close": true}])");
    EXPECT_EQ(run.status, 0) << run.err;
    expect_no_leak(run);
}

TEST_F(WindowTest, tab_leaves_the_keyboard_to_the_picture) {
    const RunResult run = view("--window 1200x800", R"([{"wait_spp": 1}, {"key": "1"}, {"wait_frames": 4}, {"key": "2"}, {"wait_frames": 4}, {"key": "Tab"}, {"wait_frames": 8},
                                                        {"key": "v"}, {"wait_spp": 2}, {"wait_ms": 300}, {"expect_identical": true}, {"close": true}])");
    EXPECT_EQ(run.status, 0) << run.err;
}

TEST_F(WindowTest, compares_two_schedulers) {
    const RunResult run = view("", R"([{"wait_loaded": true}, {"record": true}, {"mode": "alternate", "a": "launch", "b": "persistent"}, {"wait_pairs": 8},
                                       {"write_record": "record.csv"}, {"write_record": "record.json"},
                                       {"set": {"sample_limit": 6}}, {"mode": "split", "a": "megakernel", "b": "resident"},
                                       {"mode": "one"}, {"mode": "split", "a": "megakernel", "b": "resident"},
                                       {"wait_spp": 6}, {"drag": [[0.5, 0.5], [0.8, 0.5]]}, {"wait_ms": 200}, {"expect_identical": true},
                                       {"screenshot": "split.png"}, {"key": "v"}, {"wait_spp": 6}, {"close": true}])");
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_TRUE(contains(file_bytes(folder / "record.csv"), "persistent,B"));
    EXPECT_TRUE(contains(file_bytes(folder / "record.json"), "\"by_scheduler\""));
}

TEST_F(WindowTest, survives_every_size) {
    const RunResult run = view("", R"([{"wait_loaded": true}, {"resize": [1, 1]}, {"wait_frames": 3}, {"resize": [3840, 2160]}, {"wait_frames": 3}, {"wait_spp": 2},
                                       {"resize": [500, 300]}, {"wait_frames": 3}, {"wait_spp": 2}, {"close": true}])");
    EXPECT_EQ(run.status, 0) << run.err;
}

TEST_F(WindowTest, the_film_follows_the_window) {
    folder.write("steps.json", R"([{"wait_loaded": true}, {"resize": [1, 1]}, {"wait_frames": 4}, {"wait_spp": 1}, {"resize": [3840, 2160]}, {"wait_frames": 4},
                                   {"resize": [120, 80]}, {"wait_frames": 4}, {"wait_spp": 2}, {"save": "film.exr"}, {"close": true}])");
    const RunResult run = run_program(folder.path(), words("view lamp.obj --backend cpu --threads 2 --no-panels --max-depth 0 --window 64x64 --script steps.json"));
    ASSERT_EQ(run.status, 0) << run.err;
    const Image film = read_image(folder / "film.exr");
    EXPECT_EQ(film.width, 120u);
    EXPECT_EQ(film.height, 80u);
}

TEST_F(WindowTest, edits_are_seen_and_undone) {
    const RunResult run = view("--spp 4", R"([{"wait_spp": 4}, {"click": [0.5, 0.9]}, {"wait_frames": 4}, {"material": {"index": 1, "base_color": [0.1, 0.2, 0.9]}},
                                             {"wait_spp": 4}, {"save": "edited.exr"}, {"material": {"index": 1, "base_color": [0.7, 0.5, 0.3]}},
                                             {"wait_spp": 4}, {"save": "undone.exr"}, {"layer": "normal"}, {"wait_spp": 4}, {"layer": "cost"}, {"wait_spp": 4},
                                             {"key": "l"}, {"key": "="}, {"key": "k"}, {"key": "F1"}, {"wait_frames": 2}, {"key": "Esc"}, {"wait_spp": 4}, {"close": true}])");
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_NE(read_image(folder / "edited.exr").find("B")->values, read_image(folder / "undone.exr").find("B")->values);
}

TEST_F(WindowTest, every_cost_of_a_pixel_is_a_layer) {
    const RunResult run = view("--spp 2", R"([{"wait_spp": 2}, {"layer": "node-steps"}, {"wait_spp": 2}, {"save": "node-steps.exr"},
                                             {"layer": "triangle-tests"}, {"wait_spp": 2}, {"save": "triangle-tests.exr"}, {"layer": "bounces"}, {"wait_spp": 2},
                                             {"save": "bounces.exr"}, {"layer": "color"}, {"wait_spp": 2}, {"save": "color.exr"}, {"close": true}])");
    ASSERT_EQ(run.status, 0) << run.err;
    for (const std::string cost : {"node-steps", "triangle-tests", "bounces"}) {
        const Image saved = read_image(folder / (cost + ".exr")), line = rendered(cost + "-line.exr", "--spp 2 --aov " + cost);
        ASSERT_TRUE(saved.find(cost + ".Y")) << cost;
        EXPECT_EQ(saved.find(cost + ".Y")->values, line.find(cost + ".Y")->values) << cost;
        expect_same_pixels(saved, line);
    }
    EXPECT_EQ(read_image(folder / "color.exr").channels.size(), 3u);  // no cost where none is shown
}

TEST_F(WindowTest, the_title_says_how_pictures_come_to_the_window) {
    const RunResult run = view("--scheduler launch", R"([{"wait_loaded": true}, {"wait_frames": 3}, {"expect_title": "lamp.obj - launch"}, {"expect_title": "CPU film"}, {"close": true}])");
    EXPECT_EQ(run.status, 0) << run.err;
}

}  // namespace
}  // namespace warpath::test
