#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <set>

#include "support/temporary_folder.h"
#include "warpath/error.h"
#include "warpath/image.h"
#include "warpath/scene.h"

/// Loading a scene while somebody watches, and may not want it any more.
namespace warpath {
namespace {

/// A strip of quads with a texture: more lines, and more triangles, than are read or built between two looks at the flag.
class LargeScene {
  public:
    LargeScene() {
        Image image;
        image.width = image.height = 4;
        for (const char* name : {"R", "G", "B"}) image.channels.push_back({name, std::vector<float>(16, 0.5f)});
        write_image(image, folder_ / "grey.png");
        folder_.write("strip.mtl", "newmtl grey\nmap_Kd grey.png\n");
        std::string text = "mtllib strip.mtl\nusemtl grey\n";
        const int num_quads = 30000;
        for (int i = 0; i <= num_quads; ++i)
            text += "v " + std::to_string(i) + " 0 0\nv " + std::to_string(i) + " 1 0\nvt 0 0\nvt 1 0\n";
        for (int i = 0; i < num_quads; ++i) {
            const auto corner = [](int v) { return std::to_string(v) + "/" + std::to_string(v); };
            text += "f " + corner(2 * i + 1) + " " + corner(2 * i + 2) + " " + corner(2 * i + 4) + " " + corner(2 * i + 3) + "\n";
        }
        path_ = folder_.write("strip.obj", text);
    }
    const std::filesystem::path& path() const { return path_; }

  private:
    test::TemporaryFolder folder_;
    std::filesystem::path path_;
};

TEST(loading, tells_how_far_it_is) {
    const LargeScene file;
    std::vector<LoadProgress> told;
    LoadOptions options;
    options.progress = [&](const LoadProgress& progress) { told.push_back(progress); };
    LoadedScene::load(file.path(), options);
    std::set<LoadStage> stages;
    for (size_t i = 0; i < told.size(); ++i) {
        EXPECT_TRUE(told[i].share >= 0.0 && told[i].share <= 1.0);
        if (i > 0) {
            EXPECT_GE(told[i].stage, told[i - 1].stage);
            if (told[i].stage == told[i - 1].stage) {
                EXPECT_GE(told[i].share, told[i - 1].share);
            }
        }
        stages.insert(told[i].stage);
        EXPECT_NE(std::string(describe(told[i].stage)), "");
    }
    EXPECT_EQ(stages.size(), 6u) << "each stage once at least";
    EXPECT_EQ(told.back().stage, LoadStage::Done);
    const auto within = std::find_if(told.begin(), told.end(), [](const LoadProgress& p) { return p.stage == LoadStage::Reading && p.share > 0.1; });
    EXPECT_NE(within, told.end()) << "a long file tells of its middle too";
    const auto texture = std::find_if(told.begin(), told.end(), [](const LoadProgress& p) { return p.stage == LoadStage::Textures; });
    ASSERT_NE(texture, told.end());
    EXPECT_NE(texture->item.find("grey.png"), std::string::npos);
}

TEST(loading, stops_in_every_stage_when_told_to) {
    const LargeScene file;
    for (int last = -1; last < 6; ++last) {
        std::atomic<bool> stop{last < 0};
        int num_later = 0;
        LoadOptions options;
        options.stop = &stop;
        options.progress = [&](const LoadProgress& progress) {
            num_later += static_cast<int>(progress.stage) > last;
            if (static_cast<int>(progress.stage) == last) stop = true;
        };
        if (last == static_cast<int>(LoadStage::Done)) {
            EXPECT_EQ(LoadedScene::load(file.path(), options).info().num_triangles, 60000u) << "too late";
            continue;
        }
        try {
            LoadedScene::load(file.path(), options);
            ADD_FAILURE() << "stage " << last << " was not stopped";
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::Stopped) << error.what();
        }
        EXPECT_EQ(num_later, 0) << "nothing is begun after stage " << last;
    }
}

}  // namespace
}  // namespace warpath
