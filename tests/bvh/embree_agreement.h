#pragma once

#include "embree_scene.h"
#include "reference_hits.h"

namespace warpath::testing {

/// Counts of rays compared, and of those where a hit within float error of an edge had to be skipped.
struct Agreement {
    uint64_t num_rays = 0, num_hits = 0, num_edges = 0;
};

/// Empty if both answers to the ray are right, else what is wrong. They agree if both miss, or both hit at t within
/// 1e-4 (relative), which covers ties. Otherwise the nearer hit is examined in double precision (reference_hits.h):
///   - a sure hit: the other one overlooks it; an impossible hit: its reporter invents it. Both are errors.
///   - within float error of an edge, or of an end of the interval: either answer is right, and the question is asked
///   again
///     beyond that hit, so that nothing hides behind it.
/// Two hits that are both possible, at distances that differ by no more than float error and the triangles' tilt
/// explain, are a tie as well; this matters for t near 0, where 1e-4 is less than that.
inline std::string compare(const TestMesh& mesh, const Bvh& bvh, const EmbreeScene& embree, Ray ray,
                           Agreement& agreement) {
    ++agreement.num_rays;
    for (int attempt = 0; attempt < 32; ++attempt) {
        const Hit ours = trace(bvh, ray), theirs = embree.closest_hit(ray);
        const bool we_hit = ours.prim_id != invalid_id, they_hit = theirs.prim_id != invalid_id;
        if (attempt == 0) agreement.num_hits += we_hit;
        if (!we_hit && !they_hit) return {};
        const double difference = std::abs(double(ours.t) - double(theirs.t));
        if (we_hit && they_hit && difference <= 1e-4 * std::min(ours.t, theirs.t)) return {};
        const bool ours_is_nearer = we_hit && (!they_hit || ours.t < theirs.t);
        const Hit& nearer = ours_is_nearer ? ours : theirs;
        const Crossing c = cross_triangle(mesh, nearer.prim_id, ray);
        if (we_hit && they_hit) {
            const Crossing a = cross_triangle(mesh, ours.prim_id, ray), b = cross_triangle(mesh, theirs.prim_id, ray);
            if (a.possible(ray) && b.possible(ray) && difference <= a.t_error + b.t_error) return {};
        }
        const std::string where = " triangle " + std::to_string(nearer.prim_id) + " at " + std::to_string(nearer.t);
        if (!c.possible(ray)) return (ours_is_nearer ? "warpath invents" : "Embree invents") + where;
        if (c.sure(ray)) return (ours_is_nearer ? "Embree overlooks" : "warpath overlooks") + where;
        if (attempt == 0) ++agreement.num_edges;
        ray.t_min = std::nextafter(std::max(nearer.t, static_cast<float>(c.t + c.t_error)), infinity);
    }
    return "no agreement after 32 hits within float error";
}

}  // namespace warpath::testing
