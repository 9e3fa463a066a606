#pragma once

#include "bvh/bvh.h"

/// Whether the intersection tests exist in SSE form too. Host code in .cpp files uses that, everything else the plain
/// form.
#if defined(__AVX2__) && defined(__FMA__) && !defined(__CUDACC__)
#define WARPATH_SSE 1
#include <immintrin.h>
#else
#define WARPATH_SSE 0
#endif

/// What traversal precomputes once per ray, and the error bounds that make it watertight.
///
/// Notation: e = 2^-24, the largest relative rounding error of one operation; V = largest coordinate magnitude of a
/// triangle; O = largest coordinate magnitude of the ray's origin.
///
/// The triangle test (intersect_triangle.h) moves every vertex as a function of vertex and ray only, by at most
/// 7 e (V + O) per axis, and then decides exactly: e (V + O) for the difference from the origin, as much for that of z,
/// 3 e (V + O) for the shear, which is a near_quotient of at most 1, and 2 e (V + O) for the fused multiply-add. So the
/// moved mesh has no cracks. The node test must let pass every ray that comes within 7 e (V + O) of a triangle's box. Its
/// own slab distances are wrong by at most 3 e |plane - origin| for the near_reciprocal and the fused multiply-add, and
/// 3 e O for the offset, both counted in space. Hence
///   - builders pad a triangle's box by 12 e V on every axis (box_padding): 7 + 3, rounded up;
///   - rays widen every slab by 16 e O (origin_slack): 7 + 3 + 3, rounded up.
/// On the host, where quotients are rounded correctly, both are wider than they need be; trees are the same for all.
/// Source:  Ize, "Robust BVH Ray Traversal", JCGT 2(2), 2013; Woop, Benthin, Wald, "Watertight Ray/Triangle
/// Intersection",
///          JCGT 2(1), 2013, section 3.3. They widen by the distance of each box; here both parts are known beforehand.
/// Where there are instances, rays in world space widen by more (builders/instance_boxes.h).
namespace warpath {

inline constexpr float box_padding = 0x1.8p-21f;
inline constexpr float origin_slack = 0x1p-20f;
static_assert(BvhView{}.origin_slack == origin_slack);

WARPATH_HD inline float max_magnitude(Vec3 a) { return max_of(fabsf(a.x), max_of(fabsf(a.y), fabsf(a.z))); }

/// Slab distances of a plane p on axis i are fmaf(p, inv_dir[i], near_offset[i]) where the ray enters, and with
/// far_offset where it leaves. They may be infinite or NaN; NaN stands for "no bound" and comes from overflow only.
struct RaySlabs {
    Vec3 inv_dir, near_offset, far_offset;
};

/// The ray as the triangle test wants it: axis kz is the one along which dir is longest, and the shear maps dir to it.
struct RayShear {
    uint32_t axes;                    ///< kx | ky << 8 | kz << 16: one register
    Vec3 origin;                      ///< by kx, ky, kz
    float shear_x, shear_y, scale_z;  ///< dir.kx / dir.kz, dir.ky / dir.kz, 1 / dir.kz

    WARPATH_HD uint32_t kx() const { return axes & 0xffu; }
    WARPATH_HD uint32_t ky() const { return axes >> 8 & 0xffu; }
    WARPATH_HD uint32_t kz() const { return axes >> 16; }
};

/// False for rays that miss everything: NaN or infinity in origin or dir, a dir whose longest component or its reciprocal
/// is above 2^126, or an empty interval.
WARPATH_HD inline bool is_traceable(const Ray& ray) {
    const float longest = max_magnitude(ray.dir);
    return is_finite(ray.origin) && is_finite(ray.dir) && longest >= 0x1p-126f && longest <= 0x1p126f && ray.t_min < ray.t_max;
}

/// A component of dir below 2^-100 of the longest, or below 2^-126, is raised, so that its reciprocal is finite; a ray parallel
/// to a slab is then inside for all t or for none. Along the whole way that coordinates up to 1e18 allow (2^63) the
/// raised ray strays by less than 2^63 * 2 in units of t of the raised axis, which is added to the slack.
WARPATH_HD inline void set_slab(float origin, float dir, float longest, float slack, float& inv, float& near,
                                float& far) {
    inv = near_reciprocal(dir);
    float error = 0.0f;
    if (!(fabsf(dir) > max_of(longest * 0x1p-100f, 0x1p-126f))) {
        const float raised = near_quotient(0x1p100f, longest);
        inv = copysignf(min_of(raised, 0x1p126f), dir);
        error = raised * 0x1p-35f;
    }
    error = fmaf(slack, fabsf(inv), error);
    const float offset = -(origin * inv);
    near = offset - error;
    far = offset + error;
}

/// `relative_slack`: what slabs are widened by, as a share of the origin's largest coordinate.
WARPATH_HD inline RaySlabs make_slabs(const Ray& ray, float relative_slack = origin_slack) {
    const float longest = max_magnitude(ray.dir), slack = relative_slack * max_magnitude(ray.origin);
    RaySlabs s;
    set_slab(ray.origin.x, ray.dir.x, longest, slack, s.inv_dir.x, s.near_offset.x, s.far_offset.x);
    set_slab(ray.origin.y, ray.dir.y, longest, slack, s.inv_dir.y, s.near_offset.y, s.far_offset.y);
    set_slab(ray.origin.z, ray.dir.z, longest, slack, s.inv_dir.z, s.near_offset.z, s.far_offset.z);
    return s;
}

WARPATH_HD inline RayShear make_shear(const Ray& ray) {
    const Vec3 d = ray.dir, o = ray.origin;
    const float x = fabsf(d.x), y = fabsf(d.y), z = fabsf(d.z);
    const bool along_x = x >= y && x >= z, along_y = !along_x && y >= z;
    const auto turned = [&](Vec3 v) { return along_x ? Vec3(v.y, v.z, v.x) : along_y ? Vec3(v.z, v.x, v.y) : v; };
    const Vec3 dir = turned(d);
    const uint32_t axes = along_x ? 0x000201u : along_y ? 0x010002u : 0x020100u;
    return {axes, turned(o), near_quotient(dir.x, dir.z), near_quotient(dir.y, dir.z), near_reciprocal(dir.z)};
}

}  // namespace warpath
