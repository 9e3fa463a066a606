#pragma once

#include "materials/bsdf_types.h"
#include "materials/material_params.h"
#include "scene/scene_data.h"

namespace warpath {

/// Ideal diffuse reflection: the principled material without a coat.
struct Lambert {
    static constexpr MaterialKind kind = MaterialKind::Lambert;

    WARPATH_HD static bool accepts(const Material& m) {
        return m.metallic == 0.0f && m.transmission == 0.0f && (m.specular == 0.0f || m.ior == 1.0f);
    }
    WARPATH_HD static bool has_non_delta(const MaterialParams&) { return true; }

    WARPATH_HD static BsdfValue evaluate(const SceneView&, const MaterialParams& p, Vec3, Vec3 wi) {
        if (!(wi.z > 0.0f)) return {};
        const float pdf = wi.z * inv_pi;
        return {p.base_color * pdf, pdf};
    }
    WARPATH_HD static BsdfSample sample(const SceneView&, const MaterialParams& p, Vec3, float, Vec2 u) {
        const Vec3 wi = sample_cosine(u);
        return {wi, p.base_color, wi.z * inv_pi, false, false, true};
    }
};

}  // namespace warpath
