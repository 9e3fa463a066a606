#include "importers/triangulate.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <random>

namespace warpath::test {
namespace {

using Polygon = std::vector<Vec3>;

glm::dvec3 doubled_area(Vec3 a, Vec3 b, Vec3 c) {
    const glm::dvec3 e = glm::dvec3(b) - glm::dvec3(a), f = glm::dvec3(c) - glm::dvec3(a);
    return {e.y * f.z - e.z * f.y, e.z * f.x - e.x * f.z, e.x * f.y - e.y * f.x};
}
double length_of(glm::dvec3 v) { return std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z); }

std::vector<UVec3> cut(const Polygon& p) {
    std::vector<UVec3> triangles;
    triangulate(p, triangles);
    return triangles;
}

/// A simple polygon is covered exactly when n - 2 triangles of its own orientation add up to its area: an overlap or a
/// part outside would make the sum larger.
void expect_exact_cover(const Polygon& p, double min_area = 0.0) {
    const glm::dvec3 normal = newell_normal(p);
    const double area = length_of(normal);
    const std::vector<UVec3> triangles = cut(p);
    ASSERT_EQ(triangles.size(), p.size() - 2);
    double sum = 0.0;
    for (const UVec3& t : triangles) {
        const glm::dvec3 a = doubled_area(p[t.x], p[t.y], p[t.z]);
        EXPECT_GT((a.x * normal.x + a.y * normal.y + a.z * normal.z) / area, min_area * area);
        sum += length_of(a);
    }
    EXPECT_NEAR(sum, area, 1e-5 * area);
}

const Polygon u_shape{{-4, -1, 0},       {-2, -1, 0},       {-2, 1, 0},    {-2.5f, 1, 0},
                      {-2.5f, -0.5f, 0}, {-3.5f, -0.5f, 0}, {-3.5f, 1, 0}, {-4, 1, 0}};
const Polygon arrow{{2, -1, 0}, {3, -0.4f, 0}, {4, -1, 0}, {3, 1, 0}};

Polygon star(int num_points, float inner) {
    Polygon p;
    for (int i = 0; i < 2 * num_points; ++i) {
        const float r = i % 2 ? inner : 1.0f, angle = pi * static_cast<float>(i) / static_cast<float>(num_points);
        p.emplace_back(r * std::cos(angle), r * std::sin(angle), 0.0f);
    }
    return p;
}

/// Teeth of a comb: many reflex corners, and ears that are long and thin.
Polygon comb(int num_teeth) {
    Polygon p;
    for (int i = 0; i < num_teeth; ++i) {
        const auto x = static_cast<float>(i);
        p.insert(p.end(), {{x, 10, 0}, {x + 0.25f, 1, 0}, {x + 0.75f, 1, 0}});
    }
    const auto end = static_cast<float>(num_teeth);
    p.insert(p.end(), {{end, 10, 0}, {end, 0, 0}, {0, 0, 0}});
    return p;
}

TEST(Triangulate, concave_polygons_are_covered_exactly) {
    for (const Polygon& p : {u_shape, arrow, star(5, 0.4f), star(3, 0.05f), star(50, 0.9f), comb(20)}) {
        expect_exact_cover(p);
        expect_exact_cover({p.rbegin(), p.rend()});
    }
}

TEST(Triangulate, starting_corner_does_not_matter) {
    Polygon p = u_shape;
    for (size_t i = 0; i < u_shape.size(); ++i) {
        std::rotate(p.begin(), p.begin() + 1, p.end());
        expect_exact_cover(p);
    }
}

TEST(Triangulate, any_plane_will_do) {
    std::mt19937 random(1);
    std::uniform_real_distribution<float> uniform(-1.0f, 1.0f);
    for (int i = 0; i < 200; ++i) {
        const Vec3 n(uniform(random), uniform(random), uniform(random));
        if (length(n) < 0.1f) continue;
        const Frame frame = Frame::from_normal(normalize(n));
        for (Polygon p : {u_shape, arrow, star(5, 0.4f)}) {
            for (Vec3& v : p) v = frame.to_world(v);
            expect_exact_cover(p);
        }
    }
}

TEST(Triangulate, distance_from_the_origin_does_not_matter) {
    // Exact in single precision: quarters at 4 million.
    for (Polygon p : {u_shape, Polygon{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}}) {
        for (Vec3& v : p) v = Vec3(v.y, -3000000.0f, v.x) + Vec3(4000000.0f, 0.0f, 4000000.0f);
        expect_exact_cover(p);
    }
}

TEST(Triangulate, corners_on_a_line_cost_no_area) {
    // A square with three more corners on each side, and a triangle with one on a single side: every triangle has area.
    Polygon square;
    for (int side = 0; side < 4; ++side)
        for (int i = 0; i < 4; ++i) {
            const float t = static_cast<float>(i) / 4.0f;
            const Vec3 corners[5] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 0}};
            square.push_back(corners[side] + (corners[side + 1] - corners[side]) * t);
        }
    expect_exact_cover(square, 1e-3);
    expect_exact_cover({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 2, 0}}, 1e-3);
    expect_exact_cover({{1, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0, 0, 0}}, 1e-3);
}

