#pragma once

#include "materials/lobes.h"

namespace warpath {

/// Metal: Schlick's Fresnel term over the base colour, scaled by what multiple scattering returns. Smooth, it is a
/// mirror that returns exactly the base colour at normal incidence.
/// Source: Turquin, "Practical Multiple Scattering Compensation for Microfacet Models", 2019, eq. 16.
struct Conductor {
    static constexpr MaterialKind kind = MaterialKind::Conductor;

    WARPATH_HD static bool accepts(const Material& m) { return m.metallic == 1.0f && !m.metallic_tex.valid(); }
    WARPATH_HD static LobeMix mix(const MaterialParams&) { return {1.0f, 0.0f, 0.0f, false}; }
};

}  // namespace warpath
