#pragma once

#include <cmath>
#include <cstdint>
#include <glm/mat3x3.hpp>
#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include "core/platform.h"

/// Vector types and the small set of functions that stages use.
/// Contraction is off in every build (-ffp-contract=off, -fmad=false), so that one stage inlined into different kernels
/// rounds alike; where a fused multiply-add pays, it is written out as fmaf.
namespace warpath {

using Vec2 = glm::vec2;
using Vec3 = glm::vec3;
using Vec4 = glm::vec4;
using UVec3 = glm::uvec3;
using UVec4 = glm::uvec4;
using Mat3 = glm::mat3;
using Mat4 = glm::mat4;

inline constexpr float pi = 3.14159265358979323846f;
inline constexpr float inv_pi = 0.31830988618379067154f;
inline constexpr float infinity = __builtin_huge_valf();
inline constexpr uint32_t invalid_id = 0xffffffffu;

/// Correctly rounded quotient and reciprocal, for code whose error bounds count on it: on CUDA, plain `/` is within 2 ulp
/// and 1 / x and sqrtf within 1 (CMakeLists.txt), for a fraction of the instructions.
WARPATH_HD inline float divide(float a, float b) {
#if defined(__CUDA_ARCH__)
    return __fdiv_rn(a, b);
#else
    return a / b;
#endif
}
WARPATH_HD inline float reciprocal(float x) {
#if defined(__CUDA_ARCH__)
    return __frcp_rn(x);
#else
    return 1.0f / x;
#endif
}

/// Reciprocal and quotient for traversal: on CUDA within 2 and 3 times 2^-24 of themselves where 2^-126 <= |b| <= 2^126, in one instruction and two; correctly
/// rounded elsewhere.
WARPATH_HD inline float near_reciprocal(float x) {
#if defined(__CUDA_ARCH__)
    float y;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
#else
    return 1.0f / x;
#endif
}
WARPATH_HD inline float near_quotient(float a, float b) {
#if defined(__CUDA_ARCH__)
    return a * near_reciprocal(b);
#else
    return a / b;
#endif
}

WARPATH_HD inline float dot(Vec3 a, Vec3 b) { return fmaf(a.x, b.x, fmaf(a.y, b.y, a.z * b.z)); }
WARPATH_HD inline Vec3 cross(Vec3 a, Vec3 b) {
    return {fmaf(a.y, b.z, -(a.z * b.y)), fmaf(a.z, b.x, -(a.x * b.z)), fmaf(a.x, b.y, -(a.y * b.x))};
}
WARPATH_HD inline float length_squared(Vec3 a) { return dot(a, a); }
/// 1 / sqrt(x) within 2 ulp, for x at least 2^-126.
WARPATH_HD inline float inverse_sqrt(float x) {
#if defined(__CUDA_ARCH__)
    return rsqrtf(x);
#else
    return 1.0f / sqrtf(x);
#endif
}
WARPATH_HD inline float length(Vec3 a) { return sqrtf(dot(a, a)); }
/// Unit vector along `a`. `a` must not be zero; very long and very short vectors are scaled first by the caller.
WARPATH_HD inline Vec3 normalize(Vec3 a) {
    const float s = inverse_sqrt(dot(a, a));
    return {a.x * s, a.y * s, a.z * s};
}
/// a + b * t, fused.
WARPATH_HD inline Vec3 madd(Vec3 b, float t, Vec3 a) {
    return {fmaf(b.x, t, a.x), fmaf(b.y, t, a.y), fmaf(b.z, t, a.z)};
}
/// Where a is NaN, b; where b is, b on the host, and a on CUDA, whose one instruction for this works so.
WARPATH_HD inline float min_of(float a, float b) {
#if defined(__CUDA_ARCH__)
    return fminf(a, b);
#else
    return a < b ? a : b;
#endif
}
WARPATH_HD inline float max_of(float a, float b) {
#if defined(__CUDA_ARCH__)
    return fmaxf(a, b);
#else
    return a > b ? a : b;
#endif
}
WARPATH_HD inline float clamp(float x, float lo, float hi) { return min_of(max_of(x, lo), hi); }
WARPATH_HD inline float saturate(float x) { return clamp(x, 0.0f, 1.0f); }
WARPATH_HD inline float lerp(float a, float b, float t) { return fmaf(t, b - a, a); }
WARPATH_HD inline Vec3 lerp(Vec3 a, Vec3 b, float t) { return {lerp(a.x, b.x, t), lerp(a.y, b.y, t), lerp(a.z, b.z, t)}; }
WARPATH_HD inline float max_component(Vec3 a) { return max_of(a.x, max_of(a.y, a.z)); }
WARPATH_HD inline float min_component(Vec3 a) { return min_of(a.x, min_of(a.y, a.z)); }
/// Rec. 709 luminance of a linear colour.
WARPATH_HD inline float luminance(Vec3 c) { return 0.2126f * c.x + 0.7152f * c.y + 0.0722f * c.z; }
WARPATH_HD inline bool is_zero(Vec3 a) { return a.x == 0.0f && a.y == 0.0f && a.z == 0.0f; }
WARPATH_HD inline bool is_finite(float x) { return x - x == 0.0f; }
WARPATH_HD inline bool is_finite(Vec3 a) { return is_finite(a.x) && is_finite(a.y) && is_finite(a.z); }
WARPATH_HD inline float sqr(float x) { return x * x; }
WARPATH_HD inline float safe_sqrt(float x) { return sqrtf(max_of(x, 0.0f)); }

/// Right-handed orthonormal frame around a unit normal.
/// Source: Duff et al., "Building an Orthonormal Basis, Revisited", JCGT 6(1), 2017.
struct Frame {
    Vec3 tangent, bitangent, normal;

