#include "warpath/profile.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "support/temporary_folder.h"
#include "warpath/error.h"

namespace warpath {
namespace {

using test::TemporaryFolder;

Profile some_profile() {
    Profile profile;
    profile.key = {"NVIDIA H200", "cuda", "persistent", "large-many"};
    profile.batch = 64, profile.block_size = 512, profile.refill_below = 24;
    profile.default_ms = 10, profile.tuned_ms = 9;
    profile.scene = "sponza", profile.date = "today";
    return profile;
}

nlohmann::json document_of(const std::filesystem::path& file) { return nlohmann::json::parse(std::ifstream(file)); }

TEST(profile, is_found_again_by_its_key) {
    const TemporaryFolder folder;
    const Profile saved = some_profile();
    const auto file = save_profile(saved, folder / "deep/profiles");
    const FoundProfile found = find_profile(saved.key, folder / "deep/profiles");
    ASSERT_TRUE(found.profile);
    EXPECT_EQ(found.file, file);
    EXPECT_EQ(found.warning, "");
    RenderOptions options;
    apply_profile(*found.profile, options);
    EXPECT_EQ(options.batch, 64u);
    EXPECT_EQ(options.block_size, 512u);
    EXPECT_EQ(options.refill_below, 24u);
    EXPECT_EQ(options.pool, 0u);
    EXPECT_EQ(profile_text(*found.profile), "batch 64, block_size 512, refill_below 24");
}

TEST(profile, of_another_device_scheduler_or_class_is_not_found) {
    const TemporaryFolder folder;
    save_profile(some_profile(), folder.path());
    for (std::string ProfileKey::*member : {&ProfileKey::device, &ProfileKey::backend, &ProfileKey::scheduler, &ProfileKey::scene_class}) {
        ProfileKey other = some_profile().key;
        other.*member = "other";
        const FoundProfile found = find_profile(other, folder.path());
        EXPECT_FALSE(found.profile);
        EXPECT_EQ(found.warning, "");
    }
}

TEST(profile, damaged_or_foreign_files_are_ignored_with_a_warning) {
    const Profile saved = some_profile();
    const auto changed = [&](auto change) {
        const TemporaryFolder folder;
        const auto file = save_profile(saved, folder.path());
        nlohmann::json document = document_of(file);
        change(document);
        std::ofstream(file) << document;
        return find_profile(saved.key, folder.path());
    };
    const std::vector<FoundProfile> found = {
        changed([](auto& document) { document = nullptr; }),
        changed([](auto& document) { document = nlohmann::json::array(); }),
        changed([](auto& document) { document.erase("batch"); }),
        changed([](auto& document) { document["batch"] = -1; }),
        changed([](auto& document) { document["pool"] = 1e12; }),
        changed([](auto& document) { document["refill_below"] = 33; }),
        changed([](auto& document) { document["block_size"] = "512"; }),
        changed([](auto& document) { document["version"] = "0.0.1"; }),
        changed([](auto& document) { document["warpath_profile"] = 2; }),
        changed([](auto& document) { document["key"]["device"] = "another"; }),
        changed([](auto& document) { document["key"] = "text"; }),
        changed([](auto& document) { document["default_ms"] = "fast"; }),
    };
    for (size_t i = 0; i < found.size(); ++i) {
        EXPECT_FALSE(found[i].profile) << i;
        EXPECT_NE(found[i].warning.find(found[i].file.string()), std::string::npos) << i << ": " << found[i].warning;
        EXPECT_NE(found[i].warning.find("ignored"), std::string::npos) << i << ": " << found[i].warning;
    }
}

TEST(profile, cut_off_text_is_ignored_with_a_warning) {
    const TemporaryFolder folder;
    const auto file = save_profile(some_profile(), folder.path());
    std::filesystem::resize_file(file, std::filesystem::file_size(file) / 2);
    const FoundProfile found = find_profile(some_profile().key, folder.path());
    EXPECT_FALSE(found.profile);
    EXPECT_NE(found.warning.find("damaged"), std::string::npos) << found.warning;
    EXPECT_THROW(read_profile(file), Error);
    EXPECT_THROW(read_profile(folder / "none.json"), Error);
}

TEST(profile, is_written_whole_or_not_at_all) {
    const TemporaryFolder folder;
    std::ofstream(folder / "file") << "no folder";
    EXPECT_THROW(save_profile(some_profile(), folder / "file"), Error);
    save_profile(some_profile(), folder / "profiles");
    size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder / "profiles")) files += entry.is_regular_file();
    EXPECT_EQ(files, 1u) << "a temporary file stayed behind";
}

TEST(profile, lies_in_the_users_data_folder) {
    setenv("XDG_DATA_HOME", "/somewhere", 1);
    EXPECT_EQ(profile_folder(), "/somewhere/warpath/profiles");
    setenv("XDG_DATA_HOME", "relative", 1);
    setenv("HOME", "/elsewhere", 1);
    EXPECT_EQ(profile_folder(), "/elsewhere/.local/share/warpath/profiles");
    unsetenv("XDG_DATA_HOME");
    unsetenv("HOME");
    EXPECT_EQ(profile_folder(), "");
    EXPECT_FALSE(find_profile(some_profile().key, profile_folder()).profile);
}

TEST(profile, key_says_what_render_would_choose) {
    const LoadedScene scene = LoadedScene::load(WARPATH_SOURCE_DIR "/scenes/triangle.obj");
    RenderOptions options;
    options.backend = "cpu", options.num_threads = 2;
    const ProfileKey key = profile_key(scene, options);
    EXPECT_EQ(key.backend, "cpu");
    EXPECT_EQ(key.scheduler, "megakernel-persistent") << "what auto picks";
    EXPECT_EQ(key.scene_class, "small");
    EXPECT_NE(key.device.find("2 threads"), std::string::npos) << key.device;
    options.num_threads = 1;
    EXPECT_NE(profile_key(scene, options).device, key.device);
    options.backend = "cuda", options.scheduler = "launch";
    options.width = 1920, options.height = 1080, options.spp = 1;
    EXPECT_EQ(profile_key(scene, options).scene_class, "small-many");
    EXPECT_EQ(profile_key(scene, options).scheduler, "launch");
}

}  // namespace
}  // namespace warpath
