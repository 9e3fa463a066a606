// `warpath render` and the profiles of `warpath tune`.

#include <nlohmann/json.hpp>

#include "cli/run_program.h"
#include "warpath/profile.h"

namespace warpath {
namespace {

using test::contains;
using test::file_bytes;
using test::LampFolder;
using test::RunResult;

/// Keeps a profile where a render of the lamp on the CPU looks for it: by the scheduler that `auto` picks where all camera rays hit. Gives its file.
std::filesystem::path keep_profile(const LampFolder& folder) {
    RenderOptions options;
    options.backend = "cpu", options.scheduler = "persistent";
    Profile profile;
    profile.key = profile_key(LoadedScene::load(folder / "lamp.obj"), options);
    profile.batch = 3, profile.pool = 32;
    return save_profile(profile, folder / "data/warpath/profiles");
}

nlohmann::json options_of(const LampFolder& folder) { return nlohmann::json::parse(file_bytes(folder / "run.json"))["options"]; }

TEST(profile, is_used_where_no_flag_is_given_and_the_log_says_so) {
    const LampFolder folder;
    ASSERT_EQ(folder.render("-o plain.pfm --size 16x16 --spp 4").status, 0);
    const std::string file = keep_profile(folder).string();
    const RunResult run = folder.render("-o tuned.pfm --size 16x16 --spp 4 --json run.json");
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_TRUE(contains(run.err, "profile")) << run.err;
    EXPECT_TRUE(contains(run.err, "batch 3, pool 32")) << run.err;
    EXPECT_EQ(options_of(folder)["batch"], 3);
    EXPECT_EQ(options_of(folder)["pool"], 32);
    EXPECT_TRUE(contains(file, options_of(folder)["profile"].get<std::string>().substr(5)));
    EXPECT_EQ(file_bytes(folder / "plain.pfm"), file_bytes(folder / "tuned.pfm")) << "a profile changed the image";
}

TEST(profile, can_be_turned_off_and_gives_way_to_flags) {
    const LampFolder folder;
    keep_profile(folder);
    ASSERT_EQ(folder.render("-o a.pfm --size 4x4 --spp 1 --json run.json --profile none").status, 0);
    EXPECT_EQ(options_of(folder)["batch"], 0);
    ASSERT_EQ(folder.render("-o a.pfm --size 4x4 --spp 1 --json run.json --batch 7").status, 0);
    EXPECT_EQ(options_of(folder)["batch"], 7);
    EXPECT_EQ(options_of(folder)["pool"], 0) << "half of a profile is none";
}

TEST(profile, that_is_damaged_is_ignored_with_a_warning) {
    const LampFolder folder;
    const auto file = keep_profile(folder);
    std::ofstream(file) << "{";
    const RunResult run = folder.render("-o a.pfm --size 4x4 --spp 1 --json run.json");
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_TRUE(contains(run.err, "ignored")) << run.err;
    EXPECT_EQ(options_of(folder)["batch"], 0);
}

TEST(profile, that_is_named_must_be_there_and_whole) {
    const LampFolder folder;
    const auto file = keep_profile(folder);
    EXPECT_EQ(folder.render("-o a.pfm --size 4x4 --spp 1 --profile " + file.string()).status, 0);
    EXPECT_EQ(folder.render("-o a.pfm --size 4x4 --spp 1 --profile none-such.json").status, 1);
    EXPECT_EQ(folder.render("-o a.pfm --size 4x4 --spp 1 --batch 4 --profile " + file.string()).status, 2);
    std::ofstream(file) << "[]";
    EXPECT_EQ(folder.render("-o a.pfm --size 4x4 --spp 1 --profile " + file.string()).status, 1);
}

}  // namespace
}  // namespace warpath
