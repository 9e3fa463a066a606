#pragma once

#include "core/math.h"

namespace warpath {

enum class WrapMode : uint8_t { Repeat, Clamp, Mirror };
enum class AlphaMode : uint8_t { Opaque, Mask, Blend };

/// One use of a texture by a material. The same bytes on host and device; aligned so that a device fetches neighbouring members by one load.
struct alignas(16) TextureRef {
    uint32_t texture = invalid_id;  ///< index into Scene::textures; invalid_id: no texture, the factor alone counts
    uint8_t uv_set = 0;             ///< 0 or 1
    uint8_t channel = 0;            ///< for scalar uses: 0..3 = r,g,b,a
    WrapMode wrap_u = WrapMode::Repeat, wrap_v = WrapMode::Repeat;
    bool nearest = false;           ///< nearest texel instead of bilinear
    bool invert = false;            ///< scalar uses: 1 - value
    uint8_t pad_[2] = {0, 0};
    /// uv' = (m00 u + m01 v + offset.x, m10 u + m11 v + offset.y). Importers bring v to the image convention of glTF:
    /// v = 0 is the image's first (top) row. An OBJ importer flips its v for that.
    float m00 = 1, m01 = 0, m10 = 0, m11 = 1;
    Vec2 offset{0.0f};

    WARPATH_HD bool valid() const { return texture != invalid_id; }
};

/// Which scattering model a material runs. Principled covers all; the others are its cheap named cases, chosen by
/// `simplified_kind` in materials/ when the parameters allow it.
enum class MaterialKind : uint8_t { Lambert, Conductor, Dielectric, Principled };

/// Parameters of the principled material. The same bytes on host and device.
/// Colours are linear Rec. 709; every texture multiplies its factor.
struct alignas(16) Material {
    Vec3 base_color{0.8f};      ///< diffuse albedo of dielectrics, reflectance at normal incidence of metals, tint of transmission
    float alpha = 1.0f;         ///< coverage in [0,1]; ignored when alpha_mode is Opaque
    Vec3 emission{0.0f};        ///< emitted radiance, W sr^-1 m^-2 per channel, from both sides
    float metallic = 0.0f;      ///< [0,1]
    float roughness = 1.0f;     ///< perceptual, [0,1]; GGX alpha = roughness^2; 0 is a perfect mirror
    float ior = 1.5f;           ///< index of refraction of the inside; 1 means no dielectric reflection
    float specular = 1.0f;      ///< weight of the dielectric reflection, [0,1] (KHR_materials_specular)
    float transmission = 0.0f;  ///< share of the diffuse lobe replaced by transmission, [0,1]
    Vec3 specular_color{1.0f};  ///< tint of the dielectric reflection at normal incidence
    float normal_scale = 1.0f;  ///< scales x and y of the tangent-space normal
    Vec3 absorption{0.0f};      ///< Beer-Lambert coefficient per channel and unit of world length, inside the material
    float alpha_cutoff = 0.5f;  ///< AlphaMode::Mask keeps alpha >= cutoff
    TextureRef base_color_tex, alpha_tex, emission_tex, metallic_tex, roughness_tex, normal_tex, specular_tex,
        specular_color_tex, transmission_tex;
    MaterialKind kind = MaterialKind::Principled;
    AlphaMode alpha_mode = AlphaMode::Opaque;
    bool thin_walled = false;   ///< transmission passes straight through, without refraction or absorption
    bool double_sided = true;   ///< kept from the file; warpath shades both sides of every surface

    WARPATH_HD bool emits() const { return emission.x > 0.0f || emission.y > 0.0f || emission.z > 0.0f; }
};

}  // namespace warpath
