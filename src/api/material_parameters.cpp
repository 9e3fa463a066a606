#include "api/material_parameters.h"

#include <cmath>

#include "materials/bsdf.h"
#include "warpath/error.h"

namespace warpath {

namespace {

std::array<float, 3> array3(Vec3 v) { return {v.x, v.y, v.z}; }
Vec3 vec3(const std::array<float, 3>& a) { return {a[0], a[1], a[2]}; }

}  // namespace

MaterialParameters parameters_of(const Material& material) {
    MaterialParameters p;
    p.base_color = array3(material.base_color);
    p.emission = array3(material.emission);
    p.specular_color = array3(material.specular_color);
    p.absorption = array3(material.absorption);
    p.metallic = material.metallic, p.roughness = material.roughness;
    p.ior = material.ior;
    p.specular = material.specular, p.transmission = material.transmission;
    p.normal_scale = material.normal_scale;
    p.alpha = material.alpha, p.alpha_cutoff = material.alpha_cutoff;
    p.thin_walled = material.thin_walled;
    return p;
}

Material with_parameters(const Material& material, const MaterialParameters& p) {
    Material result = material;
    result.base_color = vec3(p.base_color);
    result.emission = vec3(p.emission);
    result.specular_color = vec3(p.specular_color);
    result.absorption = vec3(p.absorption);
    result.metallic = p.metallic, result.roughness = p.roughness;
    result.ior = p.ior;
    result.specular = p.specular, result.transmission = p.transmission;
    result.normal_scale = p.normal_scale;
    result.alpha = p.alpha, result.alpha_cutoff = p.alpha_cutoff;
    result.thin_walled = p.thin_walled;
    result.kind = simplified_kind(result);
    return result;
}

void check_parameters(const std::string& name, const MaterialParameters& p) {
    const auto check = [&](const char* parameter, float value, bool may_be_negative) {
        if (std::isfinite(value) && (may_be_negative || value >= 0.0f)) return;
        throw Error(ErrorCode::BadInput, "material \"" + name + "\": " + parameter + " is " + std::to_string(value) + "; give a finite number" +
                                             (may_be_negative ? "" : " that is not negative"));
    };
    for (int i = 0; i < 3; ++i) {
        check("base_color", p.base_color[i], false), check("emission", p.emission[i], false);
        check("specular_color", p.specular_color[i], false), check("absorption", p.absorption[i], false);
    }
    check("metallic", p.metallic, false), check("roughness", p.roughness, false), check("ior", p.ior, false);
    check("specular", p.specular, false), check("transmission", p.transmission, false), check("alpha", p.alpha, false);
    check("alpha_cutoff", p.alpha_cutoff, true), check("normal_scale", p.normal_scale, true);
}

const char* alpha_mode_name(AlphaMode mode) { return mode == AlphaMode::Opaque ? "opaque" : mode == AlphaMode::Mask ? "mask" : "blend"; }

std::vector<std::string> textured_parameters(const Material& m) {
    std::vector<std::string> names;
    const std::pair<const char*, const TextureRef*> uses[] = {
        {"base_color", &m.base_color_tex}, {"alpha", &m.alpha_tex},         {"emission", &m.emission_tex},
        {"metallic", &m.metallic_tex},     {"roughness", &m.roughness_tex}, {"normal", &m.normal_tex},
        {"specular", &m.specular_tex},     {"specular_color", &m.specular_color_tex}, {"transmission", &m.transmission_tex}};
    for (const auto& [name, use] : uses)
        if (use->valid()) names.push_back(name);
    return names;
}

}  // namespace warpath
