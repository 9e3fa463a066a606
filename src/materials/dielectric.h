#pragma once

#include "materials/interface.h"
#include "scene/scene_data.h"

namespace warpath {

/// Clear or tinted glass: the exact Fresnel term scaled by `specular`, the rest transmitted and tinted by the base
/// colour. A rough interface is scaled so that both lobes together lose nothing. The table holds for specular = 1; with
/// less the scale fades to 1, which never adds energy. A thin wall is one surface that passes light straight on, with
/// one Fresnel term, as KHR_materials_transmission has it.
struct DielectricSplit {
    Vec3 f0, tint;
    float specular, eta, scale;

    WARPATH_HD DielectricSplit(const MaterialParams& p, const EnergyLookup& energy, float cos_o)
        : f0(p.dielectric_f0), tint(p.base_color), specular(p.specular), eta(p.eta), scale(1.0f) {
        if (p.alpha == 0.0f || p.transmission == 0.0f) return;
        if (p.thin_walled) {  // both lobes have the same shape, so the shares do not matter
            scale = 1.0f / energy.white(cos_o);
            return;
        }
        const float exact_f0 = fresnel_at_normal(eta);
        const float share = exact_f0 > 0.0f ? min_of(min_component(f0) / exact_f0, 1.0f) : 1.0f;
        scale = lerp(1.0f, 1.0f / energy.total(cos_o, eta), specular * share);
    }
    WARPATH_HD InterfaceSplit operator()(float cos_oh) const {
        const float exact = fresnel_dielectric(cos_oh, eta);
        if (exact >= 1.0f) return {Vec3(scale), Vec3(0.0f)};  // total reflection spares no share of it
        const Vec3 reflected = tinted_fresnel(f0, exact, eta) * specular;
        return {reflected * scale, (Vec3(1.0f) - reflected) * tint * scale};
    }
};

/// Glass, smooth or rough, solid or thin-walled.
struct Dielectric {
    static constexpr MaterialKind kind = MaterialKind::Dielectric;

    WARPATH_HD static bool accepts(const Material& m) {
        return m.metallic == 0.0f && m.transmission == 1.0f && !m.transmission_tex.valid();
    }
    WARPATH_HD static bool has_non_delta(const MaterialParams& p) { return p.alpha > 0.0f; }

    WARPATH_HD static DielectricSplit split(const SceneView& scene, const MaterialParams& p, Vec3 wo) {
        return {p, EnergyLookup(scene.energy_tables, p.alpha), wo.z};
    }
    WARPATH_HD static BsdfValue evaluate(const SceneView& scene, const MaterialParams& p, Vec3 wo, Vec3 wi) {
        if (p.alpha == 0.0f) return {};
        return evaluate_interface(p, split(scene, p, wo), wo, wi);
    }
    WARPATH_HD static BsdfSample sample(const SceneView& scene, const MaterialParams& p, Vec3 wo, float u_lobe,
                                        Vec2 u) {
        return sample_interface_only(p, split(scene, p, wo), wo, u_lobe, u);
    }
};

}  // namespace warpath
