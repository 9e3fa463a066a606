#pragma once

#include "core/context.h"
#include "core/random.h"
#include "materials/interpolate.h"

namespace warpath {

/// Decides for traversal whether a ray meets a triangle that has alpha: Mask cuts out exactly; Blend is met with its
/// coverage as the probability. The decision is a function of (seed, pixel, sample, bounce, kind of ray, prim_id), so
/// it does not depend on the order of traversal, and a triangle that a split BVH holds twice is decided once.
class AlphaTest {
  public:
    struct Key {
        uint64_t seed;
        uint32_t pixel, sample, bounce;
        RayKind kind;
    };
    WARPATH_HD AlphaTest(const SceneView& scene, const Key& key)
        : scene_(scene),
          key_(static_cast<uint32_t>(
              hash_pair(hash_pair(key.seed, static_cast<uint64_t>(key.sample) << 32 | key.pixel),
                        static_cast<uint64_t>(key.bounce) << 1 | static_cast<uint32_t>(key.kind)) >>
              32)) {}

    WARPATH_HD bool operator()(uint32_t prim_id, float u, float v) const {
        const Triangle& triangle = scene_.triangles[find_prim(scene_, prim_id).triangle];
        const Material& material = scene_.materials[triangle.material_id];
        const float coverage = resolve_alpha(scene_, material, surface_inputs(scene_, triangle, u, v));
        return unit_float(hash_u32(key_ ^ hash_u32(prim_id))) < coverage;
    }

  private:
    const SceneView& scene_;
    uint32_t key_;
};

}  // namespace warpath
