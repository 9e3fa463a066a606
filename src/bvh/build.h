#pragma once

#include <atomic>

#include "bvh/bvh.h"
#include "scene/scene_data.h"

namespace warpath {

struct BvhOptions {
    bool spatial_splits = false;        ///< slower to build, faster to trace
    float split_alpha = 1e-5f;          ///< try a spatial split where the children of the object split overlap by more
                                        ///< than this share of the root's area
    float max_reference_growth = 0.3f;  ///< spatial splits may add this many references per triangle at most
    float triangle_cost = 0.6f;         ///< of testing one triangle, in node steps; of 0.6, 1 and 1.6 the fastest on
                                        ///< living_room and sponza
    bool single_leaves = false;       ///< leaves of one triangle until the tree is optimised; needs reinsertion_rounds
    uint32_t reinsertion_rounds = 0;  ///< of optimisation, at most
    uint32_t reinsertion_links = 0;   ///< subtrees that one round tries to move
    uint32_t num_threads = 0;         ///< 0: all cores
    const std::atomic<bool>* stop = nullptr;  ///< once set, building ends soon; may be null
};

/// Positions of vertices, alone or as the first member of something larger.
class PositionView {
  public:
    PositionView(ArrayView<Vec3> positions) : data_(reinterpret_cast<const char*>(positions.data)), stride_(sizeof(Vec3)) {}
    PositionView(ArrayView<SceneVertex> vertices) : data_(reinterpret_cast<const char*>(vertices.data)), stride_(sizeof(SceneVertex)) {}
    const Vec3& operator[](size_t i) const { return *reinterpret_cast<const Vec3*>(data_ + i * stride_); }

  private:
    static_assert(offsetof(SceneVertex, place) == 0 && offsetof(SceneVertex::Place, position) == 0);
    const char* data_;
    size_t stride_;
};

/// What one asks for: how much time building may take for trees that rays pass through faster.
enum class BvhPreset : uint32_t { Fast, Balanced, Best };
/// Fast: object splits, and the largest subtrees moved to better places. Balanced: spatial splits before that. Best: more
/// of both, on a tree down to single triangles.
BvhOptions bvh_preset(BvhPreset preset);

/// What there is to build a BVH over: triangles in world space, then those of shared meshes, and their instances.
struct BvhGeometry {
    ArrayView<Triangle> triangles;
    PositionView positions;
    uint32_t num_world_triangles = invalid_id;  ///< all where there are fewer
    ArrayView<SharedMesh> meshes = {};          ///< each with triangles, and with instances
    ArrayView<InstanceSpace> instances = {};

    uint32_t num_world() const { return num_world_triangles < triangles.size ? num_world_triangles : triangles.size; }
};
BvhGeometry geometry_of(const SceneData& scene);

/// Builds a BVH over `triangles`, whose vertices index `positions`.
/// Shapes:  any number of triangles, none included (then the BVH is empty and every ray misses).
/// Units:   coordinates must be finite and at most 1e18 in magnitude, placed instances included; triangles may have no area.
/// Threads: uses oneTBB; the result has the same bytes whatever the number of threads.
/// Errors:  BadInput for more triangles and instances than max_references (bvh/node.h); Stopped.
/// Source:  Wald, "On fast Construction of SAH-based Bounding Volume Hierarchies", RT 2007; Stich, Friedrich and
///          Dietrich, "Spatial Splits in Bounding Volume Hierarchies", HPG 2009.
Bvh build_bvh(const BvhGeometry& geometry, const BvhOptions& options = {});
inline Bvh build_bvh(ArrayView<Triangle> triangles, PositionView positions, const BvhOptions& options = {}) {
    return build_bvh(BvhGeometry{triangles, positions}, options);
}

}  // namespace warpath
