#pragma once

#include <tbb/parallel_for.h>

#include <cmath>
#include <vector>

#include "core/math.h"
#include "core/random.h"

/// What generated scenes are made of: random numbers, noise, and shapes that are appended to a soup of triangles.
namespace warpath::experiments {

/// Random numbers in a row.
class NumberChain {
  public:
    explicit NumberChain(uint32_t seed) : state_(hash_u32(seed)) {}
    float next() {
        state_ = hash_u32(state_ + 0x9e3779b9u);
        return unit_float(state_);
    }
    float between(float lo, float hi) { return lo + (hi - lo) * next(); }
    /// Each coordinate between -1 and 1.
    Vec3 in_cube() {
        const float x = between(-1, 1), y = between(-1, 1), z = between(-1, 1);
        return {x, y, z};
    }

  private:
    uint32_t state_;
};

/// Value noise between -1 and 1: random values at whole coordinates, with quintic blending between them.
/// Source:  Perlin, "Improving Noise", SIGGRAPH 2002 (the blending).
inline float value_noise(Vec3 p, uint32_t seed) {
    const Vec3 cell(std::floor(p.x), std::floor(p.y), std::floor(p.z)), f = p - cell;
    const int x = static_cast<int>(cell.x), y = static_cast<int>(cell.y), z = static_cast<int>(cell.z);
    const auto at = [&](int i, int j, int k) {
        const uint32_t key = static_cast<uint32_t>(x + i) * 73856093u ^ static_cast<uint32_t>(y + j) * 19349663u ^ static_cast<uint32_t>(z + k) * 83492791u;
        return 2 * unit_float(hash_u32(key ^ seed)) - 1;
    };
    const auto blend = [](float t) { return t * t * t * (t * (t * 6 - 15) + 10); };
    const float u = blend(f.x), v = blend(f.y);
    const auto layer = [&](int k) { return lerp(lerp(at(0, 0, k), at(1, 0, k), u), lerp(at(0, 1, k), at(1, 1, k), u), v); };
    return lerp(layer(0), layer(1), blend(f.z));
}

/// Octaves of noise, each of half the height and about twice the frequency.
inline float fractal_noise(Vec3 p, uint32_t num_octaves, uint32_t seed) {
    float sum = 0, height = 0.5f;
    for (uint32_t i = 0; i < num_octaves; ++i, p *= 2.03f, height *= 0.5f) sum += height * value_noise(p, seed + i);
    return sum;
}

class SoupMesh {
  public:
    explicit SoupMesh(std::vector<Vec3>& soup) : soup_(soup) {}

    void triangle(Vec3 a, Vec3 b, Vec3 c) { soup_.insert(soup_.end(), {a, b, c}); }
    void quad(Vec3 a, Vec3 b, Vec3 c, Vec3 d) {
        triangle(a, b, c);
        triangle(a, c, d);
    }
    void box(Vec3 lo, Vec3 hi) {
        const auto corner = [&](uint32_t i) { return Vec3(i & 1 ? hi.x : lo.x, i & 2 ? hi.y : lo.y, i & 4 ? hi.z : lo.z); };
        constexpr uint32_t faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
        for (const auto& f : faces) quad(corner(f[0]), corner(f[1]), corner(f[2]), corner(f[3]));
    }
    /// A surface of num_u x num_v quads; point(u, v) gives it for u and v in [0, 1], and is called by several threads.
    template <class Point>
    void grid(uint32_t num_u, uint32_t num_v, const Point& point) {
        const uint32_t stride = num_u + 1;
        std::vector<Vec3> points(static_cast<size_t>(stride) * (num_v + 1));
        tbb::parallel_for(0u, num_v + 1, [&](uint32_t j) {
            for (uint32_t i = 0; i <= num_u; ++i)
                points[static_cast<size_t>(j) * stride + i] = point(static_cast<float>(i) / static_cast<float>(num_u), static_cast<float>(j) / static_cast<float>(num_v));
        });
        for (uint32_t j = 0; j < num_v; ++j)
            for (uint32_t i = 0; i < num_u; ++i) {
                const Vec3* p = &points[static_cast<size_t>(j) * stride + i];
                quad(p[0], p[1], p[stride + 1], p[stride]);
            }
    }
    /// A surface of revolution on `foot`; radius(v) by height, and grooves of a depth of `flutes` by the radius.
    template <class Radius>
    void revolve(Vec3 foot, float height, uint32_t num_sides, uint32_t num_rings, const Radius& radius, float flutes = 0) {
        grid(num_sides, num_rings, [&](float u, float v) {
            const float angle = 2 * pi * u, r = radius(v) * (1 + flutes * std::cos(angle * 16));
            return Vec3(foot.x + r * std::cos(angle), foot.y + height * v, foot.z + r * std::sin(angle));
        });
    }

  private:
    std::vector<Vec3>& soup_;
};

/// Appends the triangles of a unit sphere: an icosahedron whose faces are divided into four so many times.
inline void append_icosphere(uint32_t level, std::vector<Vec3>& soup) {
    constexpr float golden = 1.6180340f;
    const Vec3 corners[12] = {{-1, golden, 0}, {1, golden, 0}, {-1, -golden, 0}, {1, -golden, 0}, {0, -1, golden}, {0, 1, golden},
                              {0, -1, -golden}, {0, 1, -golden}, {golden, 0, -1}, {golden, 0, 1}, {-golden, 0, -1}, {-golden, 0, 1}};
    constexpr uint32_t faces[20][3] = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                       {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},   {4, 9, 5}, {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
    const auto divide_face = [&](const auto& self, Vec3 a, Vec3 b, Vec3 c, uint32_t depth) -> void {
        if (depth == 0) {
            soup.insert(soup.end(), {a, b, c});
            return;
        }
        const Vec3 ab = normalize(a + b), bc = normalize(b + c), ca = normalize(c + a);
        self(self, a, ab, ca, depth - 1), self(self, ab, b, bc, depth - 1), self(self, ca, bc, c, depth - 1), self(self, ab, bc, ca, depth - 1);
    };
    for (const auto& f : faces) divide_face(divide_face, normalize(corners[f[0]]), normalize(corners[f[1]]), normalize(corners[f[2]]), level);
}

}  // namespace warpath::experiments
