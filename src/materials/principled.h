#pragma once

#include "materials/lobes.h"

namespace warpath {

/// Everything at once: a metal, and beside it a dielectric coat over a base that is diffuse or transmits. The other
/// materials are its cases with fewer lobes.
///
///     metallic * metal + (1 - metallic) * ((1 - transmission) * coated diffuse + transmission * glass)
///
/// Source: the metallic-roughness model of glTF 2.0, appendix B, with KHR_materials_specular, _ior and _transmission.
/// We differ in the exact Fresnel curve, in energy compensation, and in the weight of the base, which is reciprocal and
/// conserves energy: (1 - E(wo)) (1 - E(wi)) / (1 - E_mean), Kulla and Conty 2017.
struct Principled {
    static constexpr MaterialKind kind = MaterialKind::Principled;

    WARPATH_HD static bool accepts(const Material&) { return true; }
    WARPATH_HD static LobeMix mix(const MaterialParams& p) {
        const float dielectric = 1.0f - p.metallic;
        return {p.metallic, dielectric * (1.0f - p.transmission), dielectric * p.transmission, true};
    }
};

}  // namespace warpath
