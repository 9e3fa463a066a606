#pragma once

#include "bvh/build.h"
#include "bvh/node.h"
#include "bvh/ray_setup.h"
#include "scene/scene_data.h"

namespace warpath {

/// What one tree is built over: triangles, numbered from 0, and after them the boxes of instances, each a leaf of its own.
struct BuildMesh {
    ArrayView<Triangle> triangles;
    PositionView positions;
    ArrayView<Bounds> instances = {};  ///< padded
    uint32_t first_prim_id = 0;        ///< of the triangles, in the finished tree
    uint32_t max_depth = max_bvh_depth;

    uint32_t size() const { return triangles.size + instances.size; }
    bool is_instance(uint32_t prim_id) const { return prim_id >= triangles.size; }

    Vec3 vertex(uint32_t prim_id, uint32_t i) const { return positions[triangles[prim_id].vertex[i]]; }

    Bounds bounds(uint32_t prim_id) const {
        Bounds b;
        for (uint32_t i = 0; i < 3; ++i) b.grow(vertex(prim_id, i));
        return b;
    }
    /// By how much boxes around the triangle, or around parts of it, are to be padded.
    float padding(uint32_t prim_id) const {
        const Bounds b = bounds(prim_id);
        return box_padding * max_of(max_magnitude(b.lo), max_magnitude(b.hi));
    }
    Bounds padded_bounds(uint32_t prim_id) const {
        if (is_instance(prim_id)) return instances[prim_id - triangles.size];
        Bounds b = bounds(prim_id);
        const float pad = padding(prim_id);
        // Adding zero turns -0 into 0, so that minima do not depend on the order of equal numbers.
        b.lo = b.lo - pad + 0.0f;
        b.hi = b.hi + pad + 0.0f;
        return b;
    }
    /// Twice the area of the part of the triangle that lies in `box`, estimated by the share of its own box. An instance
    /// counts as much as its box.
    float double_area(uint32_t prim_id, const Bounds& box) const {
        if (is_instance(prim_id)) return box.half_area();
        const Vec3 a = vertex(prim_id, 0);
        const float whole = length(cross(vertex(prim_id, 1) - a, vertex(prim_id, 2) - a));
        return whole * min_of(1.0f, box.half_area() / padded_bounds(prim_id).half_area());
    }
};

}  // namespace warpath
