#include "bvh/builders/spatial_split.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <glm/vec3.hpp>

#include "bvh/builders/object_split.h"

namespace warpath {
namespace {

struct SpatialBins {
    BuildBox boxes[3][num_spatial_bins];
    uint32_t entries[3][num_spatial_bins] = {}, exits[3][num_spatial_bins] = {};

    void add(const SpatialBins& other) {
        for (int axis = 0; axis < 3; ++axis) {
            for (int i = 0; i < num_spatial_bins; ++i) {
                boxes[axis][i].grow(other.boxes[axis][i]);
                entries[axis][i] += other.entries[axis][i];
                exits[axis][i] += other.exits[axis][i];
            }
        }
    }
};

/// Equal slabs of the box along one axis.
struct Slabs {
    float origin, width;

    Slabs(const Bounds& box, int axis) : origin(box.lo[axis]), width(box.extent()[axis] / num_spatial_bins) {}
    bool usable() const { return width > 0.0f && origin + width > origin && is_finite(width); }
    float plane(int i) const { return fmaf(static_cast<float>(i), width, origin); }
    int index(float x) const {
        return static_cast<int>(std::clamp((x - origin) / width, 0.0f, static_cast<float>(num_spatial_bins - 1)));
    }
};

/// Boxes of the parts of one triangle in the slabs from `first` to `last`. In single precision and without padding:
/// they serve to choose a plane; `clip` makes the boxes that count.
class SlabParts {
  public:
    SlabParts(const __m128 (&vertices)[3], int axis, const Slabs& slabs, int first, int last) {
        for (int e = 0; e < 3; ++e) {
            const __m128 a = vertices[e], b = vertices[(e + 1) % 3];
            alignas(16) float from[4], to[4];
            _mm_store_ps(from, a);
            _mm_store_ps(to, b);
            const int i = std::clamp(slabs.index(from[axis]), first, last);
            const int j = std::clamp(slabs.index(to[axis]), first, last);
            boxes_[i].grow(a, a);
            for (int plane = std::min(i, j) + 1; plane <= std::max(i, j); ++plane) {
                const float share = (slabs.plane(plane) - from[axis]) / (to[axis] - from[axis]);
                const __m128 p =
                    _mm_add_ps(a, _mm_mul_ps(_mm_sub_ps(b, a), _mm_set1_ps(std::clamp(share, 0.0f, 1.0f))));
                boxes_[plane - 1].grow(p, p);
                boxes_[plane].grow(p, p);
            }
        }
    }
    const BuildBox& operator[](int i) const { return boxes_[i]; }

