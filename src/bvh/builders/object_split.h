#pragma once

#include "bvh/builders/reference.h"

/// Splits that hand each reference to one side.
namespace warpath {

inline constexpr int num_object_bins = 16;
/// Ranges at least this long are binned and partitioned in parallel. A constant, not a matter of threads, so that the
/// order of references, and with it the tree, does not depend on them.
inline constexpr uint32_t parallel_range_size = 1u << 15;

/// Which bin the centre of a reference falls into, on all axes at once.
struct BinMapping {
    __m128 offset, scale;

    explicit BinMapping(const BuildBox& centers2);
    __m128i bins(const BuildReference& reference) const {
        const __m128 x = _mm_mul_ps(_mm_sub_ps(reference.center2(), offset), scale);
        // The first operand of maxps is dropped when NaN.
        return _mm_cvttps_epi32(_mm_min_ps(_mm_max_ps(x, _mm_setzero_ps()), _mm_set1_ps(num_object_bins - 1)));
    }
};

/// The references whose bin on `axis` is below `bin` go left.
struct ObjectSplit {
    int axis = -1;  ///< -1: all centres fall into one bin
    int bin = 0;
    float cost = infinity;  ///< sum over sides of half area times number of references
    BuildBox left, right;
};

/// Best of the planes between bins, by surface area.
ObjectSplit find_object_split(const BuildRange& range);

/// Reorders the range and returns its two parts, left first.
void partition(const BuildRange& range, const ObjectSplit& split, BuildRange& left, BuildRange& right);

/// Halves the range at the median centre of the widest axis; by position where all centres are equal. Needs two
/// references.
void split_at_median(const BuildRange& range, BuildRange& left, BuildRange& right);

}  // namespace warpath
