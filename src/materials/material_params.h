#pragma once

#include "materials/fresnel.h"
#include "materials/texture.h"

/// From a material and a point on a surface to plain numbers: textures looked up, vertex colours multiplied, ranges
/// enforced.
namespace warpath {

/// What a hit knows that materials ask for.
struct SurfaceInputs {
    Vec2 uv0 = Vec2(0.0f), uv1 = Vec2(0.0f);
    Vec4 color = Vec4(1.0f);  ///< vertex colour, linear; (1,1,1,1) where the mesh has none
};

/// Parameters of a bsdf at one point, in range and finite.
struct MaterialParams {
    Vec3 base_color{0.8f};      ///< [0,1]
    float metallic = 0.0f;      ///< [0,1]
    Vec3 dielectric_f0{0.04f};  ///< tinted reflectance at normal incidence, [0,1], before `specular`
    float specular = 1.0f;      ///< [0,1]
    Vec3 emission{0.0f};        ///< radiance, at least 0
    float transmission = 0.0f;  ///< [0,1]
    float alpha = 1.0f;         ///< GGX width; 0: perfectly smooth, all microfacet lobes are delta lobes
    float eta = 1.5f;           ///< index of the other side over the index of wo's side
    bool thin_walled = false;
    MaterialKind kind = MaterialKind::Principled;
};

/// Below this GGX width a surface counts as smooth: the lobe is under a tenth of a degree wide.
inline constexpr float min_rough_alpha = 1e-3f;
/// Refraction by a rough surface bends light by about (eta - 1) * alpha; closer to 1 than this it is straight on.
inline constexpr float min_rough_eta_step = 1e-3f;

/// Emitted radiance, from both sides.
WARPATH_HD inline Vec3 resolve_emission(const SceneView& scene, const Material& material, const SurfaceInputs& at) {
    const Vec4 texel = sample_texture(scene, material.emission_tex, at.uv0, at.uv1);
    return {max_of(material.emission.x * texel.x, 0.0f), max_of(material.emission.y * texel.y, 0.0f),
            max_of(material.emission.z * texel.z, 0.0f)};
}

/// Coverage: 1 for Opaque, 0 or 1 for Mask, [0,1] for Blend.
WARPATH_HD inline float resolve_alpha(const SceneView& scene, const Material& material, const SurfaceInputs& at) {
    if (material.alpha_mode == AlphaMode::Opaque) return 1.0f;
    const float alpha = material.alpha * at.color.w * sample_scalar(scene, material.alpha_tex, at.uv0, at.uv1);
    if (material.alpha_mode == AlphaMode::Mask) return alpha >= material.alpha_cutoff ? 1.0f : 0.0f;
    return saturate(alpha);
}

/// Tangent-space shading normal: unit, z > 0; (0,0,1) without a normal map or where the map holds no direction.
WARPATH_HD inline Vec3 resolve_normal(const SceneView& scene, const Material& material, const SurfaceInputs& at) {
    const Vec3 up{0.0f, 0.0f, 1.0f};
    if (!material.normal_tex.valid()) return up;
    const Vec4 texel = sample_texture(scene, material.normal_tex, at.uv0, at.uv1);
    const Vec3 n{material.normal_scale * fmaf(2.0f, texel.x, -1.0f), material.normal_scale * fmaf(2.0f, texel.y, -1.0f),
                 max_of(fmaf(2.0f, texel.z, -1.0f), 1e-3f)};
    const float squared = length_squared(n);
    return is_finite(squared) ? n * (1.0f / sqrtf(squared)) : up;
}

/// Relative index of refraction seen from wo's side. Only a body that transmits has an inside; thin and opaque surfaces
/// look alike from both sides. `ior` <= 0 stands for total reflection, as in KHR_materials_ior.
WARPATH_HD inline float relative_ior(float ior, bool has_inside, bool front_side) {
    const float n = ior > 0.0f ? clamp(ior, 1.0f / max_ior, max_ior) : max_ior;
    if (has_inside) return front_side ? n : 1.0f / n;
    return n < 1.0f ? 1.0f / n : n;
}

/// All parameters at one point.
/// front_side: wo is on the outside of the surface; it decides between entering and leaving a transmitting body.
WARPATH_HD inline MaterialParams resolve_material(const SceneView& scene, const Material& material,
                                                  const SurfaceInputs& at, bool front_side) {
    MaterialParams p;
    p.kind = material.kind;
    p.thin_walled = material.thin_walled;
    const Vec4 base = sample_texture(scene, material.base_color_tex, at.uv0, at.uv1);
    p.base_color = {saturate(material.base_color.x * base.x * at.color.x),
                    saturate(material.base_color.y * base.y * at.color.y),
                    saturate(material.base_color.z * base.z * at.color.z)};
    p.emission = resolve_emission(scene, material, at);
    p.metallic = saturate(material.metallic * sample_scalar(scene, material.metallic_tex, at.uv0, at.uv1));
    p.specular = saturate(material.specular * sample_scalar(scene, material.specular_tex, at.uv0, at.uv1));
    p.transmission = saturate(material.transmission * sample_scalar(scene, material.transmission_tex, at.uv0, at.uv1));
    const float roughness = saturate(material.roughness * sample_scalar(scene, material.roughness_tex, at.uv0, at.uv1));
    p.alpha = roughness * roughness < min_rough_alpha ? 0.0f : roughness * roughness;

    const bool has_inside = p.transmission > 0.0f && !p.thin_walled;
    p.eta = relative_ior(material.ior, has_inside, front_side);
    if (has_inside && p.alpha > 0.0f && fabsf(p.eta - 1.0f) < min_rough_eta_step) {
        if (p.metallic == 0.0f)
            p.alpha = 0.0f;
        else
            p.eta = p.eta < 1.0f ? 1.0f - min_rough_eta_step : 1.0f + min_rough_eta_step;
    }
    const Vec4 tint = sample_texture(scene, material.specular_color_tex, at.uv0, at.uv1);
    const float f0 = fresnel_at_normal(p.eta);
    p.dielectric_f0 = {saturate(f0 * material.specular_color.x * tint.x),
                       saturate(f0 * material.specular_color.y * tint.y),
                       saturate(f0 * material.specular_color.z * tint.z)};
    return p;
}

}  // namespace warpath
