#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/run_program.h"
#include "warpath/image.h"

namespace warpath {
namespace {

using test::contains;
using test::LampFolder;
using test::RunResult;
using Json = nlohmann::json;

TEST(render_command, writes_the_picture_and_says_where_it_went) {
    const LampFolder folder;
    const RunResult run = folder.render("-o out.exr --size 16x8 --spp 4 --aov albedo,samples");
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_TRUE(contains(run.err, "wrote out.exr")) << run.err;
    EXPECT_EQ(run.out, "");
    const Image image = read_image(folder / "out.exr");
    EXPECT_EQ(image.width, 16u);
    EXPECT_EQ(image.height, 8u);
    for (const float v : image.find("G")->values) EXPECT_NEAR(v, 1.0f, 1e-5f);
    for (const float v : image.find("samples.Y")->values) EXPECT_EQ(v, 4.0f);
    EXPECT_NE(image.find("albedo.R"), nullptr);
}

TEST(render_command, names_the_output_after_the_scene_if_none_is_given) {
    const LampFolder folder;
    const RunResult run = folder.render("--size 4x4 --spp 1");
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_TRUE(std::filesystem::exists(folder / "lamp.png"));
    EXPECT_TRUE(contains(run.err, "wrote lamp.png")) << run.err;
}

TEST(render_command, tells_in_the_exr_how_it_was_made) {
    const LampFolder folder;
    ASSERT_EQ(
        folder.render("-o out.exr --size 4x2 --spp 3 --seed 18446744073709551615 --max-depth 5 --scheduler launch")
            .status,
        0);
    const auto attributes = read_image(folder / "out.exr").attributes;
    const std::map<std::string, std::string> expected = {{"camera", "0,0,4/0,0,0/0,1,0/40"},
                                                         {"size", "4x2"},
                                                         {"spp", "3"},
                                                         {"samples_finished", "24"},
                                                         {"seed", "18446744073709551615"},
                                                         {"max_depth", "5"},
                                                         {"scheduler", "launch"},
                                                         {"backend", "cpu"},
                                                         {"stopped", "no"},
                                                         {"sampler", "sobol"},
                                                         {"filter", "blackman-harris"}};
    for (const auto& [name, text] : expected) {
        ASSERT_TRUE(attributes.contains(name)) << name;
        EXPECT_EQ(attributes.at(name), text) << name;
    }
    EXPECT_TRUE(attributes.at("software").starts_with("warpath "));
    EXPECT_TRUE(contains(attributes.at("counters"), "FinishedPaths=24"));
}

TEST(render_command, writes_statistics_that_add_up) {
    const LampFolder folder;
    const RunResult run = folder.render("-o out.png --size 8x8 --spp 4 --json run.json");
    ASSERT_EQ(run.status, 0) << run.err;
    const Json json = Json::parse(test::file_bytes(folder / "run.json"));
    EXPECT_EQ(json["samples"], 256);
    EXPECT_EQ(json["counters"]["FinishedPaths"], 256);
    EXPECT_EQ(json["rays"]["camera"], 256);
    EXPECT_EQ(json["rays"]["total"], json["rays"]["camera"].get<int>() + json["rays"]["extension"].get<int>() +
                                         json["rays"]["shadow"].get<int>());
    EXPECT_EQ(json["options"]["width"], 8);
    EXPECT_EQ(json["stopped"], false);
    EXPECT_EQ(json["backend"], "cpu");
    EXPECT_EQ(json["scheduler"], "persistent");
    for (const char* phase : {"load", "bvh_build", "setup", "render", "write", "total"})
        EXPECT_GE(json["times_ms"][phase].get<double>(), 0.0);
    uint64_t plan_bytes = 0;
    for (const Json& item : json["memory"]["plan"]) plan_bytes += item["size_bytes"].get<uint64_t>();
    EXPECT_EQ(json["memory"]["plan_bytes"], plan_bytes);
}

TEST(render_command, prints_the_memory_plan_before_the_rates) {
    const LampFolder folder;
    const RunResult run = folder.render("-o out.png --size 8x8 --spp 1");
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_TRUE(contains(run.err, "Mrays/s")) << run.err;
    EXPECT_TRUE(contains(run.err, "triangles")) << run.err;
    EXPECT_TRUE(contains(run.err, "film 8x8, 1 spp, depth 16, seed 0")) << run.err;
}

TEST(render_command, prints_nothing_with_quiet_when_nothing_is_wrong) {
    const LampFolder folder;
    const RunResult run = folder.render("-o out.png --size 8x8 --spp 1 --quiet");
    EXPECT_EQ(run.status, 0);
    EXPECT_EQ(run.err + run.out, "");
}

TEST(render_command, warns_even_with_quiet) {
    const LampFolder folder;
    folder.write("lamp.obj", "mtllib nowhere.mtl\n" + test::file_bytes(folder / "lamp.obj"));
    const RunResult run = folder.render("-o out.png --size 8x8 --spp 1 --quiet");
    EXPECT_EQ(run.status, 0);
    EXPECT_TRUE(run.err.starts_with("warning: ")) << run.err;
    EXPECT_TRUE(contains(run.err, "nowhere.mtl")) << run.err;
}

TEST(render_command, shows_progress_as_plain_lines_when_stderr_is_no_terminal) {
    const LampFolder folder;
    const RunResult run = folder.render("-o out.png --size 16x16 --spp 16");
    EXPECT_EQ(run.err.find('\r'), std::string::npos);
    EXPECT_EQ(run.err.find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace warpath
