#include "bvh/build.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <chrono>
#include <string>

#include "bvh/builders/assemble.h"
#include "bvh/builders/finish.h"
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
        tbb::blocked_range<uint32_t>(0, mesh.triangles.size, 4096), BuildRange{},
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

Bvh build(const BuildMesh& mesh, const BvhOptions& options) {
    const auto start = std::chrono::steady_clock::now();
    const uint32_t count = mesh.triangles.size;
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
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
    bvh.statistics.build_ms = time.count();
    // References and the scratch copies of those being partitioned or cut, then the finished tree in their place.
    const uint64_t reference_bytes = 2 * sizeof(BuildReference) * (uint64_t(count) + spatial_budget(count, options));
    bvh.statistics.peak_build_bytes = tree.size_bytes + std::max(reference_bytes, bvh.statistics.size_bytes);
    return bvh;
}

}  // namespace

BvhView Bvh::view() const {
    BvhView v;
    v.nodes = {columns.nodes.data(), static_cast<uint32_t>(columns.nodes.size())};
    v.triangles = {columns.triangles.data(), static_cast<uint32_t>(columns.triangles.size())};
    return v;
}

BvhOptions bvh_preset(BvhPreset preset) {
    BvhOptions options;
    options.spatial_splits = preset != BvhPreset::Fast;
    if (preset == BvhPreset::Balanced) options.reinsertion_rounds = 3, options.reinsertion_links = 50'000;
    if (preset == BvhPreset::Best) {
        options.single_leaves = true;
        options.reinsertion_rounds = 8, options.reinsertion_links = 1'000'000;
    }
    return options;
}

Bvh build_bvh(ArrayView<Triangle> triangles, PositionView positions, const BvhOptions& options) {
    if (triangles.empty()) return {};
    if (triangles.size > max_references) {
        throw Error(ErrorCode::BadInput, "the scene has " + std::to_string(triangles.size) +
                                             " triangles, but a BVH holds at most " + std::to_string(max_references) +
                                             "; split the scene or simplify its meshes");
    }
    const BuildMesh mesh{triangles, positions};
    return on_threads(options.num_threads, [&] { return build(mesh, options); });
}

}  // namespace warpath
