#pragma once

#include "materials/bsdf_types.h"
#include "materials/fresnel.h"
#include "materials/material_params.h"
#include "materials/microfacet.h"

/// The boundary that microfacets form: it reflects and, if it transmits, refracts.
///
/// Radiance is carried as L / n^2 (basic radiance), which refraction keeps, so no lobe scales by eta^2: a light shows
/// its emission through any stack of glass, clear glass vanishes in a uniform world, and Russian roulette needs no
/// correction. Reciprocity reads f(wo, wi) n_o^2 = f(wi, wo) n_i^2. Source: Walter et al., "Microfacet Models for
/// Refraction through Rough Surfaces", EGSR 2007, eq. 20 and 21; Nicodemus, "Radiance", American Journal of Physics 31,
/// 1963, for L / n^2.
namespace warpath {

/// What one microfacet does with light, per channel.
struct InterfaceSplit {
    Vec3 reflected{0.0f}, transmitted{0.0f};

    WARPATH_HD float reflect_probability() const {
        const float r = max_component(reflected), t = max_component(transmitted);
        return t > 0.0f ? r / (r + t) : 1.0f;
    }
};

/// The boundary at one point, seen from one direction: how much of it is metal, coat and glass, and what multiple
/// scattering between microfacets gives back to each (materials/energy.h). One type for every material, so that a
/// kernel holds this code once.
struct Interface {
    float metal = 0.0f, coat = 0.0f, glass = 0.0f;  ///< weights; of the coat: that of the layer below times `specular`
    float metal_boost = 0.0f;                       ///< the metal's lobe is scaled by 1 + f0 * metal_boost
    float glass_scale = 1.0f;                       ///< scales what the glass reflects and what it transmits
    float stretch = 1.0f;                           ///< ggx_stretch of wo

    /// `cos_oh`: between wo and the microfacet normal, in (0, 1].
    WARPATH_HD InterfaceSplit split(const MaterialParams& p, float cos_oh) const {
        InterfaceSplit sum;
        if (metal > 0.0f) {
            const Vec3 scale = madd(p.base_color, metal_boost, Vec3(1.0f)) * metal;
            sum.reflected = fresnel_schlick(p.base_color, cos_oh) * scale;
        }
        WARPATH_ROLLED
        for (int layer = 0; layer < 2; ++layer) {  // the coat, which looks alike from both sides, and the glass
            const bool is_glass = layer == 1;
            const float weight = is_glass ? glass * glass_scale : coat;
            if (weight == 0.0f) continue;
            const float eta = is_glass || p.eta > 1.0f ? p.eta : 1.0f / p.eta;
            const float exact = fresnel_dielectric(cos_oh, eta);
            Vec3 f = tinted_fresnel(p.dielectric_f0, exact, eta);
            if (is_glass) {
                const bool total = exact >= 1.0f;  // total reflection spares no share of it
                f = total ? Vec3(1.0f) : f * p.specular;
                if (!total) sum.transmitted = (Vec3(1.0f) - f) * p.base_color * weight;
            }
            sum.reflected = madd(f, weight, sum.reflected);
        }
        return sum;
    }
};

WARPATH_HD inline Vec3 mirror(Vec3 wo, Vec3 h) { return madd(h, 2.0f * dot(wo, h), -wo); }
WARPATH_HD inline Vec3 flip_side(Vec3 w) { return {w.x, w.y, -w.z}; }

/// wo refracted at h; with total reflection the result grazes the surface (the split transmits nothing there).
WARPATH_HD inline Vec3 refract(Vec3 wo, Vec3 h, float cos_oh, float eta) {
    const float inv_eta = 1.0f / eta;
    return normalize(madd(h, cos_oh * inv_eta - refracted_cosine(cos_oh, eta), wo * -inv_eta));
}

/// Evaluates a rough interface; the caller has made sure that alpha > 0.
WARPATH_HD inline BsdfValue evaluate_interface(const MaterialParams& p, const Interface& interface, Vec3 wo, Vec3 wi) {
    if (!(fabsf(wi.z) > min_lobe_cosine)) return {};
    const bool transmitted = wi.z < 0.0f;
    const bool refracts = transmitted && !p.thin_walled;
    if (transmitted && interface.glass == 0.0f) return {};
    Vec3 h = refracts ? madd(wi, p.eta, wo) : wo + (transmitted ? flip_side(wi) : wi);
    const float squared = length_squared(h);
    if (!(squared > 1e-14f)) return {};
    h = h * ((h.z < 0.0f ? -1.0f : 1.0f) / sqrtf(squared));
    const float cos_oh = dot(wo, h);
    if (!(cos_oh > 0.0f)) return {};
    float side = 0.5f;  // 2 cos_oh d omega_h / d omega_i
    if (refracts) {
        const float cos_ih = dot(wi, h);
        if (!(cos_ih < 0.0f)) return {};
        side = 2.0f * cos_oh * refraction_jacobian(cos_oh, cos_ih, p.eta);
    }
    const float density = ggx_density(h, p.alpha) * side / (wo.z + interface.stretch);
    const InterfaceSplit part = interface.split(p, min_of(cos_oh, 1.0f));
    const float p_reflect = part.reflect_probability();
    const float scale = density * shadowing_ratio(wo, wi, p.alpha, interface.stretch);
    return transmitted ? BsdfValue{part.transmitted * scale, (1.0f - p_reflect) * density}
                       : BsdfValue{part.reflected * scale, p_reflect * density};
}

/// Draws a direction off an interface: a delta lobe with its weight if p.alpha == 0, else the direction alone.
WARPATH_HD inline BsdfSample draw_interface(const MaterialParams& p, const Interface& interface, Vec3 wo, float u_lobe,
                                            Vec2 u) {
    BsdfSample s;
    s.delta = p.alpha == 0.0f;
    const Vec3 h = s.delta ? Vec3(0.0f, 0.0f, 1.0f) : sample_visible_normal(wo, p.alpha, u);
    const float cos_oh = min_of(dot(wo, h), 1.0f);
    if (!(cos_oh > 0.0f)) return s;
    if (s.delta || interface.glass > 0.0f) {
        const InterfaceSplit part = interface.split(p, cos_oh);
        const float p_reflect = part.reflect_probability();
        s.transmitted = u_lobe >= p_reflect;
        const float chosen = s.transmitted ? 1.0f - p_reflect : p_reflect;
        s.weight = (s.transmitted ? part.transmitted : part.reflected) * (1.0f / chosen);
    }
    const bool refracts = s.transmitted && !p.thin_walled;
    s.wi = refracts ? refract(wo, h, cos_oh, p.eta) : mirror(wo, h);
    s.valid = refracts ? s.wi.z < 0.0f : s.wi.z > 0.0f;
    if (s.transmitted && p.thin_walled) s.wi = flip_side(s.wi);
    return s;
}

}  // namespace warpath