    WARPATH_HD static Frame from_normal(Vec3 n) {
        const float sign = n.z < 0.0f ? -1.0f : 1.0f;
        const float a = -1.0f / (sign + n.z);
        const float b = n.x * n.y * a;
        return {{1.0f + sign * n.x * n.x * a, sign * b, -sign * n.x}, {b, sign + n.y * n.y * a, -n.y}, n};
    }
    WARPATH_HD Vec3 to_world(Vec3 v) const { return madd(tangent, v.x, madd(bitangent, v.y, normal * v.z)); }
    WARPATH_HD Vec3 to_local(Vec3 v) const { return {dot(v, tangent), dot(v, bitangent), dot(v, normal)}; }
};

/// Axis-aligned bounding box; default-constructed it is empty (lo > hi).
struct Bounds {
    Vec3 lo{infinity}, hi{-infinity};

    WARPATH_HD bool empty() const { return !(lo.x <= hi.x && lo.y <= hi.y && lo.z <= hi.z); }
    WARPATH_HD Vec3 extent() const { return hi - lo; }
    WARPATH_HD Vec3 center() const { return lo * 0.5f + hi * 0.5f; }
    WARPATH_HD void grow(Vec3 p) {
        lo = {min_of(lo.x, p.x), min_of(lo.y, p.y), min_of(lo.z, p.z)};
        hi = {max_of(hi.x, p.x), max_of(hi.y, p.y), max_of(hi.z, p.z)};
    }
    WARPATH_HD void grow(const Bounds& b) {
        lo = {min_of(lo.x, b.lo.x), min_of(lo.y, b.lo.y), min_of(lo.z, b.lo.z)};
        hi = {max_of(hi.x, b.hi.x), max_of(hi.y, b.hi.y), max_of(hi.z, b.hi.z)};
    }
    /// Half of the surface area (enough for the surface-area heuristic).
    WARPATH_HD float half_area() const {
        const Vec3 e = hi - lo;
        return fmaf(e.x, e.y, fmaf(e.y, e.z, e.z * e.x));
    }
};

}  // namespace warpath
