#include "importers/registry.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "importers/importer.h"
#include "support/temporary_folder.h"
#include "warpath/error.h"

namespace warpath::test {
namespace {

const char* triangle_obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

std::string error_of(const std::filesystem::path& path, ErrorCode code) {
    try {
        import_scene(path);
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), code) << error.what();
        EXPECT_NE(std::string(error.what()).find(path.string()), std::string::npos) << error.what();
        return error.what();
    }
    ADD_FAILURE() << "no error for " << path;
    return "";
}

TEST(ImportScene, says_why_a_file_cannot_be_opened) {
    const TemporaryFolder folder;
    EXPECT_NE(error_of(folder / "absent.obj", ErrorCode::Io).find("no such file"), std::string::npos);
    EXPECT_NE(error_of(folder.path(), ErrorCode::Io).find("directory"), std::string::npos);
    EXPECT_NE(error_of(folder.write("empty.obj", ""), ErrorCode::BadInput).find("empty"), std::string::npos);
    EXPECT_NE(error_of("/dev/null", ErrorCode::Io).find("not a regular file"), std::string::npos);
    if (::geteuid() == 0) return;  // root may read everything
    const auto locked = folder.write("locked.obj", triangle_obj);
    std::filesystem::permissions(locked, std::filesystem::perms::none);
    EXPECT_NE(error_of(locked, ErrorCode::Io).find("permission"), std::string::npos);
}

TEST(ImportScene, binary_garbage_is_named_with_the_formats_there_are) {
    const TemporaryFolder folder;
    std::string garbage;
    for (int i = 0; i < 5000; ++i) garbage.push_back(static_cast<char>(i * 37 % 256));
    for (const char* name : {"a.obj", "a.gltf", "a.json", "a.bin"}) {
        const std::string message = error_of(folder.write(name, garbage), ErrorCode::BadInput);
        EXPECT_NE(message.find("binary"), std::string::npos);
        EXPECT_NE(message.find("Wavefront OBJ"), std::string::npos);
    }
    EXPECT_NE(error_of(folder.write("u.obj", std::string("\xff\xfev\0 \0", 6)), ErrorCode::BadInput).find("UTF-16"),
              std::string::npos);
}

TEST(ImportScene, content_decides_where_the_extension_says_nothing) {
    const TemporaryFolder folder;
    EXPECT_EQ(import_scene(folder.write("model.txt", triangle_obj)).meshes.at(0).triangles.size(), 1u);
    EXPECT_EQ(import_scene(folder.write("MODEL.OBJ", triangle_obj)).meshes.at(0).triangles.size(), 1u);
}

TEST(ImportScene, table_lists_every_format_once) {
    ASSERT_EQ(importers().size(), 3u);
    for (const Importer& i : importers()) {
        EXPECT_FALSE(i.name.empty());
        EXPECT_TRUE(i.extensions.starts_with('.'));
        EXPECT_EQ(i.matches(std::string_view("\x01\x00\x02", 3)), ContentMatch::No) << i.name;
    }
}

TEST(ImportScene, every_truncation_of_an_obj_loads_or_is_an_error) {
    const TemporaryFolder folder;
    const std::string whole =
        "mtllib a.mtl\nusemtl b\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\ns 1\nf 1/1/1 2/1/1 -2/1/1 "
        "4/1/1\n";
    for (size_t n = 0; n < whole.size(); ++n) {
        const auto path = folder.write("cut.obj", whole.substr(0, n));
        try {
            EXPECT_FALSE(import_scene(path).meshes.at(0).triangles.empty());
        } catch (const Error&) {
        }
    }
}

}  // namespace
}  // namespace warpath::test
