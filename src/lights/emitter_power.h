#pragma once

#include <vector>

#include "materials/interpolate.h"
#include "scene/scene_data.h"

namespace warpath {

/// How bright the triangles of a scene are: the weights of emitter selection. Host only; the columns in view must
/// stay as they are.
class EmitterPower {
  public:
    explicit EmitterPower(const SceneView& scene);

    /// World units squared, in double precision: squares of large coordinates overflow a float.
    double area(uint32_t prim_id) const;

    /// Mean luminance of the emission over the triangle, estimated at 16 points, and at least a small part of what the
    /// texture could hold there: 0 only if no point of the texture shines, so that no light is left out.
    double mean_luminance(uint32_t prim_id) const;

    /// Largest component of the emission of any material, over its whole texture.
    float largest_radiance() const;

  private:
    SceneView view_;
    std::vector<Vec3> brightest_;  ///< per material: emission times the largest value of each texture channel
};

}  // namespace warpath
