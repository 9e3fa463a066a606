#include "bvh/builders/object_split.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <memory>
#include <vector>

namespace warpath {
namespace {

constexpr uint32_t block_size = 1u << 12;

struct Bins {
    int num_bins;
    BuildBox boxes[3][max_object_bins];
    uint32_t counts[3][max_object_bins] = {};

    explicit Bins(int n) : num_bins(n) {}

    void add(const BuildReference* first, const BuildReference* last, const BinMapping& mapping) {
        for (; first != last; ++first) {
            const __m128 lo = first->lo4(), hi = first->hi4();
            const __m128i bins = mapping.bins(*first);
            const uint64_t xy = static_cast<uint64_t>(_mm_cvtsi128_si64(bins));
            add(0, static_cast<uint32_t>(xy), lo, hi);
            add(1, static_cast<uint32_t>(xy >> 32), lo, hi);
            add(2, static_cast<uint32_t>(_mm_extract_epi32(bins, 2)), lo, hi);
        }
    }
    void add(int axis, uint32_t bin, __m128 lo, __m128 hi) {
        boxes[axis][bin].grow(lo, hi);
        ++counts[axis][bin];
    }
    void add(const Bins& other) {
        for (int axis = 0; axis < 3; ++axis) {
            for (int i = 0; i < num_bins; ++i) {
                boxes[axis][i].grow(other.boxes[axis][i]);
                counts[axis][i] += other.counts[axis][i];
            }
        }
    }
};

Bins bin_in_parallel(const BuildRange& range, const BinMapping& mapping) {
    // Minima, maxima and integer sums are exact, so any order of joining gives the same bins.
    return tbb::parallel_reduce(
        tbb::blocked_range<uint32_t>(0, range.count, block_size), Bins(num_object_bins(range.count)),
        [&](const tbb::blocked_range<uint32_t>& r, Bins bins) {
            bins.add(range.references + r.begin(), range.references + r.end(), mapping);
            return bins;
        },
        [](Bins a, const Bins& b) {
            a.add(b);
            return a;
        });
}

void find_split_on_axis(const Bins& bins, int axis, ObjectSplit& best) {
    const BuildBox* boxes = bins.boxes[axis];
    const uint32_t* counts = bins.counts[axis];
    float right_cost[max_object_bins];
    __m128 right_lo[max_object_bins], right_hi[max_object_bins];
    BuildBox box;
    uint32_t count = 0;
    for (int i = bins.num_bins - 1; i > 0; --i) {
        box.grow(boxes[i]);
        count += counts[i];
        right_lo[i] = box.lo;
        right_hi[i] = box.hi;
        right_cost[i] = count == 0 ? infinity : box.half_area() * static_cast<float>(count);
    }
    box = BuildBox{};
    count = 0;
    for (int i = 1; i < bins.num_bins; ++i) {
        box.grow(boxes[i - 1]);
        count += counts[i - 1];
        if (counts[i - 1] == 0) continue;
        const float cost = box.half_area() * static_cast<float>(count) + right_cost[i];
        if (cost < best.cost) best = {axis, i, cost, box, {right_lo[i], right_hi[i]}};
    }
}

struct GoesLeft {
    BinMapping mapping;
    int axis, bin;

