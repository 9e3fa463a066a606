#pragma once

#include <cstring>

#include "bvh/ray_setup.h"

namespace warpath {

/// Which children a ray meets within its interval, and in what order.
struct ChildHits {
    bool any, both;
    bool second_first;  ///< child 1 is the only one hit, or, unless the order is as stored, the nearer
    float far_entry;    ///< if both are hit: where the ray enters the farther one, at least t_min
};

class ScalarBoxes {
  public:
    WARPATH_HD void begin(const Ray& ray, float relative_slack = origin_slack) {
        slabs_ = make_slabs(ray, relative_slack);
        t_min_ = max_of(ray.t_min, 0.0f);
    }

    /// Tests against [t_min, t_limit]. `as_stored`: the children in the builder's order, the one with more surface first.
    WARPATH_HD ChildHits intersect(const BvhNode& node, bool as_stored, float t_limit) const {
        const Planes x = load_planes(node.lo_x), y = load_planes(node.lo_y), z = load_planes(node.lo_z);
        float near[2];
        bool hit[2];
        for (uint32_t i = 0; i < 2; ++i) hit[i] = intersect_child(x, y, z, i, t_limit, near[i]);
        const bool both = hit[0] && hit[1];
        return {hit[0] || hit[1], both, both && !as_stored ? near[1] <= near[0] : !hit[0],
                max_of(near[1], near[0])};
    }

  private:
    /// The planes of both children on one axis, as they lie in BvhNode.
    struct alignas(16) Planes {
        float lo[2], hi[2];
    };
    /// One 16-byte load. Picking a plane by the ray's sign happens afterwards, between values: picked by address, every plane
    /// would cost a GPU a load and a 64-bit addition of its own.
    WARPATH_HD static Planes load_planes(const float* planes) {
#if defined(__CUDA_ARCH__)
        return load_constant(reinterpret_cast<const Planes*>(planes));
#else
        Planes p;
        memcpy(&p, __builtin_assume_aligned(planes, 16), sizeof p);
        return p;
#endif
    }

    /// The far side is kept negated, so that all bounds are maxima.
    WARPATH_HD bool intersect_child(const Planes& x, const Planes& y, const Planes& z, uint32_t i, float t_limit, float& near) const {
        const bool flip_x = slabs_.inv_dir.x < 0.0f, flip_y = slabs_.inv_dir.y < 0.0f, flip_z = slabs_.inv_dir.z < 0.0f;
        const float lo_x = x.lo[i], lo_y = y.lo[i], lo_z = z.lo[i], hi_x = x.hi[i], hi_y = y.hi[i], hi_z = z.hi[i];
        const float near_x = near_t(flip_x ? hi_x : lo_x, 0);
        const float near_y = near_t(flip_y ? hi_y : lo_y, 1);
        const float near_z = near_t(flip_z ? hi_z : lo_z, 2);
        const float far_x = negated_far_t(flip_x ? lo_x : hi_x, 0);
        const float far_y = negated_far_t(flip_y ? lo_y : hi_y, 1);
        const float far_z = negated_far_t(flip_z ? lo_z : hi_z, 2);
        near = max_of(max_of(near_x, near_y), max_of(near_z, t_min_));
        return near <= -max_of(max_of(far_x, far_y), max_of(far_z, -t_limit));
    }
    WARPATH_HD float near_t(float plane, int axis) const {
        return fmaf(plane, slabs_.inv_dir[axis], slabs_.near_offset[axis]);
    }
    WARPATH_HD float negated_far_t(float plane, int axis) const {
        return fmaf(plane, -slabs_.inv_dir[axis], -slabs_.far_offset[axis]);
    }

    RaySlabs slabs_;
    float t_min_;
};

#if WARPATH_SSE
/// Lanes: near distances of children 0 and 1, then their negated far distances.
class SseBoxes {
  public:
    void begin(const Ray& ray, float relative_slack = origin_slack) {
        const RaySlabs s = make_slabs(ray, relative_slack);
        for (int i = 0; i < 3; ++i) {
            inv_dir_[i] = _mm_setr_ps(s.inv_dir[i], s.inv_dir[i], -s.inv_dir[i], -s.inv_dir[i]);
            offset_[i] = _mm_setr_ps(s.near_offset[i], s.near_offset[i], -s.far_offset[i], -s.far_offset[i]);
            order_[i] = s.inv_dir[i] < 0.0f ? _mm_setr_epi32(2, 3, 0, 1) : _mm_setr_epi32(0, 1, 2, 3);
        }
        t_min_ = _mm_set1_ps(max_of(ray.t_min, 0.0f));
    }

    ChildHits intersect(const BvhNode& node, bool as_stored, float t_limit) const {
        const __m128 x = distances(node.lo_x, 0), y = distances(node.lo_y, 1), z = distances(node.lo_z, 2);
        const __m128 interval = _mm_movelh_ps(t_min_, _mm_set1_ps(-t_limit));
        const __m128 bounds = _mm_max_ps(_mm_max_ps(x, y), _mm_max_ps(z, interval));
        // Lanes compared: near <= far of child 0, of child 1, and near of child 1 <= near of child 0.
        const __m128 lesser = _mm_shuffle_ps(bounds, bounds, _MM_SHUFFLE(1, 1, 1, 0));
        const __m128 greater =
            _mm_xor_ps(_mm_shuffle_ps(bounds, bounds, _MM_SHUFFLE(0, 0, 3, 2)), _mm_setr_ps(-0.0f, -0.0f, 0.0f, 0.0f));
        const int mask = _mm_movemask_ps(_mm_cmple_ps(lesser, greater)) & 7;
        const float far_entry = _mm_cvtss_f32(_mm_max_ss(_mm_movehdup_ps(bounds), bounds));
        // Answers by mask, as bit sets: child 1 goes first for 2, 6 (the only one) and 7 (not farther).
        const bool second_first = as_stored ? (mask & 1) == 0 : (0xc4 >> mask & 1) != 0;
        return {(mask & 3) != 0, (0x88 >> mask & 1) != 0, second_first, far_entry};
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
#endif
static_assert(offsetof(BvhNode, hi_x) == 8 && offsetof(BvhNode, lo_y) == 16 && offsetof(BvhNode, lo_z) == 32);

}  // namespace warpath
