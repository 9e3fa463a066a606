#pragma once

#include "materials/lobes.h"

namespace warpath {

/// Glass, clear or tinted, smooth or rough, solid or thin-walled: the exact Fresnel term scaled by `specular`, the rest
/// transmitted and tinted by the base colour. A rough interface is scaled so that both lobes together lose nothing. A
/// thin wall is one surface that passes light straight on, with one Fresnel term, as KHR_materials_transmission has it.
struct Dielectric {
    static constexpr MaterialKind kind = MaterialKind::Dielectric;

    WARPATH_HD static bool accepts(const Material& m) {
        return m.metallic == 0.0f && m.transmission == 1.0f && !m.transmission_tex.valid();
    }
    WARPATH_HD static LobeMix mix(const MaterialParams&) { return {0.0f, 0.0f, 1.0f, false}; }
};

}  // namespace warpath
