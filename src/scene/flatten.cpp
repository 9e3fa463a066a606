#include "scene/flatten.h"

#include <algorithm>

#include "scene/flatten_instances.h"
#include "scene/flatten_textures.h"
#include "warpath/error.h"

namespace warpath {

namespace {

constexpr size_t max_names = 5;  // meshes named in the warning; the rest is counted

std::string describe(const SkippedTriangles& skipped) {
    std::string text =
        std::to_string(skipped.total()) + (skipped.total() == 1 ? " triangle" : " triangles") + " left out: ";
    if (skipped.num_bad_coordinates > 0)
        text += std::to_string(skipped.num_bad_coordinates) + " with a NaN, infinite or larger than 1e18 coordinate";
    if (skipped.num_bad_coordinates > 0 && skipped.num_zero_area > 0) text += ", ";
    if (skipped.num_zero_area > 0) text += std::to_string(skipped.num_zero_area) + " with zero area";
    text += " (in mesh";
    for (size_t i = 0; i < std::min(skipped.mesh_names.size(), max_names); ++i)
        text += (i == 0 ? " \"" : ", \"") + skipped.mesh_names[i] + "\"";
    if (skipped.mesh_names.size() > max_names)
        text += " and " + std::to_string(skipped.mesh_names.size() - max_names) + " more";
    return text + ")";
}

}  // namespace

SceneData flatten(Scene&& scene, InstanceSharing sharing) {
    SceneData data;
    data.path = scene.path;
    data.num_meshes = scene.meshes.size();
    data.num_instances = scene.instances.size();
    data.num_textures = scene.textures.size();
    data.warnings = std::move(scene.warnings);

    const SkippedTriangles skipped = flatten_instances(scene, materials_with_alpha(scene), sharing, data);
    data.num_skipped_triangles = skipped.total();
    if (data.num_prims == 0) {
        std::string why = skipped.total() > 0 ? describe(skipped) : "the scene has no triangles";
        if (!data.warnings.empty()) why += " (" + data.warnings.front() + ")";
        throw Error(ErrorCode::BadInput, scene.path + ": nothing to render: " + why);
    }
    if (skipped.total() > 0) data.warnings.push_back(scene.path + ": " + describe(skipped));
    scene.meshes = {};
    scene.instances = {};

    pack_textures(scene.textures, data.columns);
    data.columns.materials = std::move(scene.materials);
    data.columns.lights = std::move(scene.lights);
    data.material_names = std::move(scene.material_names);
    data.cameras = std::move(scene.cameras);
    data.environment = std::move(scene.environment);
    data.sun = std::move(scene.sun);
    data.defaults = std::move(scene.defaults);
    return data;
}

}  // namespace warpath
