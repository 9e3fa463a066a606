#pragma once

#include <glm/gtc/matrix_transform.hpp>

#include "bvh/wide_traverse.h"
#include "meshes.h"
#include "scene/flatten_sharing.h"

/// Instances for the BVH's tests.
namespace warpath::testing {

/// Triangles in the world and shared meshes at places, as flatten hands them to the builder; and where all of that lies, in
/// double precision.
class InstancedMeshes {
  public:
    explicit InstancedMeshes(const TestMesh& world = {}) {
        append(world);
        geometry_size_ = world.size();
        for (uint32_t i = 0; i < world.size(); ++i)
            for (int k = 0; k < 3; ++k) corners_.emplace_back(world.vertex(i, k));
    }

    uint32_t add_mesh(const TestMesh& mesh) {
        Bounds box;
        for (uint32_t i = 0; i < mesh.size(); ++i)
            for (int k = 0; k < 3; ++k) box.grow(mesh.vertex(i, k));
        shared_.push_back({all_.size(), mesh.size(), box});
        append(mesh);
        return static_cast<uint32_t>(shared_.size() - 1);
    }
    void place(uint32_t mesh, const glm::dmat4& to_world) {
        std::optional<InstanceMaps> maps = instance_maps(to_world, shared_[mesh].bounds);
        ASSERT_TRUE(maps.has_value());
        maps->space.mesh = mesh;
        maps->space.first_id = size();
        spaces_.push_back(maps->space);
        num_placed_ += shared_[mesh].num_triangles;
        glm::dmat3 linear;
        const Affine& map = maps->space.to_object;
        for (int row = 0; row < 3; ++row)
            for (int column = 0; column < 3; ++column) linear[column][row] = map.row[row][column];
        const glm::dmat3 inverse = glm::inverse(linear);
        const glm::dvec3 offset(map.row[0].w, map.row[1].w, map.row[2].w);
        for (uint32_t i = 0; i < shared_[mesh].num_triangles; ++i)
            for (int k = 0; k < 3; ++k)
                corners_.push_back(inverse * (glm::dvec3(all_.vertex(shared_[mesh].first_triangle + i, k)) - offset));
    }

    BvhGeometry geometry() const {
        return {all_.triangle_view(), all_.position_view(), geometry_size_, {shared_.data(), static_cast<uint32_t>(shared_.size())},
                {spaces_.data(), static_cast<uint32_t>(spaces_.size())}};
    }
    uint32_t size() const { return geometry_size_ + num_placed_; }
    const InstanceSpace* space_of(uint32_t prim_id) const {
        if (prim_id < geometry_size_) return nullptr;
        size_t i = 0;
        while (i + 1 < spaces_.size() && spaces_[i + 1].first_id <= prim_id) ++i;
        return &spaces_[i];
    }
    /// Where the exact inverse of what rays go through takes it.
    glm::dvec3 vertex(uint32_t prim_id, int k) const { return corners_[size_t{3} * prim_id + static_cast<size_t>(k)]; }
    double error_factor(uint32_t prim_id) const {
        const InstanceSpace* space = space_of(prim_id);
        return space ? 1.0 + 2.0 * space->stretch : 1.0;
    }

  private:
    void append(const TestMesh& mesh) {
        const uint32_t first = static_cast<uint32_t>(all_.positions.size());
        all_.positions.insert(all_.positions.end(), mesh.positions.begin(), mesh.positions.end());
        for (Triangle t : mesh.triangles) {
            for (uint32_t& vertex : t.vertex) vertex += first;
            all_.triangles.push_back(t);
        }
    }

    TestMesh all_;
    std::vector<SharedMesh> shared_;
    std::vector<InstanceSpace> spaces_;
    std::vector<glm::dvec3> corners_;  ///< by prim_id
    uint32_t geometry_size_ = 0, num_placed_ = 0;
};

/// Both forms of the trees over one geometry.
struct InstancedTrees {
    Bvh bvh;
    WideBvh wide;

    InstancedTrees(const InstancedMeshes& meshes, const BvhOptions& options) : bvh(build_bvh(meshes.geometry(), options)), wide(collapse(bvh.view())) {}
    BvhView view() const {
        BvhView view = bvh.view();
        wide.show_to(view);
        return view;
    }
};

inline glm::dmat4 turned(double degrees, glm::dvec3 axis) { return glm::rotate(glm::dmat4(1.0), glm::radians(degrees), axis); }
inline glm::dmat4 moved(glm::dvec3 by) { return glm::translate(glm::dmat4(1.0), by); }
inline glm::dmat4 scaled(glm::dvec3 by) { return glm::scale(glm::dmat4(1.0), by); }
inline glm::dmat4 sheared(double x_by_y, double z_by_x) {
    glm::dmat4 m(1.0);
    m[1][0] = x_by_y, m[0][2] = z_by_x;
    return m;
}

struct NamedTransform {
    const char* name;
    glm::dmat4 to_world;
};
/// Of all kinds that an instance can have; they keep [-1, 1]^3 within a few units.
inline std::vector<NamedTransform> transforms() {
    const glm::dmat4 turn = turned(40, {1, 2, 3});
    return {{"none", glm::dmat4(1.0)},
            {"rigid", moved({0.3, -0.2, 0.5}) * turn},
            {"scaled", moved({-0.4, 0.1, 0}) * turn * scaled(glm::dvec3(0.6))},
            {"uneven scale", moved({0.2, 0.2, -0.3}) * turn * scaled({0.3, 1.4, 0.8})},
            {"flattened", turn * scaled({1.0, 0.05, 1.0})},
            {"sheared", moved({-0.1, 0.3, 0.2}) * turn * sheared(0.7, -0.4)},
            {"turned, then flattened", moved({0.2, 0.1, 0}) * scaled({0.017, 1.0, 0.9}) * turn},
            {"mirrored", moved({0.1, 0, 0.2}) * turn * scaled({-0.9, 0.7, 1.1})}};
}

inline bool same_bits(const Hit& a, const Hit& b) {
    return std::memcmp(&a, &b, sizeof a) == 0;
}

}  // namespace warpath::testing
