#include <list>

#include "cli/run_program.h"

/// `--bvh-cache`, and several programs that share a folder.
namespace warpath {
namespace {

using test::contains;
using test::LampFolder;
using test::Program;
using test::run_program;
using test::words;

TEST(bvh_cache, is_a_flag_of_render_and_info_alike) {
    ::unsetenv("WARPATH_BVH_CACHE");
    const LampFolder folder;
    EXPECT_TRUE(contains(run_program(folder.path(), words("info lamp.obj --bvh best")).out,
                         "bvh kind: best\nbvh cache: off\n"));
    EXPECT_EQ(folder.render("-o a.pfm --spp 4 --bvh best --bvh-cache trees --json a.json").status, 0);
    EXPECT_TRUE(contains(test::file_bytes(folder / "a.json"), "\"cache\": \"kept\""));
    EXPECT_TRUE(contains(run_program(folder.path(), words("info lamp.obj --bvh best --bvh-cache trees")).out,
                         "bvh cache: read\n"));
    EXPECT_EQ(folder.render("-o b.pfm --spp 4 --bvh best --bvh-cache trees").status, 0);
    EXPECT_EQ(test::file_bytes(folder / "a.pfm"), test::file_bytes(folder / "b.pfm"));
}

TEST(bvh_cache, has_a_default_in_the_environment) {
    const LampFolder folder;
    ::setenv("WARPATH_BVH_CACHE", "usual", 1);
    const std::string first = run_program(folder.path(), words("info lamp.obj")).out,
                      second = run_program(folder.path(), words("info lamp.obj")).out,
                      none = run_program(folder.path(), words("info lamp.obj --bvh-cache none")).out;
    ::unsetenv("WARPATH_BVH_CACHE");
    EXPECT_TRUE(contains(first, "bvh cache: kept\n"));
    EXPECT_TRUE(contains(second, "bvh cache: read\n"));
    EXPECT_TRUE(contains(none, "bvh cache: off\n"));
    EXPECT_TRUE(std::filesystem::is_directory(folder / "usual"));
}

TEST(bvh_cache, refuses_an_empty_name) {
    const LampFolder folder;
    const test::RunResult run = run_program(folder.path(), {"info", "lamp.obj", "--bvh-cache", ""});
    EXPECT_EQ(run.status, 2);
    EXPECT_TRUE(contains(run.err, "--bvh-cache")) << run.err;
}

TEST(bvh_cache, is_shared_by_programs_that_write_at_once) {
    ::unsetenv("WARPATH_BVH_CACHE");
    const LampFolder folder;
    for (int round = 0; round < 5; ++round) {
        std::filesystem::remove_all(folder / "trees");
        std::list<Program> programs;
        for (int i = 0; i < 4; ++i) programs.emplace_back(folder.path(), words("info lamp.obj --bvh-cache trees"));
        for (Program& program : programs) {
            const test::RunResult run = program.wait();
            EXPECT_EQ(run.status, 0) << run.err;
            EXPECT_TRUE(contains(run.out, "bvh cache: kept\n") || contains(run.out, "bvh cache: read\n")) << run.out;
            EXPECT_FALSE(contains(run.out, "warning: ")) << run.out;
        }
        size_t num_files = 0;
        for (const auto& entry : std::filesystem::directory_iterator(folder / "trees"))
            num_files += entry.path().extension() == ".bvh" ? 1 : 100;
        EXPECT_EQ(num_files, 1u) << "a temporary file was left";
        EXPECT_TRUE(
            contains(run_program(folder.path(), words("info lamp.obj --bvh-cache trees")).out, "bvh cache: read\n"));
    }
}

}  // namespace
}  // namespace warpath
