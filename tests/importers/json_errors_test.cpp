#include <gtest/gtest.h>

#include "importers/json_scene_file.h"

namespace warpath {
namespace {

struct Fault {
    const char *name, *text, *message;
};

/// Each kind of fault, and the whole message it gives.
const Fault faults[] = {
    {"empty_file", "",
     "scene.json:1:1: syntax error while parsing value - unexpected end of input; expected '[', '{', or a literal"},
    {"missing_comma", "{\n  \"about\": \"x\"\n  \"film\": {}\n}",
     "scene.json:3:8: syntax error while parsing object - unexpected string literal; expected '}'"},
    {"duplicate_key", R"({"camera": {"eye": [0,0,1], "eye": [0,0,2], "target": [0,0,0]}})",
     "scene.json: the key \"eye\" is given twice in one object"},
    {"not_an_object", "[1, 2]", "scene.json: the scene must be an object, got an array of 2"},
    {"unknown_top_key", R"({"camrea": {}})", "scene.json: /camrea is not a known key; did you mean \"camera\"?"},
    {"unknown_key_part_of_a_known_one", R"({"camera": {"eye": [0,0,1], "target": [0,0,0], "fov": 40}})",
     "scene.json: /camera/fov is not a known key; did you mean \"vfov_deg\"?"},
    {"unknown_key_unlike_any", R"({"film": {"colour": 1}})",
     "scene.json: /film/colour is not a known key; known: \"exposure\", \"filter\", \"height\" and \"width\""},
    {"wrong_type", R"({"camera": {"eye": "origin", "target": [0,0,0]}})",
     "scene.json: /camera/eye must be an array of 3 numbers, got \"origin\""},
    {"wrong_item_type", R"({"camera": {"eye": [0, null, 1], "target": [0,0,0]}})",
     "scene.json: /camera/eye/1 must be a number, got null"},
    {"too_few_items", R"({"camera": {"eye": [0, 1], "target": [0,0,0]}})",
     "scene.json: /camera/eye must have 3 items, got 2"},
    {"missing_key", R"({"camera": {"eye": [0, 0, 1]}})", "scene.json: /camera lacks the key \"target\""},
    {"out_of_range", R"({"camera": {"eye": [0,0,1], "target": [0,0,0], "vfov_deg": 200}})",
     "scene.json: /camera/vfov_deg must be between 0 and 180 (ends excluded), got 200"},
    {"at_excluded_end", R"({"sun": {"direction": [0,1,0], "radiance": 1, "angle_deg": 0}})",
     "scene.json: /sun/angle_deg must be between 0 and 180 (ends excluded), got 0"},
    {"below_minimum", R"({"camera": {"eye": [0,0,1], "target": [0,0,0], "aperture": -0.5}})",
     "scene.json: /camera/aperture must be at least 0, got -0.5"},
    {"zero_film", R"({"film": {"width": 0}})", "scene.json: /film/width must be between 1 and 1000000, got 0"},
    {"not_an_integer", R"({"render": {"spp": 1.5}})", "scene.json: /render/spp must be an integer, got 1.5"},
    {"integer_too_large", R"({"render": {"seed": 18446744073709551616}})",
     "scene.json: /render/seed must be an integer, got 1.8446744073709552e+19"},
    {"no_such_choice", R"({"film": {"filter": "tent"}})",
     "scene.json: /film/filter must be one of \"box\", \"gaussian\" or \"blackman-harris\", got \"tent\""},
    {"beyond_float", R"({"camera": {"eye": [0, 0, 1e300], "target": [0,0,0]}})",
     "scene.json: /camera/eye/2 does not fit a 32-bit float, got 1e+300"},
    {"beyond_double", R"({"camera": {"eye": [0, 0, 1e999], "target": [0,0,0]}})",
     "scene.json:1:27: the number 1e999 is too large for a double"},
    {"neither_alternative", R"({"environment": {"color": "white"}})",
     "scene.json: /environment/color must be a number or an array of 3 numbers, got \"white\""},
    {"negative_radiance", R"({"environment": {"color": [1, -1, 1]}})",
     "scene.json: /environment/color/1 must be between 0 and 1e+18, got -1"},
    {"unknown_shape", R"({"shapes": [{"type": "cube"}]})",
     "scene.json: /shapes/0/type must be one of \"quad\", \"sphere\", \"box\", \"disc\" or \"mesh\", got \"cube\""},
    {"shape_without_type", R"({"shapes": [{"radius": 2}]})",
     "scene.json: /shapes/0 lacks the key \"type\": one of \"quad\", \"sphere\", \"box\", \"disc\" or \"mesh\""},
    {"key_of_another_shape", R"({"shapes": [{"type": "disc", "subdivision": 2}]})",
     "scene.json: /shapes/0/subdivision is not a known key; known: \"center\", \"material\", \"name\", \"normal\", "
     "\"radius\", "
     "\"repeat\", \"segments\", \"transform\", \"type\" and \"vary\""},
    {"unknown_material", R"({"materials": [{"name": "glass"}], "shapes": [{"type": "box", "material": "gless"}]})",
     "scene.json: /shapes/0/material names the material \"gless\", which is not there; did you mean \"glass\"?"},
    {"material_twice", R"({"materials": [{"name": "a"}, {"name": "a"}]})",
     "scene.json: /materials/1/name gives the name \"a\" a second time"},
    {"vertex_out_of_range",
     R"({"shapes": [{"type": "mesh", "vertices": [[0,0,0],[1,0,0],[0,1,0]], "triangles": [[0,1,3]]}]})",
     "scene.json: /shapes/0/triangles/0 names vertex 3, but there are 3 vertices, counted from 0"},
    {"too_few_normals",
     R"({"shapes": [{"type": "mesh", "vertices": [[0,0,0],[1,0,0],[0,1,0]], "triangles": [[0,1,2]], "normals": [[0,0,1]]}]})",
     "scene.json: /shapes/0/normals must have one item for each of the 3 vertices, got 1"},
    {"eye_is_target", R"({"camera": {"eye": [1,1,1], "target": [1,1,1]}})",
     "scene.json: /camera/target must differ from eye"},
    {"zero_direction", R"({"sun": {"direction": [0,0,0], "radiance": 1}})",
     "scene.json: /sun/direction must not be the zero vector"},
    {"zero_axis", R"({"shapes": [{"type": "box", "transform": [{}, {"rotate_deg": {"axis": [0,0,0], "angle": 5}}]}]})",
     "scene.json: /shapes/0/transform/1/rotate_deg/axis must not be the zero vector"},
    {"spot_inside_out",
     R"({"lights": [{"type": "spot", "position": [0,0,0], "direction": [0,0,1], "intensity": 1, "inner_angle_deg": 50}]})",
     "scene.json: /lights/0/outer_angle_deg must be more than inner_angle_deg, which is 50.0, got 45.0"},
    {"too_many_copies", R"({"shapes": [{"type": "box", "repeat": [{"count": 2000}, {"count": 2000}]}]})",
     "scene.json: /shapes/0/repeat asks for more than 1000000 copies"},
    {"scene_in_scene", R"({"models": [{"file": "scene.json"}]})",
     "scene.json: /models/0/file names a JSON scene; a scene cannot hold another scene"},
    {"key_with_a_slash", R"({"models": [{"file": "a.obj", "material_overrides": {"a/b": 3}}]})",
     "scene.json: /models/0/material_overrides/a~1b must be a string or an object, got 3"},
};

class JsonFault : public testing::TestWithParam<Fault> {};

TEST_P(JsonFault, is_reported_with_its_place) {
    EXPECT_EQ(SceneFolder().error_of(GetParam().text), GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(json, JsonFault, testing::ValuesIn(faults),
                         [](const testing::TestParamInfo<Fault>& fault) { return fault.param.name; });

TEST(json_errors, a_scene_disguised_as_a_model_is_refused) {
    const SceneFolder folder;
    const std::string text = R"({"models": [{"file": "inner.obj"}]})";
    folder.write("inner.obj", text);
    EXPECT_NE(folder.error_of(text).find("/models/0/file"), std::string::npos);
}

TEST(json_errors, a_missing_model_is_named_with_its_entry) {
    const std::string message = SceneFolder().error_of(R"({"models": [{"file": "gone.obj"}]})");
    EXPECT_NE(message.find("scene.json: /models/0/file: "), std::string::npos) << message;
    EXPECT_NE(message.find("gone.obj"), std::string::npos) << message;
}

TEST(json_errors, a_missing_environment_map_is_named_with_its_entry) {
    const std::string message = SceneFolder().error_of(R"({"environment": {"map": "gone.hdr"}})");
    EXPECT_NE(message.find("scene.json: /environment/map: "), std::string::npos) << message;
    EXPECT_NE(message.find("gone.hdr"), std::string::npos) << message;
}

TEST(json_errors, hostile_text_is_an_error_and_never_a_crash) {
    const SceneFolder folder;
    const std::string valid = R"({"camera": {"eye": [0,0,1], "target": [0,0,0]}, "shapes": [{"type": "box"}]})";
    for (size_t length = 0; length < valid.size(); ++length)
        EXPECT_NE(folder.error_of(valid.substr(0, length)), "(no error)") << length;
    EXPECT_NE(folder.error_of(std::string(100000, '[')), "(no error)");
    EXPECT_NE(folder.error_of("{\"about\": \"\xff\xfe\"}"), "(no error)");
    EXPECT_NE(folder.error_of(std::string("\0\1\2\3", 4)), "(no error)");
    EXPECT_EQ(folder.error_of("\xEF\xBB\xBF{}"), "(no error)") << "a byte order mark is allowed";
}

TEST(json_errors, gltf_named_json_is_left_to_its_own_importer) {
    const SceneFolder folder;
    EXPECT_THROW(folder.load(R"({"asset": {"version": "2.0"}})"), FormatNotSupported);
}

}  // namespace
}  // namespace warpath
