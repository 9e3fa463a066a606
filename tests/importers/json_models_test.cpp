#include <gtest/gtest.h>

#include <set>

#include "importers/json_scene_file.h"

namespace warpath {
namespace {

const char* const two_squares_obj = R"(mtllib squares.mtl
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
usemtl red
f 1 2 3 4
usemtl painted
f 4 3 2 1
)";
const char* const two_squares_mtl = R"(newmtl red
Kd 1 0 0
newmtl painted
Kd 0.5 0.5 0.5
map_Kd paint.ppm
)";

class JsonModels : public testing::Test {
  protected:
    void SetUp() override {
        folder.write("squares.obj", two_squares_obj);
        folder.write("squares.mtl", two_squares_mtl);
        folder.write("paint.ppm", "P6 1 1 255\n\xFF\xFF\x01");
    }
    /// Base colours of the materials that the scene's triangles use.
    static std::set<float> used_reds(const Scene& scene) {
        std::set<float> reds;
        for (const Mesh& mesh : scene.meshes)
            for (const uint32_t id : mesh.material_ids) reds.insert(scene.materials.at(id).base_color.x);
        return reds;
    }
    SceneFolder folder;
};

TEST_F(JsonModels, bring_their_materials_and_textures) {
    folder.write("other.ppm", "P6 2 1 255\n\x01\x01\x01\x02\x02\x02");
    const Scene scene = folder.load(R"({"materials": [{"name": "own", "textures": {"base_color": "other.ppm"}}],
        "models": [{"file": "squares.obj"}]})");
    ASSERT_GE(scene.materials.size(), 3u);
    EXPECT_EQ(scene.materials.size(), scene.material_names.size());
    bool found = false;
    for (size_t i = 0; i < scene.materials.size(); ++i) {
        if (scene.material_names[i] != "painted") continue;
        found = true;
        ASSERT_TRUE(scene.materials[i].base_color_tex.valid());
        EXPECT_EQ(scene.textures[scene.materials[i].base_color_tex.texture].width, 1u);
    }
    EXPECT_TRUE(found);
    EXPECT_EQ(scene.textures[scene.materials[0].base_color_tex.texture].width, 2u);
}

TEST_F(JsonModels, are_placed_by_their_transform_and_loaded_once) {
    const Scene once = folder.load(R"({"models": [{"file": "squares.obj"}]})");
    const Scene scene = folder.load(R"({"models": [
        {"file": "squares.obj", "repeat": [{"count": 2, "step": [0, 5, 0]}]},
        {"file": "squares.obj", "name": "again", "transform": {"translate": [9, 0, 0]}}]})");
    EXPECT_EQ(scene.meshes.size(), once.meshes.size());
    EXPECT_EQ(scene.materials.size(), once.materials.size());
    EXPECT_EQ(scene.textures.size(), once.textures.size());
    ASSERT_EQ(scene.instances.size(), 3 * once.instances.size());
    EXPECT_EQ(glm::dvec3(scene.instances.back().to_world[3]), glm::dvec3(9, 0, 0));
}

TEST_F(JsonModels, overrides_replace_or_change_materials_by_name) {
    const Scene scene = folder.load(R"({"materials": [{"name": "own", "base_color": 0.25}],
        "models": [{"file": "squares.obj", "material_overrides": {"red": "own", "painted": {"base_color": 0.125}}}]})");
    EXPECT_EQ(used_reds(scene), (std::set<float>{0.125f, 0.25f}));
    bool keeps_texture = false;
    for (const Material& m : scene.materials)
        keeps_texture = keeps_texture || (m.base_color.x == 0.125f && m.base_color_tex.valid());
    EXPECT_TRUE(keeps_texture) << "what an override does not name stays";
}

TEST_F(JsonModels, overrides_differ_between_uses_of_one_file) {
    const Scene scene = folder.load(R"({"models": [
        {"file": "squares.obj", "material_overrides": {"red": {"base_color": 0.25}}}, {"file": "squares.obj"}]})");
    EXPECT_EQ(used_reds(scene), (std::set<float>{0.25f, 0.5f, 1.0f}));
}

TEST_F(JsonModels, one_material_can_replace_all) {
    const Scene scene = folder.load(R"({"materials": [{"name": "clay", "base_color": 0.75}],
        "models": [{"file": "squares.obj", "material": "clay"}]})");
    EXPECT_EQ(used_reds(scene), std::set<float>{0.75f});
}

TEST_F(JsonModels, an_override_of_no_material_is_an_error) {
    const std::string message =
        folder.error_of(R"({"models": [{"file": "squares.obj", "material_overrides": {"rad": {}}}]})");
    EXPECT_EQ(message,
              "scene.json: /models/0/material_overrides/rad is no material of the model; did you mean \"red\"?");
}

TEST_F(JsonModels, gltf_cameras_and_lights_move_with_the_model) {
    folder.write("lit.gltf", R"({"asset": {"version": "2.0"}, "extensionsUsed": ["KHR_lights_punctual"],
        "extensions": {"KHR_lights_punctual": {"lights": [{"type": "point", "intensity": 2}]}},
        "cameras": [{"type": "perspective", "perspective": {"yfov": 1, "znear": 0.1}}],
        "nodes": [{"camera": 0, "translation": [0, 0, 4]}, {"extensions": {"KHR_lights_punctual": {"light": 0}}, "translation": [1, 0, 0]}],
        "scenes": [{"nodes": [0, 1]}], "scene": 0})");
    const Scene scene =
        folder.load(R"({"models": [{"file": "lit.gltf", "transform": {"scale": 10, "translate": [0, 100, 0]}}]})");
    ASSERT_EQ(scene.cameras.size(), 1u) << "a model's camera is the view when the scene has none";
    EXPECT_EQ(scene.cameras[0].eye, Vec3(0, 100, 40));
    ASSERT_EQ(scene.lights.size(), 1u);
    EXPECT_EQ(scene.lights[0].position, Vec3(10, 100, 0));
    EXPECT_EQ(scene.lights[0].intensity, Vec3(2.0f));
    const Scene with_own =
        folder.load(R"({"camera": {"eye": [7, 7, 7], "target": [0, 0, 0]}, "models": [{"file": "lit.gltf"}]})");
    EXPECT_EQ(with_own.cameras[0].eye, Vec3(7.0f)) << "the scene's own camera comes first";
}

}  // namespace
}  // namespace warpath
