#include "scene/flatten_sharing.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>
#include <glm/vec3.hpp>
#include <utility>

namespace warpath {

namespace {

constexpr double max_coordinate = 1e18;
/// Rows of a map and of its inverse must lie well within a float's range, so that products with coordinates do too.
constexpr double least_scale = 1e-12, largest_scale = 1e12;

/// Largest sum of magnitudes over a row; NaN where an entry is.
double row_sum(const glm::dmat3& m) {
    double largest = 0.0;
    for (int row = 0; row < 3; ++row) {
        const double sum = std::abs(m[0][row]) + std::abs(m[1][row]) + std::abs(m[2][row]);
        if (!(sum <= largest)) largest = sum;
    }
    return largest;
}

Affine rounded(const glm::dmat3& linear, const glm::dvec3& offset) {
    Affine a;
    for (int i = 0; i < 3; ++i) a.row[i] = {linear[0][i], linear[1][i], linear[2][i], offset[i]};
    return a;
}

glm::dmat3 linear_of(const Affine& a) {
    glm::dmat3 m;
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 3; ++column) m[column][row] = a.row[row][column];
    return m;
}
glm::dvec3 offset_of(const Affine& a) { return {a.row[0].w, a.row[1].w, a.row[2].w}; }

bool is_in_range(Vec3 p) {
    return std::abs(p.x) <= max_coordinate && std::abs(p.y) <= max_coordinate && std::abs(p.z) <= max_coordinate;
}

/// Empty where a vertex is NaN or out of range: what such a triangle comes to depends on the transform.
Bounds bounds_of(const Mesh& mesh) {
    Bounds box;
    for (const UVec3& t : mesh.triangles)
        for (int k = 0; k < 3; ++k) {
            if (!is_in_range(mesh.positions[t[k]])) return {};
            box.grow(mesh.positions[t[k]]);
        }
    return box;
}

bool emits(const Scene& scene, const Mesh& mesh) {
    return std::any_of(mesh.material_ids.begin(), mesh.material_ids.end(),
                       [&](uint32_t id) { return scene.materials[id].emits(); });
}

/// Of the meshes that may be shared: those that are, by mesh.
std::vector<uint8_t> chosen(const Scene& scene, const std::vector<uint64_t>& num_uses, InstanceSharing mode) {
    std::vector<uint8_t> is_shared(scene.meshes.size(), 0);
    std::vector<uint32_t> candidates;
    const auto num_copied = [&](uint32_t i) {
        const Mesh& mesh = scene.meshes[i];
        return (num_uses[i] - 1) * std::max(mesh.triangles.size(), mesh.positions.size());
    };
    for (uint32_t i = 0; i < is_shared.size(); ++i)
        if (num_uses[i] >= 2) candidates.push_back(i);
    if (mode == InstanceSharing::On) {
        for (const uint32_t i : candidates) is_shared[i] = 1;
        return is_shared;
    }
    // What copies the fewest triangles is laid out, as far as all of that stays below the limit.
    std::sort(candidates.begin(), candidates.end(), [&](uint32_t a, uint32_t b) {
        return std::pair(num_copied(a), a) < std::pair(num_copied(b), b);
    });
    uint64_t copied = 0;
    for (const uint32_t i : candidates) {
        copied += num_copied(i);
        is_shared[i] = copied > max_copied_triangles;
    }
    return is_shared;
}

}  // namespace

std::optional<InstanceMaps> instance_maps(const glm::dmat4& to_world, const Bounds& box) {
    const glm::dmat3 forward(to_world);
    const glm::dmat3 inverse = glm::inverse(forward);
    InstanceMaps maps{};
    maps.space.to_object = rounded(inverse, -(inverse * glm::dvec3(to_world[3])));
    // Back from what has been rounded, so that the two agree as well as they can.
    const glm::dmat3 linear = linear_of(maps.space.to_object), back = glm::inverse(linear);
    maps.instance.to_world = rounded(back, -(back * offset_of(maps.space.to_object)));
    const double there = row_sum(linear), home = row_sum(back), determinant = glm::determinant(back);
    const auto usable = [](double scale) { return scale >= least_scale && scale <= largest_scale; };
    if (!usable(there) || !usable(home) || !(there * home <= double(max_stretch)) || !(determinant != 0.0)) return {};
    for (const Affine* map : {&maps.space.to_object, &maps.instance.to_world})
        for (int i = 0; i < 3; ++i)
            if (!(std::abs(map->row[i].w) <= max_coordinate)) return {};
    const Bounds placed = placed_bounds(maps.instance.to_world, box);
    if (!is_in_range(placed.lo) || !is_in_range(placed.hi)) return {};
    maps.instance.mirrored = determinant < 0.0;
    maps.instance.stretch = maps.space.stretch = static_cast<float>(there * home);
    return maps;
}

Bounds placed_bounds(const Affine& to_world, const Bounds& box) {
    const glm::dmat3 m = linear_of(to_world);
    const glm::dvec3 lo(box.lo), hi(box.hi), middle = m * (0.5 * (lo + hi)) + offset_of(to_world), half = 0.5 * (hi - lo);
    Bounds placed;
    for (int i = 0; i < 3; ++i) {
        const double reach = std::abs(m[0][i]) * half.x + std::abs(m[1][i]) * half.y + std::abs(m[2][i]) * half.z;
        placed.lo[i] = std::nextafter(static_cast<float>(middle[i] - reach), -infinity);
        placed.hi[i] = std::nextafter(static_cast<float>(middle[i] + reach), infinity);
    }
    return placed;
}

Sharing choose_sharing(const Scene& scene, InstanceSharing mode) {
    Sharing sharing;
    if (mode == InstanceSharing::Off) return sharing;
    std::vector<uint64_t> num_uses(scene.meshes.size(), 0);
    for (const Instance& instance : scene.instances) ++num_uses[instance.mesh];
    std::vector<Bounds> boxes(scene.meshes.size());
    for (size_t i = 0; i < boxes.size(); ++i) {
        const Mesh& mesh = scene.meshes[i];
        const bool may_share = num_uses[i] >= 2 && !mesh.triangles.empty() && !emits(scene, mesh);
        if (may_share) boxes[i] = bounds_of(mesh);
        if (boxes[i].empty()) num_uses[i] = 0;
    }
    const std::vector<uint8_t> is_shared = chosen(scene, num_uses, mode);
    if (std::count(is_shared.begin(), is_shared.end(), 1) == 0) return sharing;
    sharing.keeps_transform.resize(scene.instances.size());
    tbb::parallel_for(tbb::blocked_range<size_t>(0, scene.instances.size(), 4096), [&](const auto& range) {
        for (size_t i = range.begin(); i < range.end(); ++i) {
            const Instance& instance = scene.instances[i];
            sharing.keeps_transform[i] =
                is_shared[instance.mesh] && instance_maps(instance.to_world, boxes[instance.mesh]).has_value();
        }
    });
    sharing.num_sharing.resize(scene.meshes.size());
    for (size_t i = 0; i < scene.instances.size(); ++i)
        sharing.num_sharing[scene.instances[i].mesh] += sharing.keeps_transform[i];
    return sharing;
}

}  // namespace warpath
