#include "bvh/build.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <chrono>
#include <string>

#include "bvh/builders/assemble.h"
#include "bvh/builders/finish.h"
#include "bvh/builders/instance_boxes.h"
#include "bvh/builders/join_trees.h"
#include "bvh/builders/on_threads.h"
#include "bvh/builders/reinsertion.h"
#include "bvh/builders/tree_builder.h"
#include "bvh/node.h"
#include "warpath/error.h"

namespace warpath {
namespace {

BuildBox padded_box(const BuildMesh& mesh, uint32_t prim_id) {
    const Bounds b = mesh.padded_bounds(prim_id);
    return {_mm_setr_ps(b.lo.x, b.lo.y, b.lo.z, 1.0f), _mm_setr_ps(b.hi.x, b.hi.y, b.hi.z, 1.0f)};
}

BuildRange make_references(const BuildMesh& mesh, BuildReference* references) {
    BuildRange range = tbb::parallel_reduce(
        tbb::blocked_range<uint32_t>(0, mesh.size(), 4096), BuildRange{},
        [&](const tbb::blocked_range<uint32_t>& r, BuildRange part) {
            for (uint32_t i = r.begin(); i < r.end(); ++i) {
                references[i].set_box(padded_box(mesh, i), i);
                part.add(references[i]);
            }
            return part;
        },
        [](BuildRange a, const BuildRange& b) {
            a.add(b);
            return a;
        });
    range.references = references;
    return range;
}

/// A tree over all that there is, or one of several.
Bvh build_one(const BuildMesh& mesh, const BvhOptions& options) {
    const uint32_t count = mesh.size();
    if (count == 0) return {};
    SparseTree tree;
    {
        const auto references = std::make_unique_for_overwrite<BuildReference[]>(count);
        tree = build_tree(mesh, make_references(mesh, references.get()), options);
    }
    if (options.reinsertion_rounds > 0 && tree.nodes[0].pad_[0] > 1) {
        reinsert(tree, options);
        finish(mesh, tree, options);
    }
    Bvh bvh = assemble(mesh, tree);
    // References and the scratch copies of those being partitioned or cut, then the finished tree in their place.
    const uint64_t reference_bytes = 2 * sizeof(BuildReference) * (uint64_t(count) + spatial_budget(count, options));
    bvh.statistics.peak_build_bytes = tree.size_bytes + std::max(reference_bytes, bvh.statistics.size_bytes);
    return bvh;
}

std::vector<Bvh> build_meshes(const BvhGeometry& geometry, const BvhOptions& options) {
    std::vector<Bvh> trees(geometry.meshes.size);
    tbb::parallel_for(uint32_t(0), geometry.meshes.size, [&](uint32_t i) {
        const SharedMesh& mesh = geometry.meshes[i];
        BuildMesh part{{geometry.triangles.data + mesh.first_triangle, mesh.num_triangles}, geometry.positions};
        part.first_prim_id = mesh.first_triangle;
        part.max_depth = max_mesh_depth;
        trees[i] = build_one(part, options);
    });
    return trees;
}

Bvh build(const BvhGeometry& geometry, const BvhOptions& options) {
    const BuildMesh world{{geometry.triangles.data, geometry.num_world()}, geometry.positions};
    if (geometry.instances.empty()) return build_one(world, options);
    std::vector<Bvh> trees = build_meshes(geometry, options);
    const std::vector<Bounds> boxes = instance_boxes(geometry);
    BuildMesh top = world;
    top.instances = {boxes.data(), static_cast<uint32_t>(boxes.size())};
    top.max_depth = max_top_depth;
    Bvh bvh = join_trees(build_one(top, options), std::move(trees), geometry, boxes);
    enter_instances(geometry, bvh);
    return bvh;
}

}  // namespace

BvhView Bvh::view() const {
    BvhView v;
    v.nodes = {columns.nodes.data(), static_cast<uint32_t>(columns.nodes.size())};
    v.triangles = {columns.triangles.data(), static_cast<uint32_t>(columns.triangles.size())};
    v.instances = {columns.instances.data(), static_cast<uint32_t>(columns.instances.size())};
    v.origin_slack = origin_slack;
    return v;
}

BvhGeometry geometry_of(const SceneData& scene) {
    const SceneView view = scene.view();
    return {view.triangles, view.vertices, scene.constants.num_world_triangles,
            {scene.shared_meshes.data(), static_cast<uint32_t>(scene.shared_meshes.size())},
            {scene.instance_spaces.data(), static_cast<uint32_t>(scene.instance_spaces.size())}};
}

BvhOptions bvh_preset(BvhPreset preset) {
    BvhOptions options;
    options.spatial_splits = preset != BvhPreset::Fast;
    options.reinsertion_rounds = 3, options.reinsertion_links = 50'000;
    if (preset == BvhPreset::Best) {
        options.single_leaves = true;
        options.reinsertion_rounds = 8, options.reinsertion_links = 1'000'000;
    }
    return options;
}

Bvh build_bvh(const BvhGeometry& geometry, const BvhOptions& options) {
    if (geometry.triangles.empty()) return {};
    const uint64_t count = uint64_t(geometry.triangles.size) + geometry.instances.size;
    if (count > max_references) {
        const bool flat = geometry.instances.empty();
        throw Error(ErrorCode::BadInput, "the scene has " + std::to_string(count) + (flat ? " triangles" : " triangles and instances") +
                                             ", but a BVH holds at most " + std::to_string(max_references) +
                                             "; split the scene or simplify its meshes");
    }
    const auto start = std::chrono::steady_clock::now();
    Bvh bvh = on_threads(options.num_threads, [&] { return build(geometry, options); });
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
    bvh.statistics.build_ms = time.count();
    return bvh;
}

}  // namespace warpath
