// Keys and mouse as the X server sends them, by xdotool.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <thread>

#include "viewer/window_fixture.h"

namespace warpath::test {
namespace {

std::string output_of(const std::string& command) {
    FILE* const pipe = popen((command + " 2>/dev/null").c_str(), "r");
    std::string text;
    for (int c = 0; pipe && (c = std::fgetc(pipe)) != EOF;) text += static_cast<char>(c);
    if (pipe) pclose(pipe);
    return text.substr(0, text.find('\n'));
}

/// Waits up to twenty seconds for the window's title to hold a text.
bool title_holds(const std::string& window, const std::string& text) {
    for (int i = 0; i < 200; ++i) {
        if (contains(output_of("xdotool getwindowname " + window), text)) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    return false;
}

TEST_F(WindowTest, real_keys_flip_schedulers_and_close) {
    if (find_program("xdotool").empty()) GTEST_SKIP() << "there is no xdotool";
    Program program(folder.path(), words("view lamp.obj --backend cpu --threads 2 --size 32x24 --window 320x240 --time-limit 100 --exit-after 65536"));
    const std::string window = output_of("timeout 20 xdotool search --sync --onlyvisible --name warpath");
    ASSERT_FALSE(window.empty());
    ASSERT_TRUE(title_holds(window, "spp"));
    const auto press = [&](const std::string& key) { output_of("xdotool windowfocus " + window + " key " + key); };
    press("1");
    EXPECT_TRUE(title_holds(window, " launch - "));
    press("2");
    EXPECT_TRUE(title_holds(window, " launch-async - "));
    press("Tab");
    EXPECT_TRUE(title_holds(window, " launch - "));
    output_of("xdotool mousemove --window " + window + " 160 120 mousedown 1 mousemove --window " + window + " 190 120 mouseup 1");
    press("ctrl+q");
    const RunResult run = program.wait();
    EXPECT_EQ(run.status, 0) << run.err;
}

}  // namespace
}  // namespace warpath::test
