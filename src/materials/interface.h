#pragma once

#include "materials/bsdf_types.h"
#include "materials/energy.h"
#include "materials/material_params.h"
#include "materials/microfacet.h"

/// The boundary that microfacets form: it reflects and, if it transmits, refracts. Materials differ in how much goes
/// each way, which they say by a `Split`: a value type with
///
///     InterfaceSplit operator()(float cos_oh) const      cos_oh: between wo and the microfacet normal
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

/// What an interface sampled: `value` and `pdf` as in BsdfValue, or reflectance and probability of a delta lobe.
struct InterfaceSample {
    Vec3 wi{0.0f}, value{0.0f};
    float pdf = 0.0f;
    bool transmitted = false, valid = false;
};

WARPATH_HD inline Vec3 mirror(Vec3 wo, Vec3 h) { return madd(h, 2.0f * dot(wo, h), -wo); }
WARPATH_HD inline Vec3 flip_side(Vec3 w) { return {w.x, w.y, -w.z}; }

/// wo refracted at h; with total reflection the result grazes the surface (the split transmits nothing there).
WARPATH_HD inline Vec3 refract(Vec3 wo, Vec3 h, float cos_oh, float eta) {
    const float inv_eta = 1.0f / eta;
    return normalize(madd(h, cos_oh * inv_eta - refracted_cosine(cos_oh, eta), wo * -inv_eta));
}

/// Density of the directions that leave through one side, given the normal they scattered at; 0 if wi cannot be
/// reached.
WARPATH_HD inline float refracted_pdf(Vec3 wo, Vec3 wi, Vec3 h, float alpha, float eta) {
    const float cos_oh = dot(wo, h), cos_ih = dot(wi, h);
    if (!(cos_oh > 0.0f && cos_ih < 0.0f)) return 0.0f;
    return visible_normal_pdf(wo, h, alpha) * refraction_jacobian(cos_oh, cos_ih, eta);
}

/// Evaluates a rough interface; the caller has made sure that alpha > 0.
template <class Split>
WARPATH_HD BsdfValue evaluate_interface(const MaterialParams& p, const Split& split, Vec3 wo, Vec3 wi) {
    if (!(fabsf(wi.z) > min_lobe_cosine)) return {};
    const bool transmitted = wi.z < 0.0f;
    const bool refracts = transmitted && !p.thin_walled;
    if (transmitted && p.transmission == 0.0f) return {};
    Vec3 h = refracts ? madd(wi, p.eta, wo) : wo + (transmitted ? flip_side(wi) : wi);
    const float squared = length_squared(h);
    if (!(squared > 1e-14f)) return {};
    h = h * ((h.z < 0.0f ? -1.0f : 1.0f) / sqrtf(squared));
    const float cos_oh = dot(wo, h);
    if (!(cos_oh > 0.0f)) return {};
    const InterfaceSplit part = split(min_of(cos_oh, 1.0f));
    const float density = refracts ? refracted_pdf(wo, wi, h, p.alpha, p.eta) : mirrored_pdf(wo, h, p.alpha);
    const float p_reflect = part.reflect_probability();
    const float scale = density * shadowing_ratio(wo, wi, p.alpha);
    return transmitted ? BsdfValue{part.transmitted * scale, (1.0f - p_reflect) * density}
                       : BsdfValue{part.reflected * scale, p_reflect * density};
}

/// Samples an interface; delta lobes if p.alpha == 0.
template <class Split>
WARPATH_HD InterfaceSample sample_interface(const MaterialParams& p, const Split& split, Vec3 wo, float u_lobe,
                                            Vec2 u) {
    const bool rough = p.alpha > 0.0f;
    const Vec3 h = rough ? sample_visible_normal(wo, p.alpha, u) : Vec3(0.0f, 0.0f, 1.0f);
    const float cos_oh = min_of(dot(wo, h), 1.0f);
    if (!(cos_oh > 0.0f)) return {};
    const InterfaceSplit part = split(cos_oh);
    const float p_reflect = part.reflect_probability();
    InterfaceSample s;
    s.transmitted = u_lobe >= p_reflect;
    const bool refracts = s.transmitted && !p.thin_walled;
    s.wi = refracts ? refract(wo, h, cos_oh, p.eta) : mirror(wo, h);
    if (refracts ? s.wi.z >= 0.0f : s.wi.z <= 0.0f) return {};
    if (s.transmitted && p.thin_walled) s.wi = flip_side(s.wi);
    s.pdf = s.transmitted ? 1.0f - p_reflect : p_reflect;
    s.value = s.transmitted ? part.transmitted : part.reflected;
    s.valid = true;
    if (!rough) return s;
    if (!(fabsf(s.wi.z) > min_lobe_cosine)) return {};
    const float density = refracts ? refracted_pdf(wo, s.wi, h, p.alpha, p.eta) : mirrored_pdf(wo, h, p.alpha);
    s.value = s.value * (density * shadowing_ratio(wo, s.wi, p.alpha));
    s.pdf *= density;
    s.valid = density > 0.0f;
    return s;
}

/// An interface alone as a bsdf.
template <class Split>
WARPATH_HD BsdfSample sample_interface_only(const MaterialParams& p, const Split& split, Vec3 wo, float u_lobe,
                                            Vec2 u) {
    const InterfaceSample s = sample_interface(p, split, wo, u_lobe, u);
    if (!s.valid || s.pdf <= 0.0f) return {};
    const bool delta = p.alpha == 0.0f;
    return {s.wi, s.value * (1.0f / s.pdf), delta ? 0.0f : s.pdf, delta, s.transmitted, true};
}

}  // namespace warpath
