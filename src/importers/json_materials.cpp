#include "importers/json_materials.h"

#include "importers/resource_path.h"

namespace warpath {

using nlohmann::json;

namespace {

constexpr const char* default_material_name = "(default)";

/// Where each texture of a material goes, and what its texels mean.
struct TextureSlot {
    const char* key;
    TextureRef Material::*ref;
    TextureUse use;
};
constexpr TextureSlot texture_slots[] = {
    {"base_color", &Material::base_color_tex, TextureUse::Color},
    {"alpha", &Material::alpha_tex, TextureUse::Data},
    {"emission", &Material::emission_tex, TextureUse::Color},
    {"metallic", &Material::metallic_tex, TextureUse::Data},
    {"roughness", &Material::roughness_tex, TextureUse::Data},
    {"normal", &Material::normal_tex, TextureUse::Data},
    {"specular", &Material::specular_tex, TextureUse::Data},
    {"specular_color", &Material::specular_color_tex, TextureUse::Color},
    {"transmission", &Material::transmission_tex, TextureUse::Data},
};

void read_texture_options(const json& value, TextureRef& ref) {
    const std::string wrap = string_or(value, "wrap", "repeat");
    ref.wrap_u = ref.wrap_v = wrap == "clamp"    ? WrapMode::Clamp
                              : wrap == "mirror" ? WrapMode::Mirror
                                                 : WrapMode::Repeat;
    ref.uv_set = static_cast<uint8_t>(value.value("uv_set", 0));
    ref.nearest = string_or(value, "filter", "bilinear") == "nearest";
    ref.invert = value.value("invert", false);
    if (value.contains("scale")) {
        const Vec2 scale = vec2_from(value["scale"]);
        ref.m00 = scale.x, ref.m11 = scale.y;
    }
    if (value.contains("offset")) ref.offset = vec2_from(value["offset"]);
    if (value.contains("channel"))
        ref.channel = static_cast<uint8_t>(std::string("rgba").find(value["channel"].get<std::string>()));
}

/// The texture that `value` describes: null, a file name, or an object with options.
TextureRef read_texture(JsonScene& json_scene, const json& value, const TextureSlot& slot) {
    TextureRef ref;
    if (value.is_null()) return ref;
    const std::string file = value.is_string() ? value.get<std::string>() : value["file"].get<std::string>();
    TextureUse use = slot.use;
    if (value.is_object() && value.contains("color_space"))
        use = value["color_space"] == "srgb" ? TextureUse::Color : TextureUse::Data;
    const auto path = resolve_resource(json_scene.path, file, json_scene.scene.warnings);
    const uint32_t texture = json_scene.textures.from_file(path, use);
    // The magenta stand-in for a missing picture is for colours; as data it would cut holes or bend normals.
    if (slot.use == TextureUse::Data && json_scene.textures.facts(texture).missing) return ref;
    ref.texture = texture;
    if (slot.ref == &Material::alpha_tex && json_scene.textures.facts(ref.texture).has_alpha) ref.channel = 3;
    if (value.is_object()) read_texture_options(value, ref);
    return ref;
}

void read_textures(JsonScene& json_scene, const json& textures, Material& material) {
    for (const TextureSlot& slot : texture_slots)
        if (textures.contains(slot.key)) material.*slot.ref = read_texture(json_scene, textures[slot.key], slot);
}

void read_alpha_mode(const json& value, Material& material) {
    const bool has_alpha =
        value.contains("alpha") || (value.contains("textures") && value["textures"].contains("alpha"));
    if (value.contains("alpha_mode")) {
        const std::string mode = value["alpha_mode"];
        material.alpha_mode = mode == "mask" ? AlphaMode::Mask : mode == "blend" ? AlphaMode::Blend : AlphaMode::Opaque;
    } else if (has_alpha && material.alpha_mode == AlphaMode::Opaque) {
        material.alpha_mode = AlphaMode::Blend;
    }
}

}  // namespace

void read_material(JsonScene& json_scene, const json& value, Material& material) {
    const auto read_float = [&](const char* key, float& to) { to = float_or(value, key, to); };
    const auto read_color = [&](const char* key, Vec3& to) {
        if (value.contains(key)) to = color_from(value[key]);
    };
    read_color("base_color", material.base_color);
    read_color("emission", material.emission);
    read_color("specular_color", material.specular_color);
    read_color("absorption", material.absorption);
    read_float("alpha", material.alpha);
    read_float("alpha_cutoff", material.alpha_cutoff);
    read_float("metallic", material.metallic);
    read_float("roughness", material.roughness);
    read_float("ior", material.ior);
    read_float("specular", material.specular);
    read_float("transmission", material.transmission);
    read_float("normal_scale", material.normal_scale);
    material.thin_walled = value.value("thin_walled", material.thin_walled);
    read_alpha_mode(value, material);
    if (value.contains("textures")) read_textures(json_scene, value["textures"], material);
}

void read_materials(JsonScene& json_scene, const json& list, const std::string& pointer) {
    for (size_t i = 0; i < list.size(); ++i) {
        const std::string name = list[i]["name"];
        const uint32_t id = static_cast<uint32_t>(json_scene.scene.materials.size());
        if (!json_scene.material_ids.emplace(name, id).second)
            json_scene.fail(pointer_to(pointer_to(pointer, i), "name"),
                            "gives the name \"" + name + "\" a second time");
        Material material;
        read_material(json_scene, list[i], material);
        json_scene.scene.materials.push_back(material);
        json_scene.scene.material_names.push_back(name);
    }
}

uint32_t find_material(const JsonScene& json_scene, const std::string& name, const std::string& pointer) {
    const auto found = json_scene.material_ids.find(name);
    if (found != json_scene.material_ids.end()) return found->second;
    std::vector<std::string> known;
    for (const auto& [known_name, id] : json_scene.material_ids) known.push_back(known_name);
    json_scene.fail(pointer, "names the material \"" + name + "\", which is not there" + suggestion(name, known));
}

uint32_t default_material(JsonScene& json_scene) {
    const uint32_t id = static_cast<uint32_t>(json_scene.scene.materials.size());
    const auto [entry, is_new] = json_scene.material_ids.emplace(default_material_name, id);
    if (is_new) {
        json_scene.scene.materials.emplace_back();
        json_scene.scene.material_names.emplace_back(default_material_name);
    }
    return entry->second;
}

}  // namespace warpath
