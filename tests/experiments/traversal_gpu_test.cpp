#include <gtest/gtest.h>

#include "bvh/build.h"
#include "experiments/traversal_agreement.h"
#include "experiments/traversal_rays.h"
#include "support/render_image.h"

namespace warpath::experiments {
namespace {

using testing::cuda_device_answers;

TEST(traversal_gpu, every_kernel_finds_what_all_triangles_say) {
    WARPATH_SKIP_WITHOUT_GPU();
    const TraversalScene scene = generated_scenes().front().make(1);
    std::vector<Triangle> triangles(scene.num_triangles());
    for (uint32_t i = 0; i < triangles.size(); ++i) triangles[i] = {.vertex = {3 * i, 3 * i + 1, 3 * i + 2}, .material_id = 0};
    Bvh bvh = build_bvh({triangles.data(), scene.num_triangles()}, ArrayView<Vec3>{scene.soup.data(), 3 * scene.num_triangles()});
    PlainTree plain = build_plain_tree(scene.soup);
    std::vector<TraversalTree> trees(2);
    trees[0].nodes = plain.nodes, trees[0].plain_triangles = plain.triangles;
    trees[1].nodes = bvh.columns.nodes, trees[1].triangles = bvh.columns.triangles;
    for (const BvhTriangle& triangle : bvh.columns.triangles) trees[1].plain_triangles.push_back(plain_triangle(scene.soup, triangle.prim_id()));
    const auto probe = make_traversal_probe(0);
    probe->set_scene(scene, trees);
    const RaySets sets = make_ray_sets(scene, {.width = 160, .height = 90, .num_rays = 20'001}, [&](const auto& rays, auto& hits) { probe->trace(rays, hits); });
    for (const RaySetKind kind : {RaySetKind::Diffuse1, RaySetKind::Shadow}) {
        const std::vector<Ray>& rays = sets[static_cast<size_t>(kind)];
        ASSERT_EQ(rays.size(), 20'001u);
        const bool any = kind == RaySetKind::Shadow;
        probe->set_rays(rays, any);
        std::vector<uint32_t> sampled;
        for (uint32_t i = 0; i < rays.size(); i += 100) sampled.push_back(i);
        const std::vector<double> exact = probe->exact_distances(sampled);
        const std::vector<TraversalKernel> kernels = probe->kernels();
        for (size_t kernel = 0; kernel < kernels.size(); ++kernel) {
            const size_t tree = kernels[kernel].plain ? 0 : 1;
            EXPECT_EQ(num_refuted(probe->results(kernel, tree), sampled, exact, length(scene.bounds().extent())), 0u) << kernels[kernel].name;
            EXPECT_GT(probe->run_ms(kernel, tree), 0);
            EXPECT_GT(probe->resources(kernel, any).registers, 0);
            const TraversalTotals totals = probe->totals(kernel, tree);
            EXPECT_GE(totals.node_steps, rays.size()) << kernels[kernel].name;
            EXPECT_GE(32 * totals.node_group_steps, totals.node_steps) << kernels[kernel].name;
        }
    }
}

}  // namespace
}  // namespace warpath::experiments
