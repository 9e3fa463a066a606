#include "importers/gltf_extensions.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

namespace warpath {

namespace {

constexpr std::array<std::string_view, 10> supported{
    "EXT_mesh_gpu_instancing",
    "KHR_lights_punctual",    "KHR_materials_emissive_strength", "KHR_materials_ior",
    "KHR_materials_specular", "KHR_materials_transmission",      "KHR_materials_unlit",
    "KHR_materials_volume",   "KHR_mesh_quantization",           "KHR_texture_transform"};

/// Extensions whose loss has a remedy worth telling.
constexpr std::array<std::array<std::string_view, 2>, 5> remedies{{
    {"KHR_draco_mesh_compression", "export it without mesh compression"},
    {"EXT_meshopt_compression", "export it without mesh compression"},
    {"KHR_texture_basisu", "export its textures as PNG or JPEG"},
    {"EXT_texture_webp", "export its textures as PNG or JPEG"},
    {"EXT_texture_avif", "export its textures as PNG or JPEG"},
}};

std::vector<std::string> names(const nlohmann::json& root, const char* key, const std::filesystem::path& path) {
    std::vector<std::string> list;
    const auto it = root.find(key);
    if (it == root.end()) return list;
    if (!it->is_array()) fail_gltf(path, std::string("\"") + key + "\" is not an array");
    for (const auto& entry : *it) {
        if (!entry.is_string()) fail_gltf(path, std::string("\"") + key + "\" holds something other than a name");
        list.push_back(entry.get<std::string>());
    }
    return list;
}

bool is_supported(std::string_view name) {
    return std::find(supported.begin(), supported.end(), name) != supported.end();
}

}  // namespace

void check_gltf_extensions(const nlohmann::json& root, GltfDocument& document) {
    const std::filesystem::path& path = document.path;
    for (const std::string& name : names(root, "extensionsRequired", path)) {
        if (is_supported(name)) continue;
        const auto remedy =
            std::find_if(remedies.begin(), remedies.end(), [&](const auto& entry) { return entry[0] == name; });
        fail_gltf(path, "it requires the extension " + name + ", which warpath does not support; " +
                            std::string(remedy == remedies.end() ? "export it without that extension" : (*remedy)[1]));
    }
    for (const std::string& name : names(root, "extensionsUsed", path))
        if (!is_supported(name)) document.warn("the extension " + name + " is not supported and is left out");
}

}  // namespace warpath
