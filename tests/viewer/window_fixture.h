#pragma once

#include "viewer/display.h"
#include "warpath/image.h"

namespace warpath::test {

/// `warpath view` on a virtual display, with the CPU backend and software OpenGL. Skips where there is no such display.
class WindowTest : public testing::Test {
  protected:
    void SetUp() override {
        if (display.name().empty()) GTEST_SKIP() << "there is no Xvfb that starts";
        const RunResult probe = view("", "[{\"close\": true}]");
        if (contains(probe.err, "OpenGL")) GTEST_SKIP() << "no OpenGL on the virtual display: " << probe.err;
    }
    /// Plays a script in a small window on a film of 32x24 pixels, unless the flags say otherwise.
    RunResult view(const std::string& flags, const std::string& steps) const {
        folder.write("steps.json", steps);
        return run_program(folder.path(), words("view lamp.obj --backend cpu --threads 2 --camera 1,1,4/0,0,0/0,1,0/70 --window 320x240 "
                                                "--max-depth 4 --time-limit 100 --script steps.json --size 32x24 " + flags));
    }
    /// What the command line renders of the same camera.
    Image rendered(const std::string& name, const std::string& flags) const {
        const RunResult run = run_program(folder.path(), words("render lamp.obj --backend cpu --quiet --camera 1,1,4/0,0,0/0,1,0/70 --max-depth 4 --size 32x24 -o " + name + " " + flags));
        EXPECT_EQ(run.status, 0) << run.err;
        return read_image(folder / name);
    }
    /// R, G and B of both, to the bit.
    static void expect_same_pixels(const Image& a, const Image& b) {
        ASSERT_EQ(a.width, b.width);
        ASSERT_EQ(a.height, b.height);
        for (const char* channel : {"R", "G", "B"}) EXPECT_EQ(a.find(channel)->values, b.find(channel)->values) << channel;
    }

    VirtualDisplay display;
    /// A lamp and a floor, so that pixels have noise that only equal samples share.
    class Folder : public TemporaryFolder {
      public:
        Folder() {
            write("lamp.mtl", "newmtl lamp\nKd 0 0 0\nKe 3 2 1\nnewmtl floor\nKd 0.7 0.5 0.3\n");
            write("lamp.obj", "mtllib lamp.mtl\nv -1 1.5 -1\nv 1 1.5 -1\nv 1 1.5 1\nv -1 1.5 1\nv -3 -1 -3\nv 3 -1 -3\nv 3 -1 3\nv -3 -1 3\n"
                              "o lamp\nusemtl lamp\nf 1 2 3 4\no floor\nusemtl floor\nf 5 8 7 6\n");
        }
    } folder;
};

}  // namespace warpath::test
