#include "api/bvh_cache.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <functional>
#include <string>

#include "support/temporary_folder.h"
#include "warpath/error.h"
#include "warpath/scene.h"

/// A folder of finished BVHs, and what can be wrong with it.
namespace warpath {
namespace {

namespace fs = std::filesystem;
using test::file_bytes;
using test::TemporaryFolder;

/// A strip of triangles as an OBJ file.
class Strip {
  public:
    explicit Strip(int num_triangles = 200) {
        std::string text;
        for (int i = 0; i < num_triangles + 2; ++i)
            text += "v " + std::to_string(i) + " " + std::to_string(i % 2) + " " + std::to_string(i % 3) + "\n";
        for (int i = 1; i <= num_triangles; ++i)
            text += "f " + std::to_string(i) + " " + std::to_string(i + 1) + " " + std::to_string(i + 2) + "\n";
        path_ = folder_.write("strip.obj", text);
    }
    LoadedScene load(const fs::path& cache, BvhQuality quality = BvhQuality::Balanced) const {
        LoadOptions options;
        options.bvh = quality, options.bvh_cache = cache;
        return LoadedScene::load(path_, options);
    }

  private:
    TemporaryFolder folder_;
    fs::path path_;
};

std::vector<fs::path> files_in(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
    return files;
}

/// Warnings that speak of the BVH.
std::vector<std::string> bvh_warnings(const LoadedScene& scene) {
    std::vector<std::string> found;
    for (const std::string& warning : scene.info().warnings)
        if (warning.find("BVH") != std::string::npos) found.push_back(warning);
    return found;
}

TEST(bvh_cache, keeps_a_tree_and_finds_it_again) {
    const TemporaryFolder folder;
    const Strip strip;
    const LoadedScene first = strip.load(folder / "new/cache"), second = strip.load(folder / "new/cache"),
                      without = strip.load({});
    EXPECT_EQ(first.info().bvh_cache, "kept");
    EXPECT_EQ(second.info().bvh_cache, "read");
    EXPECT_EQ(without.info().bvh_cache, "off");
    EXPECT_EQ(first.info().bvh_quality, "balanced");
    EXPECT_EQ(files_in(folder / "new/cache").size(), 1u);
    EXPECT_TRUE(bvh_warnings(first).empty() && bvh_warnings(second).empty());
    EXPECT_EQ(first.info().bvh_sah_cost, second.info().bvh_sah_cost);
    EXPECT_EQ(first.info().bvh_nodes, second.info().bvh_nodes);
    EXPECT_EQ(first.info().bvh_bytes, second.info().bvh_bytes);
}

TEST(bvh_cache, keeps_other_options_and_scenes_apart) {
    const TemporaryFolder folder;
    const Strip strip, longer(201);
    strip.load(folder.path(), BvhQuality::Fast);
    EXPECT_EQ(strip.load(folder.path(), BvhQuality::Best).info().bvh_cache, "kept");
    EXPECT_EQ(longer.load(folder.path(), BvhQuality::Fast).info().bvh_cache, "kept");
    EXPECT_EQ(strip.load(folder.path(), BvhQuality::Fast).info().bvh_cache, "read");
    EXPECT_EQ(folder.num_entries(), 3u);
}

/// Spoils the one kept file; the next load must say so once, build, and put a good file in its place.
void expect_replaced(const std::string& said, const std::function<std::string(std::string)>& spoil) {
    const TemporaryFolder folder;
    const Strip strip;
    strip.load(folder.path());
    const fs::path file = files_in(folder.path()).at(0);
    const std::string good = file_bytes(file);
    folder.write(file.filename().string(), spoil(good));
    const LoadedScene again = strip.load(folder.path());
    EXPECT_EQ(again.info().bvh_cache, "kept");
    ASSERT_EQ(bvh_warnings(again).size(), 1u);
    EXPECT_NE(bvh_warnings(again)[0].find(said), std::string::npos) << bvh_warnings(again)[0];
    EXPECT_EQ(file_bytes(file), good) << "not the file of before";
    EXPECT_EQ(strip.load(folder.path()).info().bvh_cache, "read");
    EXPECT_EQ(folder.num_entries(), 1u);
}

TEST(bvh_cache, replaces_a_damaged_file) {
    expect_replaced("damaged", [](std::string bytes) { return bytes[bytes.size() / 2] ^= 4, bytes; });
}
TEST(bvh_cache, replaces_a_truncated_file) {
    expect_replaced("truncated", [](std::string bytes) { return bytes.substr(0, bytes.size() - 100); });
    expect_replaced("truncated", [](std::string) { return std::string(); });
}
TEST(bvh_cache, replaces_a_file_of_another_version) {
    expect_replaced("is of version", [](std::string bytes) { return bytes[8] ^= 64, bytes; });
}
TEST(bvh_cache, replaces_a_file_of_another_kind) {
    expect_replaced("is no BVH", [](std::string) { return std::string(500, 'x'); });
}

TEST(bvh_cache, warns_once_where_nothing_can_be_written) {
    const TemporaryFolder folder;
    const Strip strip;
    folder.write("file", "");
    // A file is no folder, and in the second one nobody can make files.
    for (const fs::path& place : {folder / "file", fs::path("/proc/self")}) {
        const LoadedScene scene = strip.load(place);
        EXPECT_EQ(scene.info().bvh_cache, "not kept");
        ASSERT_EQ(bvh_warnings(scene).size(), 1u);
        EXPECT_NE(bvh_warnings(scene)[0].find("not kept"), std::string::npos);
    }
}

TEST(bvh_cache, reads_from_a_read_only_folder_and_warns_where_it_cannot_add) {
    if (::geteuid() == 0) GTEST_SKIP() << "root may write anywhere";
    const TemporaryFolder folder;
    const Strip strip;
    strip.load(folder.path(), BvhQuality::Fast);
    ::chmod(folder.path().c_str(), 0500);
    const LoadedScene found = strip.load(folder.path(), BvhQuality::Fast),
                      added = strip.load(folder.path(), BvhQuality::Best);
    ::chmod(folder.path().c_str(), 0700);
    EXPECT_EQ(found.info().bvh_cache, "read");
    EXPECT_TRUE(bvh_warnings(found).empty());
    EXPECT_EQ(added.info().bvh_cache, "not kept");
    EXPECT_EQ(bvh_warnings(added).size(), 1u);
}

TEST(bvh_quality, has_names_that_are_understood) {
    for (const BvhQuality quality : {BvhQuality::Fast, BvhQuality::Balanced, BvhQuality::Best})
        EXPECT_EQ(bvh_quality_of(bvh_quality_name(quality)), quality);
    EXPECT_EQ(bvh_quality_of("splits"), BvhQuality::Balanced);
    EXPECT_THROW(bvh_quality_of("slow"), Error);
}

}  // namespace
}  // namespace warpath
