#include <gtest/gtest.h>

#include "importers/obj_loading.h"

namespace warpath::test {
namespace {

const std::string vertices = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";

std::string lamp(const std::string& name, const std::string& ke) { return "newmtl " + name + "\nKe " + ke + "\n"; }

class ObjMaterials : public ::testing::Test {
  protected:
    ObjFolder folder_;
};

TEST_F(ObjMaterials, libraries_are_a_list_and_the_first_definition_wins) {
    folder_.write("a.mtl", lamp("plain", "1 0 0") + lamp("twice", "0 1 0"));
    folder_.write("b.mtl", lamp("twice", "1 0 0") + lamp("other", "0 0 1"));
    const Scene scene = folder_.load("mtllib a.mtl b.mtl\n" + vertices +
                                     "usemtl twice\nf 1 2 3\nusemtl other\nf 1 2 3\nusemtl plain\nf 1 2 3\n");
    EXPECT_EQ(material(scene, "twice").emission, Vec3(0, 1, 0));
    EXPECT_EQ(material(scene, "other").emission, Vec3(0, 0, 1));
    EXPECT_EQ(material(scene, "plain").emission, Vec3(1, 0, 0));
    EXPECT_TRUE(scene.warnings.empty());
}

TEST_F(ObjMaterials, library_names_may_hold_spaces) {
    folder_.write("third set.mtl", lamp("third", "1 0 1"));
    folder_.write("a.mtl", lamp("first", "1 0 0"));
    const Scene alone = folder_.load("mtllib third set.mtl\n" + vertices + "usemtl third\nf 1 2 3\n");
    EXPECT_EQ(material(alone, "third").emission, Vec3(1, 0, 1));
    EXPECT_TRUE(alone.warnings.empty());
    const Scene listed =
        folder_.load("mtllib a.mtl third set.mtl\n" + vertices + "usemtl third\nf 1 2 3\nusemtl first\nf 1 2 3\n");
    EXPECT_EQ(material(listed, "third").emission, Vec3(1, 0, 1));
    EXPECT_TRUE(listed.warnings.empty());
}

TEST_F(ObjMaterials, a_library_named_after_its_use_counts) {
    folder_.write("late.mtl", lamp("early", "1 1 0"));
    const Scene scene = folder_.load("usemtl early\n" + vertices + "f 1 2 3\nmtllib late.mtl\n");
    EXPECT_EQ(material(scene, "early").emission, Vec3(1, 1, 0));
}

TEST_F(ObjMaterials, names_hold_spaces_and_stay_across_objects_and_groups) {
    folder_.write("a.mtl", lamp("red oak", "1 0 0") + lamp("red", "0 1 0"));
    const Scene scene = folder_.load("mtllib a.mtl\n" + vertices +
                                     "usemtl red oak  \nf 1 2 3\no two\ng three\nf 1 2 3\nusemtl red\nf 1 2 3\n");
    EXPECT_EQ(scene.material_names, (std::vector<std::string>{"red oak", "red"}));
    EXPECT_EQ(scene.meshes[0].material_ids, (std::vector<uint32_t>{0, 0, 1}));
}

TEST_F(ObjMaterials, unknown_names_give_one_warning_and_a_visible_grey) {
    folder_.write("a.mtl", "");
    const Scene scene =
        folder_.load("mtllib a.mtl\n" + vertices + "usemtl nowhere\nf 1 2 3\nf 1 2 3\nusemtl gone\nf 1 2 3\n");
    ASSERT_EQ(scene.warnings.size(), 1u);
    EXPECT_TRUE(contains(scene.warnings[0], "'nowhere'"));
    EXPECT_TRUE(contains(scene.warnings[0], "'gone'"));
    EXPECT_GT(min_component(material(scene, "nowhere").base_color), 0.2f);
    EXPECT_EQ(material(scene, "nowhere").alpha_mode, AlphaMode::Opaque);
}

TEST_F(ObjMaterials, a_missing_library_is_a_warning_with_its_name) {
    const Scene scene = folder_.load("mtllib gone.mtl\n" + vertices + "usemtl a\nf 1 2 3\n");
    EXPECT_EQ(num_warnings_with(scene, "gone.mtl"), 1u);
    EXPECT_EQ(scene.meshes[0].triangles.size(), 1u);
}

TEST_F(ObjMaterials, an_unused_or_absent_library_is_no_reason_to_warn) {
    folder_.write("a.mtl", lamp("never used", "1 1 1"));
    EXPECT_TRUE(folder_.load("mtllib a.mtl\n" + vertices + "f 1 2 3\n").warnings.empty());
    EXPECT_TRUE(folder_.load(vertices + "f 1 2 3\n").warnings.empty());
}

TEST_F(ObjMaterials, textures_count_from_the_mtl_file) {
    std::filesystem::create_directories(folder_.path() / "materials/maps");
    folder_.write("materials/a.mtl", "newmtl a\nmap_Kd maps\\wood.ppm\n");
    folder_.write("materials/maps/wood.ppm", std::string("P6\n1 1\n255\n\x10\x20\x30", 14));
    const Scene scene = folder_.load("mtllib materials\\a.mtl\n" + vertices + "usemtl a\nf 1 2 3\n");
    ASSERT_EQ(scene.textures.size(), 1u);
    EXPECT_EQ(scene.textures[0].texels8, (std::vector<uint8_t>{16, 32, 48, 255}));
    EXPECT_TRUE(scene.warnings.empty());
}

TEST_F(ObjMaterials, a_missing_texture_is_a_warning_and_a_default) {
    folder_.write("a.mtl", "newmtl a\nmap_Kd gone.png\n");
    const Scene scene = folder_.load("mtllib a.mtl\n" + vertices + "usemtl a\nf 1 2 3\n");
    EXPECT_EQ(num_warnings_with(scene, "gone.png"), 1u);
    EXPECT_EQ(material(scene, "a").base_color_tex.texture, 0u);
    EXPECT_EQ(scene.textures.size(), 1u);
}

}  // namespace
}  // namespace warpath::test
