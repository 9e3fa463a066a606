#pragma once

#include "materials/interface.h"
#include "scene/scene_data.h"

namespace warpath {

/// A metal's microfacets: Schlick's Fresnel term over the base colour, scaled by what multiple scattering returns.
/// Source: Turquin, "Practical Multiple Scattering Compensation for Microfacet Models", 2019, eq. 16.
struct ConductorSplit {
    Vec3 f0, scale;

    WARPATH_HD ConductorSplit(const MaterialParams& p, const EnergyLookup& energy, float cos_o)
        : f0(p.base_color), scale(1.0f) {
        if (p.alpha == 0.0f || p.metallic == 0.0f) return;
        const float white = energy.white(cos_o);
        scale = madd(f0, (1.0f - white) / white, Vec3(1.0f));
    }
    WARPATH_HD InterfaceSplit operator()(float cos_oh) const {
        return {fresnel_schlick(f0, cos_oh) * scale, Vec3(0.0f)};
    }
};

/// Metal; smooth, it is a mirror that returns exactly the base colour at normal incidence.
struct Conductor {
    static constexpr MaterialKind kind = MaterialKind::Conductor;

    WARPATH_HD static bool accepts(const Material& m) { return m.metallic == 1.0f && !m.metallic_tex.valid(); }
    WARPATH_HD static bool has_non_delta(const MaterialParams& p) { return p.alpha > 0.0f; }

    WARPATH_HD static ConductorSplit split(const SceneView& scene, const MaterialParams& p, Vec3 wo) {
        return {p, EnergyLookup(scene.energy_tables, p.alpha), wo.z};
    }
    WARPATH_HD static BsdfValue evaluate(const SceneView& scene, const MaterialParams& p, Vec3 wo, Vec3 wi) {
        if (p.alpha == 0.0f || !(wi.z > 0.0f)) return {};
        return evaluate_interface(p, split(scene, p, wo), wo, wi);
    }
    WARPATH_HD static BsdfSample sample(const SceneView& scene, const MaterialParams& p, Vec3 wo, float u_lobe,
                                        Vec2 u) {
        return sample_interface_only(p, split(scene, p, wo), wo, u_lobe, u);
    }
};

}  // namespace warpath
