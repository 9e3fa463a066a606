#pragma once

#include "materials/conductor.h"
#include "materials/dielectric.h"
#include "materials/lambert.h"

/// Everything at once: a metal, and beside it a dielectric coat over a base that is diffuse or transmits.
///
///     metallic * metal + (1 - metallic) * ((1 - transmission) * coated diffuse + transmission * glass)
///
/// The three share one roughness, so one interface carries all reflections and the refraction; the diffuse base is the
/// second lobe. Source: the metallic-roughness model of glTF 2.0, appendix B, with KHR_materials_specular, _ior and
/// _transmission. We differ in the exact Fresnel curve, in energy compensation, and in the weight of the base, which is
/// reciprocal and conserves energy: (1 - E(wo)) (1 - E(wi)) / (1 - E_mean), Kulla and Conty 2017.
namespace warpath {

/// Splits at the shared interface.
struct PrincipledSplit {
    ConductorSplit metal;
    DielectricSplit glass;
    float metallic, transmission, coat_eta;

    WARPATH_HD PrincipledSplit(const MaterialParams& p, const EnergyLookup& energy, float cos_o)
        : metal(p, energy, cos_o),
          glass(p, energy, cos_o),
          metallic(p.metallic),
          transmission(p.transmission),
          coat_eta(p.eta < 1.0f ? 1.0f / p.eta : p.eta) {}

    WARPATH_HD InterfaceSplit operator()(float cos_oh) const {
        InterfaceSplit sum;
        if (metallic > 0.0f) sum.reflected = metal(cos_oh).reflected * metallic;
        const float coated = (1.0f - metallic) * (1.0f - transmission), clear = (1.0f - metallic) * transmission;
        if (coated > 0.0f && glass.specular > 0.0f) {
            const Vec3 f = tinted_fresnel(glass.f0, fresnel_dielectric(cos_oh, coat_eta), coat_eta);
            sum.reflected = madd(f, glass.specular * coated, sum.reflected);
        }
        if (clear > 0.0f) {
            const InterfaceSplit part = glass(cos_oh);
            sum.reflected = madd(part.reflected, clear, sum.reflected);
            sum.transmitted = part.transmitted * clear;
        }
        return sum;
    }
};

/// The principled material at one point, seen from one direction.
struct PrincipledLobes {
    const MaterialParams& p;
    EnergyLookup energy;
    CoatAlbedo coat;
    PrincipledSplit split;
    Vec3 diffuse;         ///< albedo times (1 - E(wo)) / (1 - E_mean); zero without a diffuse lobe
    float diffuse_share;  ///< probability of sampling the diffuse lobe

    WARPATH_HD PrincipledLobes(const SceneView& scene, const MaterialParams& params, Vec3 wo)
        : p(params),
          energy(scene.energy_tables, params.alpha),
          coat{energy, max_component(params.dielectric_f0), params.specular, params.eta},
          split(params, energy, wo.z),
          diffuse(0.0f),
          diffuse_share(0.0f) {
        const float coated = (1.0f - p.metallic) * (1.0f - p.transmission);
        if (coated == 0.0f) return;
        const float coat_albedo = coat.at(wo.z), below = coated * (1.0f - coat_albedo);
        diffuse = p.base_color * (below / max_of(1.0f - coat.mean(), 1e-3f));
        const float mirrored = p.metallic * max_component(fresnel_schlick(p.base_color, wo.z)) + coated * coat_albedo;
        diffuse_share = share(below * max_component(p.base_color), mirrored + (1.0f - p.metallic) * p.transmission);
    }
    /// Shares follow the albedos, but each lobe that exists keeps a part, since albedos are estimates.
    WARPATH_HD float share(float below, float interface_albedo) const {
        if (!(below > 0.0f)) return 0.0f;
        const bool has_coat = p.specular > 0.0f && coat.f0 > 0.0f;
        if (p.metallic == 0.0f && p.transmission == 0.0f && !has_coat) return 1.0f;
        return clamp(below / (below + interface_albedo), 0.05f, 0.95f);
    }
    WARPATH_HD BsdfValue evaluate_diffuse(Vec3 wi) const {
        if (!(wi.z > 0.0f) || diffuse_share == 0.0f) return {};
        const float pdf = wi.z * inv_pi;
        return {diffuse * (pdf * (1.0f - coat.at(wi.z))), pdf * diffuse_share};
    }
    WARPATH_HD BsdfValue evaluate_rough(Vec3 wo, Vec3 wi) const {
        if (p.alpha == 0.0f || diffuse_share == 1.0f) return {};
        const BsdfValue v = evaluate_interface(p, split, wo, wi);
        return {v.value, v.pdf * (1.0f - diffuse_share)};
    }
};

/// The full model. The other materials are its cases with fewer lobes.
struct Principled {
    static constexpr MaterialKind kind = MaterialKind::Principled;

    WARPATH_HD static bool accepts(const Material&) { return true; }
    WARPATH_HD static bool has_non_delta(const MaterialParams& p) {
        return p.alpha > 0.0f || (p.metallic < 1.0f && p.transmission < 1.0f && !is_zero(p.base_color));
    }
    WARPATH_HD static BsdfValue evaluate(const SceneView& scene, const MaterialParams& p, Vec3 wo, Vec3 wi) {
        const PrincipledLobes lobes(scene, p, wo);
        return lobes.evaluate_diffuse(wi) + lobes.evaluate_rough(wo, wi);
    }
    WARPATH_HD static BsdfSample sample(const SceneView& scene, const MaterialParams& p, Vec3 wo, float u_lobe,
                                        Vec2 u) {
        const PrincipledLobes lobes(scene, p, wo);
        Vec3 wi;
        bool transmitted = false;
        BsdfValue sum;
        if (u_lobe < lobes.diffuse_share) {
            wi = sample_cosine(u);
            sum = lobes.evaluate_diffuse(wi) + lobes.evaluate_rough(wo, wi);
        } else {
            const float share = 1.0f - lobes.diffuse_share;
            const float u_side = min_of((u_lobe - lobes.diffuse_share) / share, 0.99999994f);
            const InterfaceSample s = sample_interface(p, lobes.split, wo, u_side, u);
            if (!s.valid || s.pdf <= 0.0f) return {};
            if (p.alpha == 0.0f) return {s.wi, s.value * (1.0f / (s.pdf * share)), 0.0f, true, s.transmitted, true};
            wi = s.wi;
            transmitted = s.transmitted;
            sum = BsdfValue{s.value, s.pdf * share} + lobes.evaluate_diffuse(wi);
        }
        if (!(sum.pdf > 0.0f)) return {};
        return {wi, sum.value * (1.0f / sum.pdf), sum.pdf, false, transmitted, true};
    }
};

}  // namespace warpath
