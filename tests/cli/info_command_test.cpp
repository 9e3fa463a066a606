#include <nlohmann/json.hpp>

#include "cli/run_program.h"

namespace warpath {
namespace {

using test::LampFolder;
using test::run_program;
using test::RunResult;
using Json = nlohmann::json;

void expect_contains(const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST(info_command, lists_version_devices_and_schedulers) {
    const LampFolder folder;
    const RunResult run = run_program(folder.path(), {"info"});
    EXPECT_EQ(run.status, 0);
    for (const char* part :
         {"version: ", "build: ", "device: cpu", "scheduler: launch (cpu", "scheduler: persistent (cpu"})
        expect_contains(run.out, part);
    const Json json = Json::parse(run_program(folder.path(), {"info", "--json"}).out);
    EXPECT_EQ(json["devices"][0]["backend"], "cpu");
    EXPECT_GE(json["schedulers"].size(), 2u);
}

TEST(info_command, says_what_is_in_a_scene) {
    const LampFolder folder;
    const RunResult run = run_program(folder.path(), test::words("info lamp.obj --camera -1,2,4/0,0,0/0,1,0/40"));
    EXPECT_EQ(run.status, 0) << run.err;
    for (const char* line :
         {"triangles: 2\n", "skipped triangles: 0\n", "materials: 1\n", "material: lamp\n", "textures: 0\n",
          "emissive triangles: 2\n", "bounds: -9 -9 0 9 9 0\n", "camera: -1,2,4/0,0,0/0,1,0/40\n", "memory total: "})
        expect_contains(run.out, line);
    EXPECT_EQ(run.out.find("warning"), std::string::npos) << run.out;
}

TEST(info_command, says_the_same_as_json) {
    const LampFolder folder;
    folder.write("lamp.obj", "mtllib nowhere.mtl\n" + test::file_bytes(folder / "lamp.obj"));
    const RunResult run = run_program(folder.path(), test::words("info lamp.obj --json"));
    ASSERT_EQ(run.status, 0) << run.err;
    const Json json = Json::parse(run.out);
    EXPECT_EQ(json["triangles"], 2);
    EXPECT_EQ(json["bounds"], Json::parse("[[-9, -9, 0], [9, 9, 0]]"));
    EXPECT_EQ(json["material_names"], Json::parse("[\"lamp\"]"));
    ASSERT_EQ(json["warnings"].size(), 1u);
    expect_contains(json["warnings"][0].get<std::string>(), "nowhere.mtl");
    EXPECT_GT(json["memory"]["plan_bytes"].get<uint64_t>(), 0u);
}

TEST(info_command, prints_the_version_and_help) {
    const LampFolder folder;
    EXPECT_TRUE(run_program(folder.path(), {"--version"}).out.starts_with("warpath "));
    for (const char* command : {"render", "info", "compare", "convert"}) {
        expect_contains(run_program(folder.path(), {"--help"}).out, command);
        const RunResult help = run_program(folder.path(), {command, "--help"});
        EXPECT_EQ(help.status, 0);
        EXPECT_GT(help.out.size(), 100u);
    }
}

}  // namespace
}  // namespace warpath
