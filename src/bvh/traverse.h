#pragma once

#include "bvh/node.h"
#include "scene/scene_data.h"

namespace warpath {

/// What one ray cost. Adds up over calls.
struct TraversalCost {
    uint32_t node_steps = 0, triangle_tests = 0, alpha_tests = 0;
};

/// Accepts every hit: for opaque scenes and for geometry alone.
struct AcceptAll {
    WARPATH_HD bool operator()(uint32_t, float, float) const { return true; }
};

namespace detail {
WARPATH_HD inline bool box_hit(const BvhNode& n, int i, const Ray& ray, float t_max) {
    const float lo[3] = {n.lo_x[i], n.lo_y[i], n.lo_z[i]}, hi[3] = {n.hi_x[i], n.hi_y[i], n.hi_z[i]};
    float near = ray.t_min, far = t_max;
    for (int a = 0; a < 3; ++a) {
        const float d = ray.dir[a];
        if (d == 0.0f) {
            if (ray.origin[a] < lo[a] || ray.origin[a] > hi[a]) return false;
            continue;
        }
        const float p = (lo[a] - ray.origin[a]) / d, q = (hi[a] - ray.origin[a]) / d;
        near = max_of(near, min_of(p, q)), far = min_of(far, max_of(p, q));
    }
    return near <= far * 1.000001f;
}
WARPATH_HD inline bool triangle_hit(const BvhTriangle& tri, const Ray& ray, Hit& hit) {
    const Vec3 a = tri.vertex(0), e1 = tri.vertex(1) - a, e2 = tri.vertex(2) - a, p = cross(ray.dir, e2);
    const float det = dot(p, e1);
    if (det == 0.0f) return false;
    const Vec3 s = ray.origin - a, q = cross(s, e1);
    const float u = dot(s, p) / det, v = dot(q, ray.dir) / det, t = dot(q, e2) / det;
    if (!(u >= 0 && v >= 0 && u + v <= 1 && t >= ray.t_min && t < hit.t)) return false;
    hit = {t, u, v, tri.prim_id()};
    return true;
}
}  // namespace detail

/// Nearest hit that `accept(prim_id, u, v)` takes; it is asked only about triangles with triangle_has_alpha.
/// Units:   hits satisfy ray.t_min <= t < ray.t_max, t counted in lengths of ray.dir.
/// Errors:  a ray with NaN or infinity (other than t_max) misses.
template <class Accept>
WARPATH_HD Hit closest_hit(const BvhView& bvh, const Ray& ray, const Accept& accept, TraversalCost& cost) {
    Hit best;
    best.t = ray.t_max;
    int32_t stack[max_bvh_depth + 1];
    uint32_t depth = 0;
    if (!bvh.nodes.empty()) stack[depth++] = 0;
    while (depth > 0) {
        const int32_t current = stack[--depth];
        if (!is_leaf(current)) {
            ++cost.node_steps;
            for (int i = 0; i < 2; ++i)
                if (detail::box_hit(bvh.nodes[current], i, ray, best.t)) stack[depth++] = bvh.nodes[current].child[i];
            continue;
        }
        const LeafRange leaf = decode_leaf(current);
        for (uint32_t i = leaf.first; i < leaf.first + leaf.count; ++i) {
            Hit hit = best;
            ++cost.triangle_tests;
            if (!detail::triangle_hit(bvh.triangles[i], ray, hit)) continue;
            if (bvh.triangles[i].flags() & triangle_has_alpha) {
                ++cost.alpha_tests;
                if (!accept(hit.prim_id, hit.u, hit.v)) continue;
            }
            best = hit;
        }
    }
    if (best.prim_id == invalid_id) best.t = infinity;
    return best;
}

/// True if closest_hit would find a hit; stops at the first one.
template <class Accept>
WARPATH_HD bool any_hit(const BvhView& bvh, const Ray& ray, const Accept& accept, TraversalCost& cost) {
    return closest_hit(bvh, ray, accept, cost).prim_id != invalid_id;
}

}  // namespace warpath
