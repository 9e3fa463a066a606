#pragma once

#include <immintrin.h>

#include "bvh/bvh.h"

/// What builders sort: padded boxes of triangles, or of parts of triangles. Host only.
namespace warpath {

/// A box in two registers; the fourth lanes carry no meaning. Default-constructed it is empty.
struct BuildBox {
    __m128 lo = _mm_set1_ps(infinity), hi = _mm_set1_ps(-infinity);

    void grow(__m128 other_lo, __m128 other_hi) {
        lo = _mm_min_ps(lo, other_lo);
        hi = _mm_max_ps(hi, other_hi);
    }
    void grow(const BuildBox& other) { grow(other.lo, other.hi); }
    void intersect(const BuildBox& other) {
        lo = _mm_max_ps(lo, other.lo);
        hi = _mm_min_ps(hi, other.hi);
    }
    bool empty() const { return (_mm_movemask_ps(_mm_cmpgt_ps(lo, hi)) & 7) != 0; }
    /// Zero, or NaN from infinities, for an empty box.
    float half_area() const {
        const __m128 e = _mm_max_ps(_mm_sub_ps(hi, lo), _mm_setzero_ps());
        const __m128 products = _mm_mul_ps(e, _mm_shuffle_ps(e, e, _MM_SHUFFLE(3, 0, 2, 1)));
        const __m128 yz = _mm_shuffle_ps(products, products, _MM_SHUFFLE(3, 3, 2, 1));
        return _mm_cvtss_f32(products) + (_mm_cvtss_f32(yz) + _mm_cvtss_f32(_mm_shuffle_ps(yz, yz, 1)));
    }
    Bounds bounds() const {
        alignas(16) float l[4], h[4];
        _mm_store_ps(l, lo);
        _mm_store_ps(h, hi);
        return {{l[0], l[1], l[2]}, {h[0], h[1], h[2]}};
    }
};

/// The triangle `prim_id`, or the part of it inside the box.
struct alignas(32) BuildReference {
    float lo[3];
    float one;  ///< 1, so that arithmetic on all four lanes meets no denormal number
    float hi[3];
    uint32_t prim_id;

    __m128 lo4() const { return _mm_load_ps(lo); }
    __m128 hi4() const { return _mm_load_ps(hi); }
    BuildBox box() const { return {lo4(), hi4()}; }
    /// Twice the centre of the box.
    __m128 center2() const { return _mm_add_ps(lo4(), hi4()); }
    float center2(int axis) const { return lo[axis] + hi[axis]; }
    void set_box(const BuildBox& box, uint32_t id) {
        _mm_store_ps(lo, box.lo);
        _mm_store_ps(hi, box.hi);
        one = 1.0f;
        prim_id = id;
    }
};

/// A run of references with the bounds that splitting needs.
struct BuildRange {
    BuildReference* references = nullptr;
    uint32_t count = 0;
    BuildBox box;       ///< around the references
    BuildBox centers2;  ///< around twice their centres

    void add(const BuildReference& reference) {
        ++count;
        box.grow(reference.lo4(), reference.hi4());
        const __m128 center2 = reference.center2();
        centers2.grow(center2, center2);
    }
    void add(const BuildRange& other) {
        count += other.count;
        box.grow(other.box);
        centers2.grow(other.centers2);
    }
    const BuildReference* begin() const { return references; }
    const BuildReference* end() const { return references + count; }
};

}  // namespace warpath
