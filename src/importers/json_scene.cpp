#include "importers/json_scene.h"

#include <algorithm>
#include <cmath>

#include "importers/file_bytes.h"
#include "importers/importer.h"
#include "importers/json_materials.h"
#include "importers/json_models.h"
#include "importers/json_schema.h"
#include "importers/json_shapes.h"
#include "importers/json_text.h"
#include "importers/resource_path.h"
#include "warpath/error.h"

namespace warpath {

using nlohmann::json;

namespace {

Camera read_camera(const JsonScene& json_scene, const json& value, const std::string& pointer) {
    Camera camera;
    camera.name = string_or(value, "name", "");
    camera.eye = vec3_from(value["eye"]);
    camera.target = vec3_from(value["target"]);
    if (camera.eye == camera.target) json_scene.fail(pointer_to(pointer, "target"), "must differ from eye");
    if (value.contains("up")) camera.up = direction_from(json_scene, value, "up", pointer);
    camera.vfov_deg = float_or(value, "vfov_deg", camera.vfov_deg);
    camera.aperture = float_or(value, "aperture", 0.0f);
    camera.focus_distance = float_or(value, "focus_distance", 0.0f);
    return camera;
}

void read_cameras(JsonScene& json_scene, const json& root) {
    std::vector<Camera>& cameras = json_scene.scene.cameras;
    if (root.contains("camera")) cameras.push_back(read_camera(json_scene, root["camera"], "/camera"));
    if (!root.contains("cameras")) return;
    const json& list = root["cameras"];
    for (size_t i = 0; i < list.size(); ++i)
        cameras.push_back(read_camera(json_scene, list[i], pointer_to("/cameras", i)));
}

/// Copies the members that are there into the optional defaults.
void read_defaults(const json& root, RenderDefaults& defaults) {
    const auto read = [&](const char* part, const char* key, auto& to) {
        if (!root.contains(part) || !root[part].contains(key)) return;
        to = root[part][key].get<typename std::remove_reference_t<decltype(to)>::value_type>();
    };
    read("film", "width", defaults.width);
    read("film", "height", defaults.height);
    read("film", "filter", defaults.filter);
    read("film", "exposure", defaults.exposure);
    read("render", "spp", defaults.spp);
    read("render", "max_depth", defaults.max_depth);
    read("render", "seed", defaults.seed);
    read("render", "sampler", defaults.sampler);
}

Environment read_environment(JsonScene& json_scene, const json& value, const std::string& pointer) {
    Environment environment;
    environment.name = "constant";
    if (value.contains("map")) {
        const auto path = resolve_resource(json_scene.path, value["map"], json_scene.scene.warnings);
        try {
            environment = import_environment(path);
        } catch (const Error& error) {
            throw Error(error.code(),
                        json_scene.path.string() + ": " + pointer_to(pointer, "map") + ": " + error.what());
        }
    }
    if (value.contains("color")) environment.color = color_from(value["color"]);
    environment.rotation_deg = float_or(value, "rotation_deg", 0.0f);
    environment.scale = float_or(value, "scale", 1.0f);
    return environment;
}

Sun read_sun(const JsonScene& json_scene, const json& value, const std::string& pointer) {
    Sun sun;
    sun.direction = direction_from(json_scene, value, "direction", pointer);
    sun.angle_deg = float_or(value, "angle_deg", sun.angle_deg);
    sun.radiance = color_from(value["radiance"]);
    return sun;
}

float cos_deg(float angle) { return static_cast<float>(std::cos(angle * 3.14159265358979323846 / 180.0)); }

PunctualLight read_light(const JsonScene& json_scene, const json& value, const std::string& pointer) {
    PunctualLight light;
    const std::string type = value["type"];
    light.kind = type == "point" ? LightKind::Point : type == "spot" ? LightKind::Spot : LightKind::Directional;
    light.position = vec3_or(value, "position", light.position);
    if (value.contains("direction")) light.direction = direction_from(json_scene, value, "direction", pointer);
    light.intensity = color_from(value[type == "directional" ? "irradiance" : "intensity"]);
    light.range = float_or(value, "range", light.range);
    const float inner = float_or(value, "inner_angle_deg", 0.0f), outer = float_or(value, "outer_angle_deg", 45.0f);
    if (type == "spot" && !(inner < outer))
        json_scene.fail(pointer_to(pointer, "outer_angle_deg"), "must be more than inner_angle_deg, which is " +
                                                                    json(inner).dump() + ", got " + json(outer).dump());
    light.cos_inner = cos_deg(inner);
    light.cos_outer = cos_deg(outer);
    return light;
}

void read_lights(JsonScene& json_scene, const json& root) {
    if (root.contains("environment"))
        json_scene.scene.environment = read_environment(json_scene, root["environment"], "/environment");
    if (root.contains("sun")) json_scene.scene.sun = read_sun(json_scene, root["sun"], "/sun");
    if (!root.contains("lights")) return;
    const json& list = root["lights"];
    for (size_t i = 0; i < list.size(); ++i)
        json_scene.scene.lights.push_back(read_light(json_scene, list[i], pointer_to("/lights", i)));
}

/// glTF files are JSON too, and sometimes named so.
bool is_gltf(const json& root) {
    return root.is_object() && root.contains("asset") && root["asset"].is_object() && root["asset"].contains("version");
}

}  // namespace

Scene import_json(const std::filesystem::path& path, const LoadWatch& watch) {
    const std::string file = path.string();
    const json root = parse_json_text(read_file_bytes(path), file);
    if (is_gltf(root)) throw FormatNotSupported(file + ": this is glTF, not a warpath scene");
    check_against_schema(root, json::parse(scene_schema_text()), file);

    JsonScene json_scene(path, watch);
    json_scene.scene.path = file;
    read_defaults(root, json_scene.scene.defaults);
    read_cameras(json_scene, root);
    read_lights(json_scene, root);
    if (root.contains("materials")) read_materials(json_scene, root["materials"], "/materials");
    if (root.contains("shapes")) read_shapes(json_scene, root["shapes"], "/shapes");
    if (root.contains("models")) read_models(json_scene, root["models"], "/models");
    return std::move(json_scene.scene);
}

}  // namespace warpath
