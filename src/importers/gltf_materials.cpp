#include "importers/gltf_materials.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "importers/gltf_textures.h"

namespace warpath {

namespace {

using tinygltf::Value;

constexpr double max_radiance = 1e18;  // keeps products of a few factors finite in single precision
constexpr double no_reflection_ior = 1.0, total_reflection_ior = 1000.0;

/// Reads one material.
class MaterialReader {
  public:
    MaterialReader(GltfDocument& document, GltfTextureReader& textures, size_t index)
        : document_(document),
          textures_(textures),
          source_(document.model.materials[index]),
          label_("material " + std::to_string(index) + (source_.name.empty() ? "" : " (\"" + source_.name + "\")")) {}

    Material read();

  private:
    void read_metallic_roughness();
    void read_alpha();
    void read_emission();
    void read_specular();
    void read_transmission();
    void read_volume(const Value& volume);
    void show_as_emission();

    const Value* extension(const char* name) const {
        const auto it = source_.extensions.find(name);
        return it == source_.extensions.end() ? nullptr : &it->second;
    }
    void warn(const std::string& what) { document_.warn(label_ + " " + what); }
    float in_range(double value, double lo, double hi, const char* what);
    Vec3 color_in_range(const std::vector<double>& values, double hi, const char* what);

    GltfDocument& document_;
    GltfTextureReader& textures_;
    const tinygltf::Material& source_;
    std::string label_;
    Material material_ = gltf_default_material();
};

float MaterialReader::in_range(double value, double lo, double hi, const char* what) {
    if (value >= lo && value <= hi) return static_cast<float>(value);
    std::ostringstream text;
    text << "has a " << what << " of " << value << ", outside " << lo << " to " << hi << "; it is clamped";
    warn(text.str());
    return static_cast<float>(std::clamp(value, lo, hi));
}

Vec3 MaterialReader::color_in_range(const std::vector<double>& values, double hi, const char* what) {
    return {in_range(values[0], 0.0, hi, what), in_range(values[1], 0.0, hi, what), in_range(values[2], 0.0, hi, what)};
}

void MaterialReader::read_metallic_roughness() {
    const tinygltf::PbrMetallicRoughness& pbr = source_.pbrMetallicRoughness;
    material_.base_color = color_in_range(pbr.baseColorFactor, 1.0, "baseColorFactor");
    material_.alpha = in_range(pbr.baseColorFactor[3], 0.0, 1.0, "baseColorFactor alpha");
    material_.metallic = in_range(pbr.metallicFactor, 0.0, 1.0, "metallicFactor");
    material_.roughness = in_range(pbr.roughnessFactor, 0.0, 1.0, "roughnessFactor");
    material_.base_color_tex = textures_.color(texture_use(pbr.baseColorTexture), label_);
    const GltfTextureUse both = texture_use(pbr.metallicRoughnessTexture);
    material_.roughness_tex = textures_.data(both, 1, label_);
    material_.metallic_tex = textures_.data(both, 2, label_);
    material_.normal_tex = textures_.data(texture_use(source_.normalTexture), 0, label_);
    material_.normal_scale = in_range(source_.normalTexture.scale, -1e6, 1e6, "normalTexture scale");
}

void MaterialReader::read_alpha() {
    material_.double_sided = source_.doubleSided;
    material_.alpha_cutoff = in_range(source_.alphaCutoff, 0.0, 1e6, "alphaCutoff");
    if (source_.alphaMode == "MASK") {
        material_.alpha_mode = AlphaMode::Mask;
    } else if (source_.alphaMode == "BLEND") {
        material_.alpha_mode = AlphaMode::Blend;
    } else {
        if (source_.alphaMode != "OPAQUE")
            warn("has the unknown alphaMode \"" + source_.alphaMode + "\", taken as OPAQUE");
        return;
    }
    if (!textures_.has_alpha(material_.base_color_tex)) return;
    material_.alpha_tex = material_.base_color_tex;
    material_.alpha_tex.channel = 3;
}

void MaterialReader::read_emission() {
    double strength = 1.0;
    if (const Value* e = extension("KHR_materials_emissive_strength"))
        strength = number_in(*e, "emissiveStrength", 1.0);
    std::vector<double> emission = source_.emissiveFactor;
    for (double& channel : emission) channel *= strength;
    material_.emission = color_in_range(emission, max_radiance, "emission");
    if (material_.emits()) material_.emission_tex = textures_.color(texture_use(source_.emissiveTexture), label_);
}

void MaterialReader::read_specular() {
    if (const Value* e = extension("KHR_materials_ior")) {
        const double ior = number_in(*e, "ior", 1.5);
        // 0 stands for an infinite index, under which the dielectric reflects everything.
        material_.ior = ior == 0.0 ? static_cast<float>(total_reflection_ior)
                                   : in_range(ior, no_reflection_ior, total_reflection_ior, "ior");
    }
    const Value* e = extension("KHR_materials_specular");
    if (!e) return;
    material_.specular = in_range(number_in(*e, "specularFactor", 1.0), 0.0, 1.0, "specularFactor");
    material_.specular_tex = textures_.data(texture_use(*e, "specularTexture"), 3, label_);
    material_.specular_color =
        color_in_range(numbers_in(*e, "specularColorFactor", {1.0, 1.0, 1.0}), 1e6, "specularColorFactor");
    material_.specular_color_tex = textures_.color(texture_use(*e, "specularColorTexture"), label_);
}

void MaterialReader::read_transmission() {
    const Value* e = extension("KHR_materials_transmission");
    if (!e) return;
    material_.transmission = in_range(number_in(*e, "transmissionFactor", 0.0), 0.0, 1.0, "transmissionFactor");
    if (material_.transmission == 0.0f) return;
    material_.transmission_tex = textures_.data(texture_use(*e, "transmissionTexture"), 0, label_);
    material_.thin_walled = true;
    if (const Value* volume = extension("KHR_materials_volume")) read_volume(*volume);
}

void MaterialReader::read_volume(const Value& volume) {
    // The thickness itself approximates what ray tracing finds; only whether there is any counts.
    if (number_in(volume, "thicknessFactor", 0.0) <= 0.0) return;
    material_.thin_walled = false;
    const double distance = number_in(volume, "attenuationDistance", 0.0);  // absent: infinite
    const Vec3 color = color_in_range(numbers_in(volume, "attenuationColor", {1.0, 1.0, 1.0}), 1.0, "attenuationColor");
    if (distance <= 0.0) return;
    for (int c = 0; c < 3; ++c) {
        // Black would need an infinite coefficient; 1e-30 over the distance is as dark as single precision shows.
        const double coefficient = -std::log(std::max(static_cast<double>(color[c]), 1e-30)) / distance;
        material_.absorption[c] = static_cast<float>(std::min(coefficient, max_radiance));
    }
}

void MaterialReader::show_as_emission() {
    warn("is unlit (KHR_materials_unlit); it is shown as emission of its base colour");
    material_.emission = material_.base_color;
    material_.emission_tex = material_.base_color_tex;
    material_.base_color = Vec3(0.0f);
    material_.base_color_tex = {};
    material_.metallic = material_.specular = material_.transmission = 0.0f;
    material_.ior = static_cast<float>(no_reflection_ior);
}

Material MaterialReader::read() {
    read_metallic_roughness();
    read_alpha();
    read_emission();
    read_specular();
    read_transmission();
    if (extension("KHR_materials_unlit")) show_as_emission();
    return material_;
}

}  // namespace

Material gltf_default_material() {
    Material material;
    material.base_color = Vec3(1.0f);
    material.metallic = 1.0f;
    material.roughness = 1.0f;
    material.double_sided = false;
    return material;
}

void read_gltf_materials(GltfDocument& document, Scene& scene) {
    GltfTextureReader textures(document, scene);
    for (size_t i = 0; i < document.model.materials.size(); ++i) {
        const std::string& name = document.model.materials[i].name;
        scene.materials.push_back(MaterialReader(document, textures, i).read());
        scene.material_names.push_back(name.empty() ? "material " + std::to_string(i) : name);
    }
}

}  // namespace warpath
