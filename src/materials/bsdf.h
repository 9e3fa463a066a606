#pragma once

#include "materials/list.h"

/// Scattering at a surface. All directions are unit, point away from the surface, and are given in a local frame whose
/// z axis is the shading normal, turned so that wo.z > 0. The tables in SceneView::energy_tables must be filled
/// (make_energy_tables).
namespace warpath {

struct MixOf {
    const MaterialParams& params;
    template <class M>
    WARPATH_HD LobeMix operator()(M) const {
        return M::mix(params);
    }
};
WARPATH_HD inline LobeMix lobe_mix(const MaterialParams& params) {
    return Materials::visit<LobeMix>(params.kind, MixOf{params});
}
WARPATH_HD inline Lobes make_lobes(const SceneView& scene, const MaterialParams& params, Vec3 wo) {
    return {scene, params, lobe_mix(params), wo};
}

/// f |cos wi| and the density with which sample_bsdf finds wi, both without delta lobes.
WARPATH_HD inline BsdfValue evaluate_bsdf(const SceneView& scene, const MaterialParams& params, Vec3 wo, Vec3 wi) {
    return evaluate_lobes(make_lobes(scene, params, wo), wi);
}
/// f |cos wi| without delta lobes.
WARPATH_HD inline Vec3 eval_bsdf(const SceneView& scene, const MaterialParams& params, Vec3 wo, Vec3 wi) {
    return evaluate_bsdf(scene, params, wo, wi).value;
}
/// Per unit of solid angle, without delta lobes.
WARPATH_HD inline float pdf_bsdf(const SceneView& scene, const MaterialParams& params, Vec3 wo, Vec3 wi) {
    return evaluate_bsdf(scene, params, wo, wi).pdf;
}

/// Samples a direction; all random numbers in [0, 1).
/// weight = f |cos| / pdf, where pdf sums over all lobes that could have found wi. For a delta lobe it is the lobe's
/// reflectance over the probability of its choice.
WARPATH_HD inline BsdfSample sample_bsdf(const SceneView& scene, const MaterialParams& params, Vec3 wo, float u_lobe,
                                         Vec2 u) {
    const Lobes lobes = make_lobes(scene, params, wo);
    BsdfSample sample = draw_lobes(lobes, u_lobe, u);
    if (sample.valid && !sample.delta) weigh(sample, evaluate_lobes(lobes, sample.wi));
    return sample;
}

/// Whether light sampling can contribute at all: false if every lobe is a delta lobe.
WARPATH_HD inline bool has_non_delta(const MaterialParams& params) {
    return params.alpha > 0.0f || (lobe_mix(params).diffuse > 0.0f && !is_zero(params.base_color));
}

/// Whether light can reach the other side.
WARPATH_HD inline bool has_transmission(const MaterialParams& params) { return lobe_mix(params).glass > 0.0f; }

/// The cheapest material that renders the same image in the mean as the principled one; for Material::kind. Host only.
inline MaterialKind simplified_kind(const Material& material) { return Materials::first_accepting(material); }

}  // namespace warpath
