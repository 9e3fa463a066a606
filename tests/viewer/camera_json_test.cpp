#include "viewer/camera_json.h"

#include <gtest/gtest.h>

#include "support/temporary_folder.h"
#include "warpath/error.h"

namespace warpath::viewer {
namespace {

const CameraOption camera{{0.1f, 2.7182817f, -3e-7f}, {1, 2, 3}, {0, 0, 1}, 33.3f, 0.012f, 4.5f};

TEST(CameraJson, comes_back_to_the_last_bit) {
    const nlohmann::json json = nlohmann::json::parse(camera_json(camera).dump());
    EXPECT_TRUE(camera_from_json(json, "here") == camera);
}

TEST(CameraJson, a_pinhole_says_nothing_of_its_lens) {
    CameraOption pinhole = camera;
    pinhole.aperture = pinhole.focus_distance = 0;
    EXPECT_FALSE(camera_json(pinhole).contains("aperture"));
}

TEST(CameraJson, what_is_no_camera_is_refused_with_its_place) {
    for (const char* text : {"[]", "{}", R"({"eye": [0,0,1]})", R"({"eye": [0,0,1], "target": [0,0]})", R"({"eye": [0,0,1], "target": "a"})",
                             R"({"eye": [0,0,1], "target": [0,0,1]})", R"({"eye": [0,1,0], "target": [0,0,0]})",
                             R"({"eye": [0,0,1], "target": [0,0,0], "vfov_deg": 180})", R"({"eye": [0,0,1], "target": [0,0,0], "aperture": -1})",
                             R"({"eye": [0,0,1], "target": [0,0,0], "zoom": 2})", R"({"eye": [0,0,1e99], "target": [0,0,0]})"}) {
        try {
            camera_from_json(nlohmann::json::parse(text), "the place");
            ADD_FAILURE() << text << " was taken";
        } catch (const Error& e) {
            EXPECT_EQ(e.code(), ErrorCode::BadInput);
            EXPECT_EQ(std::string(e.what()).find("the place: "), 0u) << e.what();
        }
    }
}

TEST(Bookmarks, are_written_and_read) {
    const test::TemporaryFolder folder;
    const auto path = folder.path() / "views.json";
    EXPECT_TRUE(read_bookmarks(path).empty());
    write_bookmarks(path, {{"a \"view\"", camera}, {"another", camera}});
    const std::vector<Bookmark> bookmarks = read_bookmarks(path);
    ASSERT_EQ(bookmarks.size(), 2u);
    EXPECT_EQ(bookmarks[0].name, "a \"view\"");
    EXPECT_TRUE(bookmarks[1].camera == camera);
}

TEST(Bookmarks, a_broken_file_is_refused) {
    test::TemporaryFolder folder;
    for (const char* text : {"", "{", "{}", "[1]", R"([{"eye": [0,0,1], "target": [0,0,0], "name": 3}])"}) {
        folder.write("views.json", text);
        EXPECT_THROW(read_bookmarks(folder.path() / "views.json"), Error) << text;
    }
}

}  // namespace
}  // namespace warpath::viewer
