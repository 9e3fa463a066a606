#pragma once

#include "bvh/ray_setup.h"

/// The watertight ray-triangle test.
/// Source:  Woop, Benthin, Wald, "Watertight Ray/Triangle Intersection", JCGT 2(1), 2013.
/// Ours differs in two ways. Edge functions are differences of two separately rounded products: rounding is monotone,
/// so the sign is right or the value is zero, and zeros are decided in double precision, where products of floats are
/// exact. And t is the distance of the triangle's plane: where a triangle is seen nearly edge-on, barycentric weights
/// carry few digits, which is enough for u and v, but not for t.
namespace warpath {

namespace detail {

/// Below this sum of edge functions float divisions could overflow.
inline constexpr float least_det = 0x1p-100f;

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
    const BvhTriangleRow row_x = load_constant(&triangle.axis[ray.kx()]), row_y = load_constant(&triangle.axis[ray.ky()]),
                         row_z = load_constant(&triangle.axis[ray.kz()]);
    ShearedTriangle s;
    for (int i = 0; i < 3; ++i) {
        s.z[i] = row_z.vertex[i] - ray.origin.z;
        s.x[i] = fmaf(-ray.shear_x, s.z[i], row_x.vertex[i] - ray.origin.x);
        s.y[i] = fmaf(-ray.shear_y, s.z[i], row_y.vertex[i] - ray.origin.y);
    }
    return s;
}

/// Where the ray meets the triangle's plane, as a sheared z: within the vertices' range, which boxes are built for, and
/// `interpolated` (by barycentric weights) where products underflow or overflow. Edges are differences of vertices, not
/// of vertices relative to the origin, so that distance from the origin costs no digits.
WARPATH_HD inline float plane_distance(const BvhTriangle& triangle, const RayShear& ray, float interpolated) {
    const BvhTriangleRow row_x = load_constant(&triangle.axis[ray.kx()]), row_y = load_constant(&triangle.axis[ray.ky()]),
                         row_z = load_constant(&triangle.axis[ray.kz()]);
    const float *x = row_x.vertex, *y = row_y.vertex, *z = row_z.vertex;
    const Vec3 normal = cross(Vec3(x[1] - x[0], y[1] - y[0], z[1] - z[0]), Vec3(x[2] - x[0], y[2] - y[0], z[2] - z[0]));
    const float along = fmaf(normal.x, ray.shear_x, fmaf(normal.y, ray.shear_y, normal.z));
    const float distance = near_quotient(dot(normal, Vec3(x[0], y[0], z[0]) - ray.origin), along);
    if (!(fabsf(along) >= least_det) || !is_finite(distance)) return interpolated;
    const float low = min_of(z[0], min_of(z[1], z[2])), high = max_of(z[0], max_of(z[1], z[2]));
    return clamp(distance, low - ray.origin.z, high - ray.origin.z);
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
    const double scale = 1.0 / det;
    u = static_cast<float>(e[1] * scale);
    v = static_cast<float>(e[2] * scale);
    const double z = (e[0] * scale) * double(s.z[0]) + (e[1] * scale) * double(s.z[1]) + (e[2] * scale) * double(s.z[2]);
    return plane_distance(triangle, ray, static_cast<float>(z)) * ray.scale_z;
}

}  // namespace detail

/// The test in plain C++. Both forms return the distance at which the ray's line meets the triangle, in lengths of dir,
/// and the barycentric weights u and v of vertices 1 and 2; infinity or NaN for a miss. Both sides count. Of triangles
/// sharing an edge or vertex that the ray meets, all report it; a triangle seen exactly edge-on reports nothing.
struct ScalarTriangles {
    WARPATH_HD static float intersect(const BvhTriangle& triangle, const RayShear& ray, float& u, float& v) {
        const detail::ShearedTriangle s = detail::shear_triangle(triangle, ray);
        const float e0 = s.x[1] * s.y[2] - s.y[1] * s.x[2];
        const float e1 = s.x[2] * s.y[0] - s.y[2] * s.x[0];
        const float e2 = s.x[0] * s.y[1] - s.y[0] * s.x[1];
        if (detail::is_outside(e0, e1, e2)) return infinity;
        const float det = e0 + e1 + e2;
        if (e0 == 0.0f || e1 == 0.0f || e2 == 0.0f || fabsf(det) < detail::least_det) {
            return detail::intersect_exactly(triangle, ray, u, v);
        }
        const float scale = near_reciprocal(det);
        u = e1 * scale;
        v = e2 * scale;
        const float interpolated = fmaf(e0 * scale, s.z[0], fmaf(u, s.z[1], v * s.z[2]));
        return detail::plane_distance(triangle, ray, interpolated) * ray.scale_z;
    }
};

#if WARPATH_SSE
/// The same with the three vertices in lanes; the fourth is kept at zero.
struct SseTriangles {
    static float intersect(const BvhTriangle& triangle, const RayShear& ray, float& u, float& v) {
        const __m128 z = relative(triangle.axis[ray.kz()], ray.origin.z);
        const __m128 x = _mm_fnmadd_ps(_mm_set1_ps(ray.shear_x), z, relative(triangle.axis[ray.kx()], ray.origin.x));
        const __m128 y = _mm_fnmadd_ps(_mm_set1_ps(ray.shear_y), z, relative(triangle.axis[ray.ky()], ray.origin.y));
        // Lanes: edge functions opposite to vertices 2, 0 and 1.
        const __m128 e = _mm_sub_ps(_mm_mul_ps(x, next_vertex(y)), _mm_mul_ps(y, next_vertex(x)));
        const int negative = _mm_movemask_ps(_mm_cmplt_ps(e, _mm_setzero_ps())) & 7;
        const int positive = _mm_movemask_ps(_mm_cmpgt_ps(e, _mm_setzero_ps())) & 7;
        if (negative != 0 && positive != 0) return infinity;
        const float e2 = _mm_cvtss_f32(e), e0 = _mm_cvtss_f32(_mm_movehdup_ps(e)),
                    e1 = _mm_cvtss_f32(_mm_movehl_ps(e, e));
        const float det = e0 + e1 + e2;
        if ((negative | positive) != 7 || fabsf(det) < detail::least_det) {
            return detail::intersect_exactly(triangle, ray, u, v);
        }
        const float scale = near_reciprocal(det);
        u = e1 * scale;
        v = e2 * scale;
        const float z0 = _mm_cvtss_f32(z), z1 = _mm_cvtss_f32(_mm_movehdup_ps(z)),
                    z2 = _mm_cvtss_f32(_mm_movehl_ps(z, z));
        const float interpolated = fmaf(e0 * scale, z0, fmaf(u, z1, v * z2));
        return detail::plane_distance(triangle, ray, interpolated) * ray.scale_z;
    }

  private:
    /// The payload is dropped first: read as a float it is denormal, which slows some processors down.
    static __m128 relative(const BvhTriangleRow& row, float origin) {
        return _mm_sub_ps(_mm_blend_ps(_mm_load_ps(row.vertex), _mm_setzero_ps(), 8), _mm_set1_ps(origin));
    }
    static __m128 next_vertex(__m128 a) { return _mm_shuffle_ps(a, a, _MM_SHUFFLE(3, 0, 2, 1)); }
};
#endif

}  // namespace warpath
