#include "importers/json_models.h"

#include <algorithm>
#include <fstream>
#include <glm/geometric.hpp>

#include "importers/importer.h"
#include "importers/json_materials.h"
#include "importers/json_transform.h"
#include "importers/registry.h"
#include "importers/resource_path.h"
#include "warpath/error.h"

namespace warpath {

using nlohmann::json;

namespace {

/// A model as the scene holds it: its meshes are there already, and these are to be placed.
struct LoadedModel {
    uint32_t first_mesh = 0;
    std::vector<Instance> instances;  ///< mesh counts from first_mesh
    std::vector<PunctualLight> lights;
    std::vector<Camera> cameras;
};

/// Does the file's text start like a JSON object?
bool starts_like_json(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::string head(256, '\0');
    file.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<size_t>(file.gcount()));
    if (head.starts_with("\xEF\xBB\xBF")) head.erase(0, 3);
    const size_t first = head.find_first_not_of(" \t\r\n");
    return first != std::string::npos && head[first] == '{';
}

/// Imports any format but JSON scenes: one that named itself would never end.
Scene import_model(const JsonScene& json_scene, const std::filesystem::path& path, const std::string& pointer) {
    std::string extension = path.extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char c) { return std::tolower(c); });
    if (extension == ".json") json_scene.fail(pointer, "names a JSON scene; a scene cannot hold another scene");
    try {
        return starts_like_json(path) ? import_gltf(path, json_scene.watch) : import_scene(path, json_scene.watch);
    } catch (const Error& error) {
        throw Error(error.code(), json_scene.path.string() + ": " + pointer + ": " + error.what());
    }
}

/// Adds the model's textures to the scene's and lets its materials refer to them there.
void move_textures(JsonScene& json_scene, Scene& model) {
    std::vector<uint32_t> ids;
    for (Texture& texture : model.textures) ids.push_back(json_scene.textures.add(std::move(texture)));
    for (Material& m : model.materials) {
        for (TextureRef* ref : {&m.base_color_tex, &m.alpha_tex, &m.emission_tex, &m.metallic_tex, &m.roughness_tex,
                                &m.normal_tex, &m.specular_tex, &m.specular_color_tex, &m.transmission_tex}) {
            if (ref->valid()) ref->texture = ids[ref->texture];
        }
    }
}

/// The scene's id for each of the model's materials, after replacing and overriding; adds those that stay.
std::vector<uint32_t> move_materials(JsonScene& json_scene, Scene& model, const json& entry,
                                     const std::string& pointer) {
    static const json nothing = json::object();
    const json& overrides = entry.contains("material_overrides") ? entry["material_overrides"] : nothing;
    const std::string overrides_pointer = pointer_to(pointer, "material_overrides");
    for (const auto& [name, change] : overrides.items())
        if (std::find(model.material_names.begin(), model.material_names.end(), name) == model.material_names.end())
            json_scene.fail(pointer_to(overrides_pointer, name),
                            "is no material of the model" + suggestion(name, model.material_names));
    std::vector<uint32_t> ids;
    Scene& scene = json_scene.scene;
    for (size_t i = 0; i < model.materials.size(); ++i) {
        const std::string& name = model.material_names[i];
        const json* change = overrides.contains(name) ? &overrides[name] : nullptr;
        if (!change && entry.contains("material")) change = &entry["material"];
        if (change && change->is_string()) {
            const bool by_name = overrides.contains(name);
            ids.push_back(find_material(
                json_scene, *change, by_name ? pointer_to(overrides_pointer, name) : pointer_to(pointer, "material")));
            continue;
        }
        if (change) read_material(json_scene, *change, model.materials[i]);
        ids.push_back(static_cast<uint32_t>(scene.materials.size()));
        scene.materials.push_back(model.materials[i]);
        scene.material_names.push_back(name);
    }
    return ids;
}

LoadedModel load_model(JsonScene& json_scene, const json& entry, const std::string& pointer) {
    Scene& scene = json_scene.scene;
    const auto path = resolve_resource(json_scene.path, entry["file"], scene.warnings);
    Scene model = import_model(json_scene, path, pointer_to(pointer, "file"));
    move_textures(json_scene, model);
    const std::vector<uint32_t> material_ids = move_materials(json_scene, model, entry, pointer);

    LoadedModel loaded;
    loaded.first_mesh = static_cast<uint32_t>(scene.meshes.size());
    for (Mesh& mesh : model.meshes) {
        for (uint32_t& id : mesh.material_ids) id = material_ids[id];
        scene.meshes.push_back(std::move(mesh));
    }
    loaded.instances = std::move(model.instances);
    loaded.lights = std::move(model.lights);
    loaded.cameras = std::move(model.cameras);
    scene.warnings.insert(scene.warnings.end(), model.warnings.begin(), model.warnings.end());
    return loaded;
}

Vec3 moved_point(const glm::dmat4& to_world, Vec3 p) { return Vec3(to_world * glm::dvec4(glm::dvec3(p), 1.0)); }

/// A direction after the transform, at unit length; unchanged where the transform leaves nothing of it.
Vec3 moved_direction(const glm::dmat4& to_world, Vec3 d) {
    const glm::dvec3 moved = glm::dmat3(to_world) * glm::dvec3(d);
    const double length = glm::length(moved);
    return length > 0.0 ? Vec3(moved / length) : d;
}

/// Scales of the transform change neither a light's intensity nor its range, as in glTF.
void place_model(Scene& scene, const LoadedModel& model, const glm::dmat4& to_world) {
    for (Instance instance : model.instances) {
        instance.mesh += model.first_mesh;
        instance.to_world = to_world * instance.to_world;
        scene.instances.push_back(std::move(instance));
    }
    for (PunctualLight light : model.lights) {
        light.position = moved_point(to_world, light.position);
        light.direction = moved_direction(to_world, light.direction);
        scene.lights.push_back(light);
    }
    for (Camera camera : model.cameras) {
        camera.eye = moved_point(to_world, camera.eye);
        camera.target = moved_point(to_world, camera.target);
        camera.up = moved_direction(to_world, camera.up);
        scene.cameras.push_back(std::move(camera));
    }
}

}  // namespace

void read_models(JsonScene& json_scene, const json& list, const std::string& pointer) {
    std::map<std::string, LoadedModel> loaded;  // by file and materials
    for (size_t i = 0; i < list.size(); ++i) {
        const std::string model_pointer = pointer_to(pointer, i);
        json key = list[i];
        for (const char* unrelated : {"name", "transform", "repeat", "vary"}) key.erase(unrelated);
        auto found = loaded.find(key.dump());
        if (found == loaded.end())
            found = loaded.emplace(key.dump(), load_model(json_scene, list[i], model_pointer)).first;
        for (const glm::dmat4& to_world : read_placements(json_scene, list[i], model_pointer))
            place_model(json_scene.scene, found->second, to_world);
    }
}

}  // namespace warpath