TEST(Triangulate, random_star_shaped_polygons) {
    std::mt19937 random(2);
    std::uniform_real_distribution<float> radius(0.1f, 1.0f);
    for (int n = 3; n < 150; ++n) {
        Polygon p;
        for (int i = 0; i < n; ++i) {
            const float r = radius(random), angle = 2.0f * pi * static_cast<float>(i) / static_cast<float>(n);
            p.emplace_back(r * std::cos(angle), 3.0f, -r * std::sin(angle));
        }
        if (n > 4) expect_exact_cover(p);  // with fewer the centre may lie outside, so that it need not be simple
    }
}

TEST(Triangulate, a_bridge_to_a_hole_is_covered_exactly) {
    // An outer square, a bridge from its first corner to a square hole, around it clockwise, and back.
    expect_exact_cover(
        {{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {0, 4, 0}, {0, 0, 0}, {1, 1, 0}, {1, 3, 0}, {3, 3, 0}, {3, 1, 0}, {1, 1, 0}});
}

TEST(Triangulate, broken_polygons_still_give_two_less_than_corners) {
    const float nan = std::nanf("");
    EXPECT_EQ(cut({{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}}).size(), 2u) << "bow tie";
    EXPECT_EQ(cut({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {1, 0, 0}}).size(), 3u) << "on a line";
    EXPECT_EQ(cut({{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}}).size(), 2u) << "one point";
    EXPECT_EQ(cut({{0, 0, 0}, {nan, 0, 0}, {1, 1, 0}, {0, 1, 0}, {-1, 0, 0}}).size(), 3u) << "NaN";
    EXPECT_EQ(cut({{0, 0, 0}, {1e38f, 0, 0}, {1e38f, 1e38f, 0}, {0, infinity, 0}}).size(), 2u) << "infinite";
    Polygon pentagram;
    for (int i = 0; i < 5; ++i)
        pentagram.emplace_back(std::cos(0.8f * pi * static_cast<float>(i)), std::sin(0.8f * pi * static_cast<float>(i)),
                               0);
    EXPECT_EQ(cut(pentagram).size(), 3u);
}

TEST(Triangulate, repeated_corners_lose_no_area) {
    double sum = 0.0;
    const Polygon p{{0, 0, 0}, {0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {2, 2, 0}, {2, 2, 0}, {0, 2, 0}};
    const std::vector<UVec3> triangles = cut(p);
    ASSERT_EQ(triangles.size(), 5u);
    for (const UVec3& t : triangles) sum += length_of(doubled_area(p[t.x], p[t.y], p[t.z]));
    EXPECT_NEAR(sum, 8.0, 1e-9);
}

TEST(Triangulate, folded_quads_use_the_inner_diagonal) {
    const std::vector<UVec3> triangles = cut(arrow);
    for (const UVec3& t : triangles) {
        const bool has_reflex = t.x == 1 || t.y == 1 || t.z == 1, has_tip = t.x == 3 || t.y == 3 || t.z == 3;
        EXPECT_TRUE(has_reflex && has_tip);
    }
}

TEST(Triangulate, large_polygons_take_no_quadratic_time) {
    const auto start = std::chrono::steady_clock::now();
    expect_exact_cover(comb(20000));
    expect_exact_cover(star(20000, 0.99f));
    // Seconds even under a sanitizer; the plain algorithm needs minutes.
    EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), 30.0);
}

}  // namespace
}  // namespace warpath::test