    GoesLeft(const BuildRange& range, const ObjectSplit& split) : mapping(range), axis(split.axis), bin(split.bin) {}
    bool operator()(const BuildReference& r) const {
        alignas(16) int32_t bins[4];
        _mm_store_si128(reinterpret_cast<__m128i*>(bins), mapping.bins(r));
        return bins[axis] < bin;
    }
};

void partition_in_place(const BuildRange& range, const GoesLeft& goes_left, BuildRange& left, BuildRange& right) {
    BuildReference *first = range.references, *last = range.references + range.count;
    while (true) {
        while (first != last && goes_left(*first)) left.add(*first++);
        while (first != last && !goes_left(last[-1])) right.add(*--last);
        if (first == last) break;
        std::swap(*first, last[-1]);
    }
}

/// Keeps the order on both sides, in three passes over blocks: sort each block into scratch, add up, copy back.
void partition_in_parallel(const BuildRange& range, const GoesLeft& goes_left, BuildRange& left, BuildRange& right) {
    const uint32_t num_blocks = (range.count + block_size - 1) / block_size;
    const auto scratch = std::make_unique_for_overwrite<BuildReference[]>(range.count);
    std::vector<BuildRange> lefts(num_blocks), rights(num_blocks);
    tbb::parallel_for(0u, num_blocks, [&](uint32_t b) {
        const uint32_t begin = b * block_size, end = std::min(range.count, begin + block_size);
        uint32_t front = begin, back = end;
        for (uint32_t i = begin; i < end; ++i) {
            const BuildReference& r = range.references[i];
            const bool is_left = goes_left(r);
            scratch[is_left ? front++ : --back] = r;
            (is_left ? lefts : rights)[b].add(r);
        }
    });
    for (uint32_t b = 0; b < num_blocks; ++b) {
        lefts[b].references = range.references + left.count;
        left.add(lefts[b]);
    }
    for (uint32_t b = 0; b < num_blocks; ++b) {
        rights[b].references = range.references + left.count + right.count;
        right.add(rights[b]);
    }
    tbb::parallel_for(0u, num_blocks, [&](uint32_t b) {
        const BuildReference* block = scratch.get() + size_t(b) * block_size;
        std::copy_n(block, lefts[b].count, lefts[b].references);
        std::copy_n(block + lefts[b].count, rights[b].count, rights[b].references);
    });
}

}  // namespace

BinMapping::BinMapping(const BuildRange& range) : offset(range.centers2.lo) {
    const float num_bins = static_cast<float>(num_object_bins(range.count));
    const __m128 extent = _mm_sub_ps(range.centers2.hi, range.centers2.lo);
    const __m128 quotient = _mm_div_ps(_mm_set1_ps(num_bins * 0.99999f), extent);
    scale = _mm_and_ps(quotient, _mm_cmpgt_ps(extent, _mm_setzero_ps()));
    last_bin = _mm_set1_ps(num_bins - 1.0f);
}

ObjectSplit find_object_split(const BuildRange& range) {
    const BinMapping mapping(range);
    ObjectSplit best;
    Bins bins(num_object_bins(range.count));
    if (range.count >= parallel_range_size) {
        bins = bin_in_parallel(range, mapping);
    } else {
        bins.add(range.begin(), range.end(), mapping);
    }
    for (int axis = 0; axis < 3; ++axis) find_split_on_axis(bins, axis, best);
    return best;
}

void partition(const BuildRange& range, const ObjectSplit& split, BuildRange& left, BuildRange& right) {
    const GoesLeft goes_left(range, split);
    left = right = {};
    if (range.count >= parallel_range_size) {
        partition_in_parallel(range, goes_left, left, right);
    } else {
        partition_in_place(range, goes_left, left, right);
    }
    left.references = range.references;
    right.references = range.references + left.count;
}

void split_at_median(const BuildRange& range, BuildRange& left, BuildRange& right) {
    const Vec3 extent = range.centers2.bounds().extent();
    const int axis = extent.x >= extent.y && extent.x >= extent.z ? 0 : extent.y >= extent.z ? 1 : 2;
    BuildReference *first = range.references, *middle = first + range.count / 2, *last = first + range.count;
    std::nth_element(first, middle, last, [axis](const BuildReference& a, const BuildReference& b) {
        const float x = a.center2(axis), y = b.center2(axis);
        return x < y || (x == y && a.prim_id < b.prim_id);
    });
    left = right = {};
    left.references = first;
    right.references = middle;
    for (const BuildReference* r = first; r != last; ++r) (r < middle ? left : right).add(*r);
}

}  // namespace warpath
