#pragma once

#include "materials/lobes.h"

namespace warpath {

/// Ideal diffuse reflection: the principled material without a coat.
struct Lambert {
    static constexpr MaterialKind kind = MaterialKind::Lambert;

    WARPATH_HD static bool accepts(const Material& m) {
        return m.metallic == 0.0f && m.transmission == 0.0f && (m.specular == 0.0f || m.ior == 1.0f);
    }
    WARPATH_HD static LobeMix mix(const MaterialParams&) { return {0.0f, 1.0f, 0.0f, false}; }
};

}  // namespace warpath
