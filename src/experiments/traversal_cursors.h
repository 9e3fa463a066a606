#pragma once

#include <type_traits>

#include "experiments/plain_bvh.h"

/// Warpath's traversal and the plain one under the same names, so that whatever feeds them with rays is written once.
namespace warpath::experiments {

template <bool any_, class Tests = NativeTests>
struct WarpathTraversal {
    static constexpr bool any = any_;
    using View = BvhView;
    using Stack = TraversalStack;
    using Cursor = RayCursor<std::conditional_t<any, AnyQuery, NearestQuery>, Tests>;
    WARPATH_HD static void step(Cursor& cursor, const View& tree, TraversalCost& cost) { cursor.step(tree, AcceptAll{}, cost); }
};

template <bool any_>
struct PlainTraversal {
    static constexpr bool any = any_;
    using View = PlainView;
    using Stack = PlainStack;
    using Cursor = PlainCursor<any>;
    WARPATH_HD static void step(Cursor& cursor, const View& tree, TraversalCost& cost) { cursor.step(tree, cost); }
};

/// The hit, or Hit{}; of any-hit queries the first one found.
template <class Traversal>
WARPATH_HD Hit trace_ray(const typename Traversal::View& tree, const Ray& ray, TraversalCost& cost) {
    typename Traversal::Stack stack;
    typename Traversal::Cursor cursor(stack);
    cursor.begin(tree, ray);
    while (!cursor.done()) Traversal::step(cursor, tree, cost);
    return cursor.result();
}

/// Where a ray meets a triangle, in double precision and in lengths of its direction; negative for a miss. Both sides count.
/// Source:  Moeller and Trumbore, "Fast, Minimum Storage Ray/Triangle Intersection", JGT 2(1), 1997.
WARPATH_HD inline double exact_distance(const Ray& ray, const Vec3* vertex) {
    double e1[3], e2[3], from[3], dir[3];
    for (int i = 0; i < 3; ++i) {
        e1[i] = double(vertex[1][i]) - vertex[0][i], e2[i] = double(vertex[2][i]) - vertex[0][i];
        from[i] = double(ray.origin[i]) - vertex[0][i], dir[i] = ray.dir[i];
    }
    const auto cross_of = [](const double* a, const double* b, double* c) { c[0] = a[1] * b[2] - a[2] * b[1], c[1] = a[2] * b[0] - a[0] * b[2], c[2] = a[0] * b[1] - a[1] * b[0]; };
    const auto dot_of = [](const double* a, const double* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; };
    double p[3], q[3];
    cross_of(dir, e2, p);
    const double det = dot_of(e1, p);
    if (det == 0) return -1;
    const double u = dot_of(from, p) / det;
    cross_of(from, e1, q);
    const double v = dot_of(dir, q) / det;
    return u < 0 || v < 0 || u + v > 1 ? -1 : dot_of(e2, q) / det;
}

}  // namespace warpath::experiments
