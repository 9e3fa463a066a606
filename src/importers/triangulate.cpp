#include "importers/triangulate.h"

#include <algorithm>
#include <cmath>
#include <glm/vec2.hpp>

namespace warpath {

namespace {

using Point = glm::dvec2;

/// Twice the signed area of abc; positive when counter-clockwise.
double orient(Point a, Point b, Point c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); }

/// Corners relative to the first one (differences of floats, nearly exact in double), projected along the largest
/// component of the normal so that the polygon runs counter-clockwise.
std::vector<Point> project(std::span<const Vec3> polygon, const glm::dvec3& normal) {
    const glm::dvec3 size(std::abs(normal.x), std::abs(normal.y), std::abs(normal.z));
    const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    if (normal[axis] < 0.0) std::swap(u, v);
    std::vector<Point> points;
    points.reserve(polygon.size());
    const glm::dvec3 origin(polygon[0]);
    for (const Vec3& p : polygon) {
        const glm::dvec3 d = glm::dvec3(p) - origin;
        points.emplace_back(d[u], d[v]);
    }
    return points;
}

/// A uniform grid over the corners that can block an ear (reflex or straight ones), so that large polygons stay fast.
class BlockerGrid {
  public:
    BlockerGrid(const std::vector<Point>& points, const std::vector<uint32_t>& blockers) : points_(points) {
        lo_ = Point(1e300), hi_ = Point(-1e300);
        for (const Point& p : points) lo_ = glm::min(lo_, p), hi_ = glm::max(hi_, p);
        side_ = std::clamp(static_cast<int>(std::sqrt(static_cast<double>(blockers.size()) / 2.0)), 1, 1024);
        cells_.resize(static_cast<size_t>(side_) * side_);
        for (const uint32_t b : blockers) cells_[index(cell(points[b].x, 0), cell(points[b].y, 1))].push_back(b);
    }
    /// True if `blocks(b)` holds for any blocker in the box around abc; those for which `gone(b)` holds are dropped on
    /// the way.
    template <class Gone, class Blocks>
    bool any(Point a, Point b, Point c, Gone gone, Blocks blocks) {
        const Point lo = glm::min(a, glm::min(b, c)), hi = glm::max(a, glm::max(b, c));
        for (int y = cell(lo.y, 1); y <= cell(hi.y, 1); ++y)
            for (int x = cell(lo.x, 0); x <= cell(hi.x, 0); ++x) {
                std::vector<uint32_t>& in_cell = cells_[index(x, y)];
                for (size_t i = 0; i < in_cell.size();) {
                    if (gone(in_cell[i])) {
                        in_cell[i] = in_cell.back();
                        in_cell.pop_back();
                    } else if (blocks(in_cell[i])) {
                        return true;
                    } else {
                        ++i;
                    }
                }
            }
        return false;
    }

  private:
    int cell(double value, int axis) const {
        const double extent = hi_[axis] - lo_[axis];
        return extent > 0.0 ? std::clamp(static_cast<int>((value - lo_[axis]) / extent * side_), 0, side_ - 1) : 0;
    }
    size_t index(int x, int y) const { return static_cast<size_t>(y) * side_ + static_cast<size_t>(x); }

    const std::vector<Point>& points_;
    Point lo_, hi_;
    int side_;
    std::vector<std::vector<uint32_t>> cells_;
};

class EarClipper {
  public:
    explicit EarClipper(const std::vector<Point>& points)
        : points_(points),
          num_(static_cast<uint32_t>(points.size())),
          prev_(num_),
          next_(num_),
          removed_(num_, 0),
          grid_(points, find_blockers()) {}

    void run(std::vector<UVec3>& triangles) {
        for (uint32_t i = 0; i < num_; ++i) queue_.push_back(i);
        uint32_t num_left = num_;
        while (num_left > 3) {
            const uint32_t ear = next_ear(num_left);
            triangles.emplace_back(prev_[ear], ear, next_[ear]);
            cut(ear);
            --num_left;
        }
        triangles.emplace_back(prev_[last_], last_, next_[last_]);
    }

  private:
    double turn(uint32_t i) const { return orient(points_[prev_[i]], points_[i], points_[next_[i]]); }

    std::vector<uint32_t> find_blockers() {
        std::vector<uint32_t> blockers;
        for (uint32_t i = 0; i < num_; ++i) prev_[i] = i == 0 ? num_ - 1 : i - 1, next_[i] = i + 1 == num_ ? 0 : i + 1;
        for (uint32_t i = 0; i < num_; ++i)
            if (turn(i) <= 0.0) blockers.push_back(i);
        return blockers;
    }