  private:
    BuildBox boxes_[num_spatial_bins];
};

/// All of space between two planes; the first and the last slab have no end outwards.
BuildBox slab_of(const Slabs& slabs, int axis, int i, int first, int last) {
    alignas(16) float lo[4], hi[4];
    for (int k = 0; k < 4; ++k) lo[k] = -infinity, hi[k] = infinity;
    if (i > first) lo[axis] = slabs.plane(i);
    if (i < last) hi[axis] = slabs.plane(i + 1);
    return {_mm_load_ps(lo), _mm_load_ps(hi)};
}

void add_to_bins(const BuildMesh& mesh, const BuildReference& reference, const Slabs (&slabs)[3], SpatialBins& bins) {
    __m128 vertices[3];
    bool loaded = false;
    for (int axis = 0; axis < 3; ++axis) {
        if (!slabs[axis].usable()) continue;
        const int first = slabs[axis].index(reference.lo[axis]), last = slabs[axis].index(reference.hi[axis]);
        ++bins.entries[axis][first];
        ++bins.exits[axis][last];
        if (first == last) {
            bins.boxes[axis][first].grow(reference.box());
            continue;
        }
        if (mesh.is_instance(reference.prim_id)) {  // its box is all that is known of it
            for (int i = first; i <= last; ++i) {
                BuildBox part = reference.box();
                part.intersect(slab_of(slabs[axis], axis, i, first, last));
                bins.boxes[axis][i].grow(part);
            }
            continue;
        }
        for (uint32_t i = 0; i < 3 && !loaded; ++i) {
            const Vec3 v = mesh.vertex(reference.prim_id, i);
            vertices[i] = _mm_setr_ps(v.x, v.y, v.z, 1.0f);
        }
        loaded = true;
        const SlabParts parts(vertices, axis, slabs[axis], first, last);
        for (int i = first; i <= last; ++i) {
            BuildBox part = parts[i];
            part.intersect(reference.box());
            if (!part.empty()) bins.boxes[axis][i].grow(part);
        }
    }
}

SpatialBins bin(const BuildMesh& mesh, const BuildRange& range, const Bounds& box) {
    const Slabs slabs[3] = {{box, 0}, {box, 1}, {box, 2}};
    const auto add_block = [&](const tbb::blocked_range<uint32_t>& block, SpatialBins bins) {
        for (uint32_t i = block.begin(); i < block.end(); ++i) add_to_bins(mesh, range.references[i], slabs, bins);
        return bins;
    };
    const tbb::blocked_range<uint32_t> all(0, range.count, 4096);
    if (range.count < parallel_range_size) return add_block(all, SpatialBins{});
    return tbb::parallel_reduce(all, SpatialBins{}, add_block, [](SpatialBins a, const SpatialBins& b) {
        a.add(b);
        return a;
    });
}

void find_plane_on_axis(const SpatialBins& bins, const Bounds& box, int axis, SpatialSplit& best) {
    float right_cost[num_spatial_bins];
    BuildBox side;
    uint32_t count = 0;
    for (int i = num_spatial_bins - 1; i > 0; --i) {
        side.grow(bins.boxes[axis][i]);
        count += bins.exits[axis][i];
        right_cost[i] = count == 0 ? infinity : side.half_area() * static_cast<float>(count);
    }
    side = BuildBox{};
    count = 0;
    for (int i = 1; i < num_spatial_bins; ++i) {
        side.grow(bins.boxes[axis][i - 1]);
        count += bins.entries[axis][i - 1];
        if (count == 0) continue;
        const float cost = side.half_area() * static_cast<float>(count) + right_cost[i];
        if (cost < best.cost) best = {axis, Slabs(box, axis).plane(i), cost};
    }
}

/// One side while references are dealt out.
struct Side {
    BuildBox box;
    uint32_t count = 0;

    float cost_with(const BuildBox& added) const {
        BuildBox grown = box;
        grown.grow(added);
        return grown.half_area() * static_cast<float>(count + 1);
    }
    float cost() const { return count == 0 ? 0.0f : box.half_area() * static_cast<float>(count); }
};

/// Decides about one reference after another.
class Dealer {
  public:
    Dealer(SpatialParts& parts, uint32_t budget) : parts_(parts), budget_(budget) {}

    void give(int side, const BuildBox& box, uint32_t prim_id) {
        parts_.references[side].emplace_back().set_box(box, prim_id);
        sides_[side].box.grow(box);
        ++sides_[side].count;
    }

    /// Cuts the reference into its two boxes, or gives it to one side, whichever makes the sum of costs smallest.
    void cut_or_give(const BuildReference& reference, const BuildBox (&cut)[2]) {
        const float cut_cost = sides_[0].cost_with(cut[0]) + sides_[1].cost_with(cut[1]);
        if (budget_ > 0 && cut_cost < std::min(whole_cost(reference, 0), whole_cost(reference, 1))) {
            --budget_;
            for (int side = 0; side < 2; ++side) give(side, cut[side], reference.prim_id);
        } else {
            give_whole(reference);
        }
    }
    /// To one side, whichever makes the sum of costs smallest.
    void give_whole(const BuildReference& reference) {
        const int side = whole_cost(reference, 0) <= whole_cost(reference, 1) ? 0 : 1;
        give(side, reference.box(), reference.prim_id);
    }

