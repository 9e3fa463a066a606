#pragma once

#include "core/math.h"

namespace warpath {

/// A triangle by one corner and two edges, with the bounds that keep rays from hitting what they leave.
///
/// A hit point is interpolated from the corners: its error then follows from the triangle's coordinates and not from
/// how far the ray came. Two errors are bounded: of the point, per axis (interpolation, and the rounding of the moved
/// point itself), and of the next ray's test against the same triangle, a small multiple of the triangle's size that
/// grows as the triangle gets thinner. Both scale with the scene.
///
/// Source:  Pharr, Jakob and Humphreys, "Physically Based Rendering", 4th ed. 2023, section 6.8: the per-axis bounds.
///          Waechter and Binder, "A Fast and Robust Method for Avoiding Self-Intersection", Ray Tracing Gems 2019, move
///          the point by a count of representable numbers instead, too little near the origin of a large triangle.
struct TriangleShape {
    Vec3 corner, edge1, edge2;

    WARPATH_HD Vec3 position(float u, float v) const { return madd(edge1, u, madd(edge2, v, corner)); }

    /// Unit normal, counter-clockwise outside. A sliver without area in single precision gets some direction across its
    /// edge.
    WARPATH_HD Vec3 normal() const {
        const Vec3 n = scaled_normal();
        const float n_size = largest(n);
        if (n_size > 0.0f) return normalize(n * (1.0f / n_size));
        const Vec3 along = largest(edge1) > largest(edge2) ? edge1 : edge2;
        return Frame::from_normal(normalize(along * (1.0f / largest(along)))).tangent;
    }

    /// How far along the unit normal `n` a point of the triangle must move to be safely on that side.
    WARPATH_HD float offset(Vec3 n) const {
        constexpr float half_ulp = 0x1p-24f;
        const Vec3 sum = magnitude(corner) + magnitude(edge1) + magnitude(edge2);
        return half_ulp * (3.0f * dot(magnitude(n), sum) + (8.0f + thinness()) * size());
    }

    /// The test's error grows with how thin the triangle is; beyond 1024 it has no plane to speak of.
    WARPATH_HD float thinness() const { return min_of(1.0f / length(scaled_normal()), 1024.0f); }
    WARPATH_HD float size() const { return largest(edge1) + largest(edge2); }

    WARPATH_HD static Vec3 magnitude(Vec3 a) { return {::fabsf(a.x), ::fabsf(a.y), ::fabsf(a.z)}; }
    WARPATH_HD static float largest(Vec3 a) { return max_component(magnitude(a)); }

  private:
    /// Normal of the triangle shrunk to about unit size, as long as its area: neither tiny nor huge edges lose it.
    WARPATH_HD Vec3 scaled_normal() const {
        const float scale = 1.0f / max_of(largest(edge1), largest(edge2));
        return cross(edge1 * scale, edge2 * scale);
    }
};

}  // namespace warpath
