#pragma once

#include <tbb/parallel_for.h>

#include <algorithm>
#include <limits>
#include <string>

#include "meshes.h"

/// Where a ray meets a triangle, in double precision, and how far float arithmetic may be off.
///
/// The ray is a line in space; seen along it, the triangle is a triangle in the plane and the ray the origin.
/// `margin` is the distance of the origin from the nearest edge in that plane, negative outside. A float test that
/// first moves vertices relative to the origin and shears them errs by at most 5 * 2^-24 * (largest coordinate of
/// triangle + largest coordinate of origin) on two axes, 7.1 as a length; `error` allows 16 for ours and for Embree's
/// alike. So
///     margin > error:     every correct test reports a hit ("sure");
///     margin < -error:    no correct test does;
///     in between:         either answer is right ("within float error of an edge").
/// The same displacement along a surface tilted against the ray changes t by error / cos(angle); that is `t_error`.
namespace warpath::testing {

struct Crossing {
    double t = 0.0, margin = -std::numeric_limits<double>::infinity(), error = 0.0, t_error = 0.0;

    bool possible(const Ray& ray) const {
        return margin >= -error && t + t_error >= ray.t_min && t - t_error <= ray.t_max;
    }
    bool sure(const Ray& ray) const { return margin > error && t - t_error > ray.t_min && t + t_error < ray.t_max; }
};

/// `mesh` gives vertices and size as TestMesh does, and where its triangles are met in another space, how many times as much
/// rounding counts there.
template <class Mesh>
Crossing cross_triangle(const Mesh& mesh, uint32_t prim_id, const Ray& ray) {
    const glm::dvec3 o = ray.origin, d = ray.dir, w = glm::normalize(d);
    const glm::dvec3 side = std::abs(w.x) < 0.6 ? glm::dvec3(1, 0, 0) : glm::dvec3(0, 1, 0);
    const glm::dvec3 x_axis = glm::normalize(glm::cross(side, w)), y_axis = glm::cross(w, x_axis);
    double x[3], y[3], z[3], largest = 0.0;
    for (int i = 0; i < 3; ++i) {
        const glm::dvec3 v = mesh.vertex(prim_id, i), p = v - o;
        x[i] = glm::dot(p, x_axis), y[i] = glm::dot(p, y_axis), z[i] = glm::dot(p, w);
        largest = std::max({largest, std::abs(v.x), std::abs(v.y), std::abs(v.z)});
    }
    Crossing c;
    c.error = 16.0 * 0x1p-24 * (largest + std::max({std::abs(o.x), std::abs(o.y), std::abs(o.z)}));
    if constexpr (requires { mesh.error_factor(prim_id); }) c.error *= mesh.error_factor(prim_id);
    double e[3], area = 0.0;
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        e[i] = x[j] * y[k] - y[j] * x[k];
        area += e[i];
    }
    // Distance to the boundary, and inside or outside by the signs of the edge functions.
    double distance = std::numeric_limits<double>::infinity();
    bool inside = area != 0.0;
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const double ex = x[k] - x[j], ey = y[k] - y[j], length2 = ex * ex + ey * ey;
        const double s = length2 > 0.0 ? std::clamp(-(x[j] * ex + y[j] * ey) / length2, 0.0, 1.0) : 0.0;
        distance = std::min(distance, std::hypot(x[j] + s * ex, y[j] + s * ey));
        inside = inside && e[i] * area >= 0.0;
    }
    c.margin = inside ? distance : -distance;
    const double to_t = 1.0 / glm::length(d);
    const auto [z_low, z_high] = std::minmax({z[0], z[1], z[2]});
    if (area == 0.0) {
        c.t = 0.5 * (z_low + z_high) * to_t;
        c.t_error = (0.5 * (z_high - z_low) + c.error) * to_t;
        return c;
    }
    const double depth = (e[0] * z[0] + e[1] * z[1] + e[2] * z[2]) / area;
    // Gradient of z over the plane: the tangent of the surface's tilt.
    const double gx = ((z[1] - z[0]) * (y[2] - y[0]) - (z[2] - z[0]) * (y[1] - y[0])) / area;
    const double gy = ((z[2] - z[0]) * (x[1] - x[0]) - (z[1] - z[0]) * (x[2] - x[0])) / area;
    c.t = std::clamp(depth, z_low, z_high) * to_t;
    c.t_error = std::min(c.error * (1.0 + std::hypot(gx, gy)), z_high - z_low + c.error) * to_t;
    return c;
}

/// Empty if `hit` is a right answer for the ray among all triangles, else what is wrong. Complete: a hit must be
/// possible and have the right t, and no sure hit may lie before it; a miss must have no sure hit at all.
template <class Mesh>
std::string check_against_all(const Mesh& mesh, const Ray& ray, const Hit& hit) {
    double limit = std::numeric_limits<double>::infinity();
    if (hit.prim_id != invalid_id) {
        const Crossing c = cross_triangle(mesh, hit.prim_id, ray);
        if (!c.possible(ray)) return "hit on triangle " + std::to_string(hit.prim_id) + " that the ray does not meet";
        if (std::abs(hit.t - c.t) > c.t_error + 1e-6 * std::abs(c.t))
            return "t is off by " + std::to_string(hit.t - c.t);
        limit = hit.t;
    }
    for (uint32_t i = 0; i < mesh.size(); ++i) {
        const Crossing c = cross_triangle(mesh, i, ray);
        if (c.sure(ray) && c.t + c.t_error + 1e-6 * std::abs(c.t) < limit) {
            return "overlooks triangle " + std::to_string(i) + " at " + std::to_string(c.t);
        }
    }
    return {};
}

}  // namespace warpath::testing
