#pragma once

#include "materials/energy.h"
#include "materials/interface.h"
#include "scene/scene_data.h"

/// What all materials are made of: an interface, and below its coat a diffuse base.
///
///     metal * metal lobe + glass * glass lobes + diffuse * coated diffuse lobes
///
/// The three share one roughness, so one interface carries all reflections and the refraction; the diffuse base is the
/// second lobe. A material says how much of each it has; everything here is written, and compiled into a kernel, once.
namespace warpath {

/// How much of each lobe a material has, each in [0, 1].
struct LobeMix {
    float metal = 0.0f, diffuse = 0.0f, glass = 0.0f;
    bool coated = false;  ///< the diffuse base lies below a dielectric coat
};

/// The bsdf at one point, seen from one direction; local frame as in bsdf.h. Made once for a hit.
struct Lobes {
    const MaterialParams& p;
    Vec3 wo;
    EnergyLookup energy;
    Interface interface;
    float coat_f0 = 0.0f;        ///< largest channel of the coat's reflectance at normal incidence
    float diffuse_scale = 0.0f;  ///< the diffuse lobe's albedo is base_color * (1 - E(wi)) times this
    float diffuse_share = 0.0f;  ///< probability of sampling the diffuse lobe

    WARPATH_HD Lobes(const SceneView& scene, const MaterialParams& params, const LobeMix& mix, Vec3 direction)
        : p(params), wo(direction), energy(scene.energy_tables, params.alpha) {
        set_interface(mix);
        if (!(mix.diffuse > 0.0f)) return;
        const CoatAlbedo albedo = coat();
        const bool covered = interface.coat > 0.0f;
        const bool has_interface = mix.metal > 0.0f || mix.glass > 0.0f || (covered && coat_f0 > 0.0f);
        const float above = covered ? albedo.at(wo.z) : 0.0f, below = mix.diffuse * (1.0f - above);
        diffuse_scale = covered ? below / max_of(1.0f - albedo.mean(), 1e-3f) : below;
        const float mirrored = mix.metal * max_component(fresnel_schlick(p.base_color, wo.z)) + mix.diffuse * above;
        diffuse_share = share(below * max_component(p.base_color), mirrored + mix.glass, has_interface);
    }

    WARPATH_HD CoatAlbedo coat() const { return {energy, coat_f0, p.specular, p.eta}; }
    /// Scale of the metal's lobe; as of glass, interface.glass_scale.
    WARPATH_HD Vec3 metal_scale() const { return madd(p.base_color, interface.metal_boost, Vec3(1.0f)); }
    WARPATH_HD bool has_rough_interface() const { return p.alpha > 0.0f && diffuse_share < 1.0f; }

  private:
    WARPATH_HD void set_interface(const LobeMix& mix) {
        interface.metal = mix.metal;
        interface.glass = mix.glass;
        if (mix.coated && p.eta != 1.0f) {
            interface.coat = mix.diffuse * p.specular;
            coat_f0 = max_component(p.dielectric_f0);
        }
        if (p.alpha == 0.0f) return;
        interface.stretch = ggx_stretch(wo, p.alpha);
        if (mix.metal > 0.0f || (mix.glass > 0.0f && p.thin_walled)) {
            const float white = energy.white(wo.z);
            interface.metal_boost = (1.0f - white) / white;
            if (p.thin_walled) interface.glass_scale = 1.0f / white;  // both lobes have one shape: shares do not matter
        }
        if (mix.glass > 0.0f && !p.thin_walled) interface.glass_scale = compensated_glass();
    }
    /// The table holds for specular = 1; with less the scale fades to 1, which never adds energy.
    WARPATH_HD float compensated_glass() const {
        const float exact_f0 = fresnel_at_normal(p.eta);
        const float tint = exact_f0 > 0.0f ? min_of(min_component(p.dielectric_f0) / exact_f0, 1.0f) : 1.0f;
        return lerp(1.0f, 1.0f / energy.total(wo.z, p.eta), p.specular * tint);
    }
    /// Shares follow the albedos, but each lobe that exists keeps a part, since albedos are estimates.
    WARPATH_HD static float share(float below, float interface_albedo, bool has_interface) {
        if (!(below > 0.0f)) return 0.0f;
        if (!has_interface) return 1.0f;
        return clamp(below / (below + interface_albedo), 0.05f, 0.95f);
    }
};

/// f |cos wi| and the density with which draw_lobes finds wi, both without delta lobes.
WARPATH_HD inline BsdfValue evaluate_lobes(const Lobes& lobes, Vec3 wi) {
    BsdfValue sum;
    if (wi.z > 0.0f && lobes.diffuse_share > 0.0f) {
        const float pdf = wi.z * inv_pi;
        const float passed = lobes.interface.coat > 0.0f ? 1.0f - lobes.coat().at(wi.z) : 1.0f;
        sum = {lobes.p.base_color * (lobes.diffuse_scale * (pdf * passed)), pdf * lobes.diffuse_share};
    }
    if (!lobes.has_rough_interface()) return sum;
    const BsdfValue rough = evaluate_interface(lobes.p, lobes.interface, lobes.wo, wi);
    return {sum.value + rough.value, fmaf(rough.pdf, 1.0f - lobes.diffuse_share, sum.pdf)};
}

/// Draws a direction. Of a delta lobe the sample has its weight too; else weight and pdf are left to `weigh`.
WARPATH_HD inline BsdfSample draw_lobes(const Lobes& lobes, float u_lobe, Vec2 u) {
    BsdfSample s;
    if (u_lobe < lobes.diffuse_share) {
        s.wi = sample_cosine(u);
        s.valid = true;
        return s;
    }
    const float share = 1.0f - lobes.diffuse_share;
    const float u_side = min_of((u_lobe - lobes.diffuse_share) / share, 0.99999994f);
    s = draw_interface(lobes.p, lobes.interface, lobes.wo, u_side, u);
    s.weight = s.weight * (1.0f / share);
    return s;
}

/// Completes a drawn direction that is not of a delta lobe by the value and density found for it.
WARPATH_HD inline void weigh(BsdfSample& s, const BsdfValue& v) {
    s.valid = v.pdf > 0.0f;
    if (!s.valid) return;
    s.pdf = v.pdf;
    s.weight = {v.value.x / v.pdf, v.value.y / v.pdf, v.value.z / v.pdf};
}

}  // namespace warpath
