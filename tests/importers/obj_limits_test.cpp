#include <gtest/gtest.h>

#include <fstream>

#include "importers/registry.h"
#include "support/temporary_folder.h"
#include "warpath/error.h"

namespace warpath {
namespace {

std::string message_of_face_with(size_t num_corners) {
    const test::TemporaryFolder folder;
    const std::filesystem::path path = folder.path() / "face.obj";
    {
        std::ofstream file(path);
        file << "v 0 0 0\nv 1 0 0\nv 0 1 0\nf";
        for (size_t i = 0; i < num_corners; ++i) file << ' ' << i % 3 + 1;
        file << '\n';
    }
    try {
        import_obj(path);
    } catch (const Error& error) {
        return error.what();
    }
    return "loaded";
}

TEST(obj_limits, a_face_with_too_many_corners_is_refused_at_once) {
    const std::string message = message_of_face_with(65537);
    EXPECT_NE(message.find("65537 corners"), std::string::npos) << message;
    EXPECT_NE(message.find(":4"), std::string::npos) << "names the line: " << message;
}

}  // namespace
}  // namespace warpath