  private:
    float whole_cost(const BuildReference& reference, int side) const {
        return sides_[side].cost_with(reference.box()) + sides_[1 - side].cost();
    }

    SpatialParts& parts_;
    uint32_t budget_;
    Side sides_[2];
};

}  // namespace

BuildBox clip(const BuildMesh& mesh, const BuildReference& reference, int axis, float from, float to) {
    glm::dvec3 lo(infinity), hi(-infinity);
    const auto grow = [&](const glm::dvec3& p) { lo = glm::min(lo, p), hi = glm::max(hi, p); };
    for (uint32_t i = 0; i < 3; ++i) {
        const glm::dvec3 a = mesh.vertex(reference.prim_id, i), b = mesh.vertex(reference.prim_id, (i + 1) % 3);
        if (a[axis] >= from && a[axis] <= to) grow(a);
        for (const double plane : {double(from), double(to)}) {
            if ((a[axis] < plane && b[axis] > plane) || (a[axis] > plane && b[axis] < plane)) {
                glm::dvec3 p = a + (b - a) * ((plane - a[axis]) / (b[axis] - a[axis]));
                p[axis] = plane;
                grow(p);
            }
        }
    }
    const Vec3 pad(mesh.padding(reference.prim_id));
    const Vec3 l = Vec3(lo) - pad + 0.0f, h = Vec3(hi) + pad + 0.0f;
    BuildBox box{_mm_setr_ps(l.x, l.y, l.z, 1.0f), _mm_setr_ps(h.x, h.y, h.z, 1.0f)};
    box.intersect(reference.box());
    return box;
}

SpatialSplit find_spatial_split(const BuildMesh& mesh, const BuildRange& range) {
    const Bounds box = range.box.bounds();
    const SpatialBins bins = bin(mesh, range, box);
    SpatialSplit best;
    for (int axis = 0; axis < 3; ++axis) {
        if (Slabs(box, axis).usable()) find_plane_on_axis(bins, box, axis, best);
    }
    return best;
}

SpatialParts split_spatially(const BuildMesh& mesh, const BuildRange& range, const SpatialSplit& split,
                             uint32_t budget) {
    const int axis = split.axis;
    constexpr size_t both = 2;
    const auto side_of = [&](const BuildReference& r) {
        return r.hi[axis] <= split.position ? size_t(0) : r.lo[axis] >= split.position ? size_t(1) : both;
    };
    size_t counts[3] = {};
    for (const BuildReference& r : range) ++counts[side_of(r)];
    SpatialParts parts;
    for (size_t side = 0; side < 2; ++side) parts.references[side].reserve(counts[side] + counts[both]);
    Dealer dealer(parts, budget);
    std::vector<const BuildReference*> straddling;
    straddling.reserve(counts[both]);
    for (const BuildReference& r : range) {
        const size_t side = side_of(r);
        if (side == both) {
            straddling.push_back(&r);
        } else {
            dealer.give(static_cast<int>(side), r.box(), r.prim_id);
        }
    }
    for (const BuildReference* r : straddling) {
        if (mesh.is_instance(r->prim_id)) {
            dealer.give_whole(*r);
            continue;
        }
        const BuildBox cut[2] = {clip(mesh, *r, axis, -infinity, split.position),
                                 clip(mesh, *r, axis, split.position, infinity)};
        if (cut[1].empty()) {
            dealer.give(0, r->box(), r->prim_id);
        } else if (cut[0].empty()) {
            dealer.give(1, r->box(), r->prim_id);
        } else {
            dealer.cut_or_give(*r, cut);
        }
    }
    for (int side = 0; side < 2; ++side) {
        for (const BuildReference& r : parts.references[side]) parts.ranges[side].add(r);
        parts.ranges[side].references = parts.references[side].data();
    }
    return parts;
}

}  // namespace warpath
