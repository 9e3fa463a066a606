#include "bvh/builders/instance_boxes.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <glm/matrix.hpp>

#include "bvh/ray_setup.h"

namespace warpath {
namespace {

constexpr double e = 0x1p-24, margin = 1.25;

/// The map of rays and its exact inverse.
struct Maps {
    double forward[3][4], back[3][3], row_sum[3];

    explicit Maps(const Affine& to_object) {
        glm::dmat3 m;
        for (int i = 0; i < 3; ++i) {
            row_sum[i] = 0.0;
            for (int j = 0; j < 4; ++j) forward[i][j] = to_object.row[i][j];
            for (int j = 0; j < 3; ++j) m[j][i] = forward[i][j], row_sum[i] += std::abs(forward[i][j]);
        }
        const glm::dmat3 inverse = glm::inverse(m);
        for (int k = 0; k < 3; ++k)
            for (int i = 0; i < 3; ++i) back[k][i] = inverse[i][k];
    }
    double largest_row() const { return std::max({row_sum[0], row_sum[1], row_sum[2]}); }

    /// Row k of |back| times a vector.
    template <class F>
    double back_row(int k, const F& f) const {
        return std::abs(back[k][0]) * f(0) + std::abs(back[k][1]) * f(1) + std::abs(back[k][2]) * f(2);
    }
};

Bounds placed_box(const Maps& maps, const Bounds& mesh) {
    double lo[3], hi[3], largest[3], middle[3], half[3];
    for (int i = 0; i < 3; ++i) {
        middle[i] = 0.5 * (double(mesh.lo[i]) + mesh.hi[i]) - maps.forward[i][3];
        half[i] = 0.5 * (double(mesh.hi[i]) - mesh.lo[i]);
    }
    for (int k = 0; k < 3; ++k) {
        const double* b = maps.back[k];
        const double center = b[0] * middle[0] + b[1] * middle[1] + b[2] * middle[2];
        const double reach = maps.back_row(k, [&](int i) { return half[i]; });
        lo[k] = center - reach, hi[k] = center + reach;
        largest[k] = std::max(std::abs(lo[k]), std::abs(hi[k]));
    }
    double offset = 0.0;
    for (int i = 0; i < 3; ++i) offset = std::max(offset, std::abs(maps.forward[i][3]));
    const double own = std::max(max_magnitude(mesh.lo), max_magnitude(mesh.hi));
    Bounds box;
    for (int k = 0; k < 3; ++k) {
        const double moved = maps.back_row(k, [&](int i) {
            double sum = std::abs(maps.forward[i][3]);
            for (int j = 0; j < 3; ++j) sum += std::abs(maps.forward[i][j]) * largest[j];
            return 3.0 * sum + 7.0 * (own + offset);
        });
        const double pad = margin * e * (moved + 5.0 * largest[k]);
        box.lo[k] = static_cast<float>(lo[k] - pad) + 0.0f;  // never -0, as in BuildMesh
        box.hi[k] = static_cast<float>(hi[k] + pad) + 0.0f;
    }
    return box;
}

float added_slack(const Maps& maps) {
    double largest = 0.0;
    for (int k = 0; k < 3; ++k) {
        const double transform = maps.back_row(k, [&](int i) { return 6.0 * maps.row_sum[i]; });
        const double test = maps.back_row(k, [&](int) { return 7.0 * maps.largest_row(); });
        largest = std::max(largest, transform + test);
    }
    return static_cast<float>(margin * e * largest);
}

}  // namespace

std::vector<Bounds> instance_boxes(const BvhGeometry& geometry) {
    std::vector<Bounds> boxes(geometry.instances.size);
    tbb::parallel_for(tbb::blocked_range<size_t>(0, boxes.size(), 1024), [&](const auto& range) {
        for (size_t i = range.begin(); i < range.end(); ++i) {
            const InstanceSpace& space = geometry.instances[i];
            boxes[i] = placed_box(Maps(space.to_object), geometry.meshes[space.mesh].bounds);
        }
    });
    return boxes;
}

void enter_instances(const BvhGeometry& geometry, Bvh& bvh) {
    bvh.columns.instances.resize(geometry.instances.size);
    float largest = 0.0f;
    for (uint32_t i = 0; i < geometry.instances.size; ++i) {
        const InstanceSpace& space = geometry.instances[i];
        const uint32_t id_offset = space.first_id - geometry.meshes[space.mesh].first_triangle;
        bvh.columns.instances[i] = {space.to_object, bvh.mesh_roots[space.mesh], id_offset, space.mesh, 0};
        largest = std::max(largest, added_slack(Maps(space.to_object)));
    }
    bvh.origin_slack = origin_slack + largest;
    BvhStatistics& s = bvh.statistics;
    s.num_instances = bvh.columns.instances.size();
    s.size_bytes += s.num_instances * sizeof(BvhInstance);
}

}  // namespace warpath
