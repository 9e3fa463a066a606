#pragma once

#include <array>
#include <cmath>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "bvh/build.h"
#include "bvh/traverse.h"

/// Meshes and rays for the BVH's tests.
namespace warpath::testing {

inline constexpr BvhPreset all_presets[] = {BvhPreset::Fast, BvhPreset::Balanced, BvhPreset::Best};
inline const char* name_of(BvhPreset preset) {
    return preset == BvhPreset::Fast ? "fast" : preset == BvhPreset::Balanced ? "balanced" : "best";
}

struct TestMesh {
    std::vector<Triangle> triangles;
    std::vector<Vec3> positions;

    uint32_t size() const { return static_cast<uint32_t>(triangles.size()); }
    void add(Vec3 a, Vec3 b, Vec3 c, uint32_t flags = 0) {
        const uint32_t first = static_cast<uint32_t>(positions.size());
        positions.insert(positions.end(), {a, b, c});
        triangles.push_back({{first, first + 1, first + 2}, 0, invalid_id, flags});
    }
    Vec3 vertex(uint32_t prim_id, int i) const { return positions[triangles[prim_id].vertex[i]]; }
    ArrayView<Triangle> triangle_view() const { return {triangles.data(), size()}; }
    ArrayView<Vec3> position_view() const { return {positions.data(), static_cast<uint32_t>(positions.size())}; }
    Bvh build(const BvhOptions& options = {}) const { return build_bvh(triangle_view(), position_view(), options); }
    Bvh build(BvhPreset preset) const { return build(bvh_preset(preset)); }
    TestMesh transformed(float scale, Vec3 offset) const {
        TestMesh m = *this;
        for (Vec3& p : m.positions) p = p * scale + offset;
        return m;
    }
};

struct Random {
    std::mt19937 engine;

    explicit Random(uint32_t seed) : engine(seed) {}
    float uniform(float lo = 0.0f, float hi = 1.0f) { return std::uniform_real_distribution<float>(lo, hi)(engine); }
    Vec3 point(float lo = -1.0f, float hi = 1.0f) { return {uniform(lo, hi), uniform(lo, hi), uniform(lo, hi)}; }
    uint32_t below(uint32_t n) { return std::uniform_int_distribution<uint32_t>(0, n - 1)(engine); }
};

/// Random triangles in [-1, 1]^3, of random size up to `size`.
inline TestMesh random_soup(uint32_t count, float size, uint32_t seed) {
    Random random(seed);
    TestMesh m;
    for (uint32_t i = 0; i < count; ++i) {
        const Vec3 center = random.point();
        const float s = size * random.uniform();
        m.add(center + random.point() * s, center + random.point() * s, center + random.point() * s);
    }
    return m;
}

/// Triangles between random grid points, so that many are flat, degenerate, coplanar or equal.
inline TestMesh lattice_soup(uint32_t count, int steps, uint32_t seed) {
    Random random(seed);
    const auto point = [&] { return glm::floor(random.point(0.0f, float(steps))) * (2.0f / float(steps)) - 1.0f; };
    TestMesh m;
    for (uint32_t i = 0; i < count; ++i) {
        const Vec3 a = point(), b = point();
        m.add(a, b, point());
    }
    return m;
}

inline TestMesh flat_grid(uint32_t side, int axis) {
    TestMesh m;
    const auto point = [&](uint32_t i, uint32_t j) {
        Vec3 p(0.0f);
        p[(axis + 1) % 3] = 2.0f * float(i) / float(side) - 1.0f;
        p[(axis + 2) % 3] = 2.0f * float(j) / float(side) - 1.0f;
        return p;
    };
    for (uint32_t i = 0; i < side; ++i) {
        for (uint32_t j = 0; j < side; ++j) {
            m.add(point(i, j), point(i + 1, j), point(i + 1, j + 1));
            m.add(point(i, j), point(i + 1, j + 1), point(i, j + 1));
        }
    }
    return m;
}

/// Closed unit sphere with shared vertices, six of them on the axes.
inline TestMesh octasphere(int levels) {
    TestMesh m;
    m.positions = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    std::vector<std::array<uint32_t, 3>> faces;
    for (uint32_t i = 0; i < 8; ++i) faces.push_back({i & 1, 2 + (i >> 1 & 1), 4 + (i >> 2)});
    for (int level = 0; level < levels; ++level) {
        std::map<std::pair<uint32_t, uint32_t>, uint32_t> midpoints;
        const auto midpoint = [&](uint32_t a, uint32_t b) {
            const auto [it, is_new] = midpoints.try_emplace(std::minmax(a, b), uint32_t(m.positions.size()));
            if (is_new) m.positions.push_back(normalize(m.positions[a] + m.positions[b]));
            return it->second;
        };
        std::vector<std::array<uint32_t, 3>> finer;
        for (const auto& [a, b, c] : faces) {
            const uint32_t ab = midpoint(a, b), bc = midpoint(b, c), ca = midpoint(c, a);
            finer.insert(finer.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
        }
        faces = finer;
    }
    for (const auto& [a, b, c] : faces) m.triangles.push_back({{a, b, c}, 0});
    return m;
}

inline Ray make_ray(Vec3 origin, Vec3 dir, float t_min = 0.0f, float t_max = infinity) {
    return {origin, t_min, dir, t_max};
}

/// Rays of all sorts through [-1, 1]^3 scaled by `scale`: towards points, along axes (with both zeros), from inside and
/// outside, of different lengths and intervals.
inline std::vector<Ray> random_rays(uint32_t count, float scale, Vec3 offset, uint32_t seed) {
    Random random(seed);
    std::vector<Ray> rays;
    for (uint32_t i = 0; i < count; ++i) {
        const Vec3 origin = random.point() * (i % 2 ? 3.0f : 1.0f), target = random.point();
        Vec3 dir = target - origin;
        if (i % 5 == 0) {
            const int axis = static_cast<int>(random.below(3));
            const float zero = random.below(2) ? 0.0f : -0.0f, along = dir[axis] < 0.0f ? -1.0f : 1.0f;
            dir = Vec3(zero);
            dir[axis] = along;
        } else if (i % 5 == 1) {
            dir[random.below(3)] = random.below(2) ? 0.0f : -0.0f;
        } else if (i % 5 == 2) {
            dir = normalize(dir);
        }
        Ray ray = make_ray(origin * scale + offset, dir * scale);
        if (i % 7 == 3) ray.t_max = random.uniform(0.0f, 1.5f);
        if (i % 11 == 4) ray.t_min = random.uniform(0.0f, 0.5f);
        rays.push_back(ray);
    }
    return rays;
}

inline Hit trace(const Bvh& bvh, const Ray& ray) {
    TraversalCost cost;
    return closest_hit(bvh.view(), ray, AcceptAll{}, cost);
}
inline bool is_occluded(const Bvh& bvh, const Ray& ray) {
    TraversalCost cost;
    return any_hit(bvh.view(), ray, AcceptAll{}, cost);
}

}  // namespace warpath::testing
