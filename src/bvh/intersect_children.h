#pragma once

#include "bvh/ray_setup.h"

#if defined(__AVX__) && !defined(__CUDACC__)
#define WARPATH_SSE_BOXES 1
#include <immintrin.h>
#else
#define WARPATH_SSE_BOXES 0
#endif

/// The test of a ray against both boxes of a node, twice: in plain C++ for any compiler and device, and with SSE for
/// host code. Both round alike operation by operation, so they give the same bits (intersect_children_test). Each is a
/// type of its own and a template argument of traversal, so that .cu and .cpp files never disagree about what a name
/// means.
namespace warpath {

/// Bit i of `mask`: child i is hit within the interval; near[i] is then where the ray enters it, at least t_min.
struct ChildHits {
    float near[2];
    uint32_t mask;
};

namespace detail {
/// The larger one; b where a is NaN. On the host NaN in b is returned, as maxps does.
WARPATH_HD inline float bound_max(float a, float b) {
#if defined(__CUDA_ARCH__)
    return fmaxf(a, b);
#else
    return a > b ? a : b;
#endif
}
}  // namespace detail

class ScalarBoxes {
  public:
    WARPATH_HD void begin(const Ray& ray) {
        slabs_ = make_slabs(ray);
        t_min_ = max_of(ray.t_min, 0.0f);
    }

    /// Tests against [t_min, t_limit]. The far side is kept negated, so that all bounds are maxima.
    WARPATH_HD ChildHits intersect(const BvhNode& node, float t_limit) const {
        ChildHits hits;
        hits.mask = 0;
        for (uint32_t i = 0; i < 2; ++i) {
            const bool flip_x = slabs_.inv_dir.x < 0.0f, flip_y = slabs_.inv_dir.y < 0.0f,
                       flip_z = slabs_.inv_dir.z < 0.0f;
            const float near_x = near_t(flip_x ? node.hi_x[i] : node.lo_x[i], 0);
            const float near_y = near_t(flip_y ? node.hi_y[i] : node.lo_y[i], 1);
            const float near_z = near_t(flip_z ? node.hi_z[i] : node.lo_z[i], 2);
            const float far_x = negated_far_t(flip_x ? node.lo_x[i] : node.hi_x[i], 0);
            const float far_y = negated_far_t(flip_y ? node.lo_y[i] : node.hi_y[i], 1);
            const float far_z = negated_far_t(flip_z ? node.lo_z[i] : node.hi_z[i], 2);
            hits.near[i] = detail::bound_max(detail::bound_max(near_x, near_y), detail::bound_max(near_z, t_min_));
            const float far = detail::bound_max(detail::bound_max(far_x, far_y), detail::bound_max(far_z, -t_limit));
            hits.mask |= static_cast<uint32_t>(hits.near[i] <= -far) << i;
        }
        return hits;
    }

  private:
    WARPATH_HD float near_t(float plane, int axis) const {
        return fmaf(plane, slabs_.inv_dir[axis], slabs_.near_offset[axis]);
    }
    WARPATH_HD float negated_far_t(float plane, int axis) const {
        return fmaf(plane, -slabs_.inv_dir[axis], -slabs_.far_offset[axis]);
    }

    RaySlabs slabs_;
    float t_min_;
};

#if WARPATH_SSE_BOXES
/// Lanes: near distances of children 0 and 1, then their negated far distances.
class SseBoxes {
  public:
    void begin(const Ray& ray) {
        const RaySlabs s = make_slabs(ray);
        for (int i = 0; i < 3; ++i) {
            inv_dir_[i] = _mm_setr_ps(s.inv_dir[i], s.inv_dir[i], -s.inv_dir[i], -s.inv_dir[i]);
            offset_[i] = _mm_setr_ps(s.near_offset[i], s.near_offset[i], -s.far_offset[i], -s.far_offset[i]);
            order_[i] = s.inv_dir[i] < 0.0f ? _mm_setr_epi32(2, 3, 0, 1) : _mm_setr_epi32(0, 1, 2, 3);
        }
        t_min_ = _mm_set1_ps(max_of(ray.t_min, 0.0f));
    }

    ChildHits intersect(const BvhNode& node, float t_limit) const {
        const __m128 x = distances(node.lo_x, 0), y = distances(node.lo_y, 1), z = distances(node.lo_z, 2);
        const __m128 interval = _mm_movelh_ps(t_min_, _mm_set1_ps(-t_limit));
        const __m128 bounds = _mm_max_ps(_mm_max_ps(x, y), _mm_max_ps(z, interval));
        const __m128 far = _mm_xor_ps(_mm_movehl_ps(bounds, bounds), _mm_set1_ps(-0.0f));
        ChildHits hits;
        _mm_storel_pi(reinterpret_cast<__m64*>(hits.near), bounds);
        hits.mask = static_cast<uint32_t>(_mm_movemask_ps(_mm_cmple_ps(bounds, far))) & 3u;
        return hits;
    }

  private:
    /// Relies on lo and hi of an axis being neighbours in BvhNode.
    __m128 distances(const float* planes, int axis) const {
        const __m128 ordered = _mm_permutevar_ps(_mm_load_ps(planes), order_[axis]);
        return _mm_fmadd_ps(ordered, inv_dir_[axis], offset_[axis]);
    }

    __m128 inv_dir_[3], offset_[3], t_min_;
    __m128i order_[3];
};
static_assert(offsetof(BvhNode, hi_x) == 8 && offsetof(BvhNode, lo_y) == 16 && offsetof(BvhNode, lo_z) == 32);
using NativeBoxes = SseBoxes;
#else
using NativeBoxes = ScalarBoxes;
#endif

}  // namespace warpath
