#pragma once

#include "bvh/intersect_children.h"

/// The watertight ray-triangle test.
/// Source:  Woop, Benthin, Wald, "Watertight Ray/Triangle Intersection", JCGT 2(1), 2013.
/// Ours differs in two ways. Edge functions are differences of two separately rounded products: rounding is monotone,
/// so the sign is right or the value is zero, and zeros are decided in double precision, where products of floats are
/// exact. And t is interpolated with barycentric weights instead of edge functions, which overflow for coordinates near
/// 1e18.
namespace warpath {

/// Edge functions of a triangle seen along the ray, each opposite to the vertex of its index; all of one sign inside.
struct EdgeFunctions {
    float opposite[3];
    float z[3];  ///< vertices along the sheared axis, relative to the origin
};

namespace detail {

/// Sign pattern of a point outside: some edge function is positive and some other negative.
template <class T>
WARPATH_HD inline bool is_outside(T a, T b, T c) {
    return (a < T(0) || b < T(0) || c < T(0)) && (a > T(0) || b > T(0) || c > T(0));
}

/// Vertex coordinates relative to the ray, sheared so that the ray runs along z. A function of ray and vertex alone.
struct ShearedTriangle {
    float x[3], y[3], z[3];
};
WARPATH_HD inline ShearedTriangle shear_triangle(const BvhTriangle& triangle, const RayShear& ray) {
    const BvhTriangleRow &row_x = triangle.axis[ray.kx], &row_y = triangle.axis[ray.ky], &row_z = triangle.axis[ray.kz];
    ShearedTriangle s;
    for (int i = 0; i < 3; ++i) {
        s.z[i] = row_z.vertex[i] - ray.origin.z;
        s.x[i] = fmaf(-ray.shear_x, s.z[i], row_x.vertex[i] - ray.origin.x);
        s.y[i] = fmaf(-ray.shear_y, s.z[i], row_y.vertex[i] - ray.origin.y);
    }
    return s;
}

/// Decides and solves in double precision; for points on an edge and triangles whose area underflows in float.
/// Returns t, or infinity for a miss.
WARPATH_HD inline float intersect_exactly(const BvhTriangle& triangle, const RayShear& ray, float& u, float& v) {
    const ShearedTriangle s = shear_triangle(triangle, ray);
    double e[3];
    for (int i = 0; i < 3; ++i) {
        const int j = i == 2 ? 0 : i + 1, k = i == 0 ? 2 : i - 1;
        e[i] = double(s.x[j]) * double(s.y[k]) - double(s.y[j]) * double(s.x[k]);
    }
    const double det = e[0] + e[1] + e[2];
    if (is_outside(e[0], e[1], e[2]) || det == 0.0) return infinity;
    u = static_cast<float>(e[1] / det);
    v = static_cast<float>(e[2] / det);
    const double z = (e[0] / det) * double(s.z[0]) + (e[1] / det) * double(s.z[1]) + (e[2] / det) * double(s.z[2]);
    return static_cast<float>(z) * ray.scale_z;
}

}  // namespace detail

/// Distance at which the ray's line meets the triangle, in lengths of dir, and the barycentric weights u and v of
/// vertices 1 and 2; infinity or NaN for a miss. Both sides count. Of triangles sharing an edge or vertex that the ray
/// meets, all report it; a triangle seen exactly edge-on reports nothing.
WARPATH_HD inline float intersect_triangle(const BvhTriangle& triangle, const RayShear& ray, float& u, float& v) {
    const detail::ShearedTriangle s = detail::shear_triangle(triangle, ray);
    const float e0 = s.x[1] * s.y[2] - s.y[1] * s.x[2];
    const float e1 = s.x[2] * s.y[0] - s.y[2] * s.x[0];
    const float e2 = s.x[0] * s.y[1] - s.y[0] * s.x[1];
    if (detail::is_outside(e0, e1, e2)) return infinity;
    const float det = e0 + e1 + e2;
    if (e0 == 0.0f || e1 == 0.0f || e2 == 0.0f || fabsf(det) < 0x1p-100f) {
        return detail::intersect_exactly(triangle, ray, u, v);
    }
    const float scale = 1.0f / det;
    u = e1 * scale;
    v = e2 * scale;
    return fmaf(e0 * scale, s.z[0], fmaf(u, s.z[1], v * s.z[2])) * ray.scale_z;
}

}  // namespace warpath
