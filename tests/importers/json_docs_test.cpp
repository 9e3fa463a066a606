#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "importers/importer.h"
#include "importers/json_scene_file.h"
#include "importers/json_schema.h"
#include "importers/json_text.h"
#include "scene/flatten.h"

namespace warpath {
namespace {

using nlohmann::json;

const std::filesystem::path source_dir = WARPATH_SOURCE_DIR;

std::string text_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    EXPECT_TRUE(file.is_open()) << path;
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/// The ```json blocks of the manual.
std::vector<std::string> manual_examples() {
    std::vector<std::string> examples;
    std::istringstream lines(text_of(source_dir / "docs/scene-format.md"));
    bool inside = false;
    for (std::string line; std::getline(lines, line);) {
        if (line == "```json") {
            inside = true;
            examples.emplace_back();
        } else if (line == "```") {
            inside = false;
        } else if (inside) {
            examples.back() += line + "\n";
        }
    }
    return examples;
}

/// All names of properties, however deep.
void collect_properties(const json& schema, std::set<std::string>& names) {
    if (schema.is_object() && schema.contains("properties") && schema["properties"].is_object())
        for (const auto& [name, unused] : schema["properties"].items()) names.insert(name);
    if (schema.is_structured())
        for (const json& member : schema) collect_properties(member, names);
}

/// All names of members in a document, however deep.
void collect_members(const json& value, std::set<std::string>& names) {
    if (value.is_object())
        for (const auto& [name, unused] : value.items()) names.insert(name);
    if (value.is_structured())
        for (const json& member : value) collect_members(member, names);
}

TEST(scene_manual, embedded_schema_is_the_document) {
    EXPECT_TRUE(scene_schema_text() == text_of(source_dir / "docs/scene.schema.json")) << "build again";
}

TEST(scene_manual, describes_every_key_of_the_schema_and_shows_it_in_an_example) {
    std::set<std::string> properties, shown;
    collect_properties(json::parse(scene_schema_text()), properties);
    for (const std::string& example : manual_examples()) collect_members(json::parse(example), shown);
    const std::string manual = text_of(source_dir / "docs/scene-format.md");
    ASSERT_GT(properties.size(), 60u);
    for (const std::string& name : properties) {
        EXPECT_NE(manual.find("`" + name + "`"), std::string::npos) << name << " is not described";
        // Texture slots are all alike; three of them stand for the rest.
        if (name == "metallic" || name == "specular" || name == "transmission") continue;
        EXPECT_EQ(shown.count(name), 1u) << name << " is in no example";
    }
}

TEST(scene_manual, examples_load) {
    const SceneFolder folder;
    for (const char* name : {"triangle.obj", "triangle.mtl"}) folder.write(name, text_of(source_dir / "scenes" / name));
    folder.write("sky.hdr", "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 2\n" +
                                std::string("\x80\x80\x80\x81\x80\x80\x80\x81", 8));
    const std::vector<std::string> examples = manual_examples();
    ASSERT_GE(examples.size(), 7u);
    for (const std::string& example : examples) {
        EXPECT_EQ(folder.error_of(example), "(no error)") << example;
        Scene scene = folder.load(example);
        if (scene.instances.empty()) continue;
        EXPECT_GT(flatten(std::move(scene)).columns.triangles.size(), 0u);
    }
}

TEST(shipped_scenes, load_flatten_and_render_as_they_are) {
    size_t num_scenes = 0;
    for (const auto& entry : std::filesystem::directory_iterator(source_dir / "scenes")) {
        if (entry.path().extension() != ".json") continue;
        ++num_scenes;
        const json root = parse_json_text(text_of(entry.path()), entry.path().string());
        EXPECT_EQ(root.value("author", ""), "the warpath authors") << entry.path();
        EXPECT_EQ(root.value("licence", ""), "Apache-2.0") << entry.path();
        Scene scene = import_scene(entry.path());
        EXPECT_TRUE(scene.warnings.empty()) << entry.path() << ": " << scene.warnings[0];
        EXPECT_EQ(scene.cameras.size(), 1u) << entry.path();
        EXPECT_TRUE(scene.defaults.width && scene.defaults.spp && scene.defaults.max_depth) << entry.path();
        const SceneData data = flatten(std::move(scene));
        EXPECT_EQ(data.num_skipped_triangles, 0u) << entry.path();
        EXPECT_GT(data.columns.triangles.size(), 10u) << entry.path();
    }
    EXPECT_EQ(num_scenes, 5u);
}

TEST(shipped_scenes, many_lights_has_as_many_emitters_as_its_readme_says) {
    const SceneData data = flatten(import_scene(source_dir / "scenes/many_lights.json"));
    size_t num_emissive = 0;
    for (const Triangle& triangle : data.columns.triangles)
        num_emissive += data.columns.materials[triangle.material_id].emits() ? 1 : 0;
    EXPECT_EQ(num_emissive, 288u * 80u + 48u * 2u);
    EXPECT_NE(text_of(source_dir / "scenes/README.md").find("23,136 emissive triangles"), std::string::npos);
}

TEST(shipped_scenes, imbalance_balls_do_not_touch) {
    const Scene scene = import_scene(source_dir / "scenes/imbalance.json");
    std::vector<glm::dvec3> centers;
    for (const Instance& instance : scene.instances)
        if (instance.name == "cluster") centers.emplace_back(instance.to_world[3]);
    ASSERT_EQ(centers.size(), 64u);
    for (size_t i = 0; i < centers.size(); ++i)
        for (size_t j = 0; j < i; ++j)
            EXPECT_GT(std::sqrt(glm::dot(centers[i] - centers[j], centers[i] - centers[j])), 0.25);
}

TEST(shipped_scenes, the_triangle_gets_camera_and_sky) {
    Scene scene = import_scene(source_dir / "scenes/triangle.obj");
    add_defaults(scene);
    EXPECT_EQ(scene.cameras.size(), 1u);
    EXPECT_TRUE(scene.environment.has_value());
    EXPECT_EQ(flatten(std::move(scene)).columns.triangles.size(), 1u);
}

}  // namespace
}  // namespace warpath