    bool is_ear(uint32_t i) {
        if (turn(i) <= 0.0) return false;
        const Point a = points_[prev_[i]], b = points_[i], c = points_[next_[i]];
        // A blocker that has become convex leaves the grid for good: cutting ears only ever opens a corner further.
        return !grid_.any(
            a, b, c, [&](uint32_t p) { return removed_[p] || turn(p) > 0.0; },
            [&](uint32_t p) {
                const Point q = points_[p];
                // A bridge to a hole visits its corners twice; those coincide with a corner of the ear.
                if (q == a || q == b || q == c) return false;
                return orient(a, b, q) >= 0.0 && orient(b, c, q) >= 0.0 && orient(c, a, q) >= 0.0;
            });
    }

    /// Where simple polygons end: repeated or folded-back corners cost no area, then whatever turns left most.
    uint32_t last_resort() {
        uint32_t best = last_, i = last_;
        double best_turn = -1e300;
        do {
            const double t = turn(i);
            if (t == 0.0) return i;
            if (t > best_turn) best_turn = t, best = i;
            i = next_[i];
        } while (i != last_);
        return best;
    }

    uint32_t next_ear(uint32_t num_left) {
        while (queue_head_ < queue_.size()) {
            const uint32_t i = queue_[queue_head_++];
            if (!removed_[i] && is_ear(i)) return i;
        }
        const uint32_t chosen = last_resort();
        // Only the neighbours of a true ear can become ears; after this cut any corner can. Bounded, as this is
        // quadratic.
        for (uint32_t i = next_[chosen]; i != chosen && num_left <= 1024; i = next_[i]) queue_.push_back(i);
        return chosen;
    }

    void cut(uint32_t ear) {
        const uint32_t p = prev_[ear], n = next_[ear];
        next_[p] = n, prev_[n] = p;
        removed_[ear] = 1;
        last_ = n;
        queue_.push_back(p);
        queue_.push_back(n);
    }

    const std::vector<Point>& points_;
    uint32_t num_;
    std::vector<uint32_t> prev_, next_;
    std::vector<uint8_t> removed_;
    /// Corners whose state may have changed. First in, first out: the ears of one round lie apart and stay small, where
    /// a stack would cut long fans whose boxes hold many blockers. At most three entries a corner, but for the last
    /// resort.
    std::vector<uint32_t> queue_;
    size_t queue_head_ = 0;
    uint32_t last_ = 0;  ///< a corner that is still there
    BlockerGrid grid_;
};

bool is_quad_cut(const std::vector<Point>& p, uint32_t first) {
    const uint32_t a = first, b = first + 1, c = (first + 2) % 4, d = (first + 3) % 4;
    return orient(p[a], p[b], p[c]) > 0.0 && orient(p[a], p[c], p[d]) > 0.0;
}

}  // namespace

glm::dvec3 newell_normal(std::span<const Vec3> polygon) {
    glm::dvec3 normal(0.0);
    const glm::dvec3 origin(polygon[0]);
    glm::dvec3 a(0.0);
    for (size_t i = 1; i < polygon.size(); ++i) {
        const glm::dvec3 b = glm::dvec3(polygon[i]) - origin;
        normal += glm::dvec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
        a = b;
    }
    return normal;
}

void triangulate(std::span<const Vec3> polygon, std::vector<UVec3>& triangles) {
    const auto n = static_cast<uint32_t>(polygon.size());
    if (n == 3) {
        triangles.emplace_back(0, 1, 2);
        return;
    }
    const glm::dvec3 normal = newell_normal(polygon);
    const double size = std::abs(normal.x) + std::abs(normal.y) + std::abs(normal.z);
    // Also where a corner is NaN or infinite: a fan loses no corner, and triangles with such a corner are left out
    // later.
    if (!(size > 0.0 && size < 1e300)) {
        for (uint32_t i = 2; i < n; ++i) triangles.emplace_back(0, i - 1, i);
        return;
    }
    const std::vector<Point> points = project(polygon, normal);
    if (n == 4 && is_quad_cut(points, 0)) {
        triangles.emplace_back(0, 1, 2);
        triangles.emplace_back(0, 2, 3);
    } else if (n == 4 && is_quad_cut(points, 1)) {
        triangles.emplace_back(1, 2, 3);
        triangles.emplace_back(1, 3, 0);
    } else {
        EarClipper(points).run(triangles);
    }
}

}  // namespace warpath
