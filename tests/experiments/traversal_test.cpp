#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "bvh/build.h"
#include "core/random.h"
#include "experiments/traversal_agreement.h"
#include "experiments/traversal_cursors.h"
#include "experiments/traversal_rays.h"

namespace warpath::experiments {
namespace {

TraversalScene generated(const std::string& name, float scale) {
    for (const GeneratedScene& scene : generated_scenes())
        if (scene.name == name) return scene.make(scale);
    return {};
}

/// Both trees over a scene, as the experiment makes them.
std::vector<TraversalTree> trees_of(const TraversalScene& scene) {
    PlainTree plain = build_plain_tree(scene.soup);
    std::vector<Triangle> triangles(scene.num_triangles());
    for (uint32_t i = 0; i < triangles.size(); ++i) triangles[i] = {.vertex = {3 * i, 3 * i + 1, 3 * i + 2}, .material_id = 0};
    Bvh bvh = build_bvh({triangles.data(), scene.num_triangles()}, ArrayView<Vec3>{scene.soup.data(), 3 * scene.num_triangles()});
    std::vector<TraversalTree> trees(2);
    trees[0].nodes = plain.nodes, trees[0].plain_triangles = plain.triangles;
    trees[1].nodes = bvh.columns.nodes, trees[1].triangles = bvh.columns.triangles;
    for (const BvhTriangle& triangle : bvh.columns.triangles) trees[1].plain_triangles.push_back(plain_triangle(scene.soup, triangle.prim_id()));
    return trees;
}

std::vector<uint32_t> every(size_t n, size_t stride) {
    std::vector<uint32_t> rays;
    for (size_t i = 0; i < n; i += stride) rays.push_back(static_cast<uint32_t>(i));
    return rays;
}

TEST(traversal_scenes, generated_scenes_have_the_triangles_that_their_names_promise) {
    EXPECT_EQ(generated("atrium", 1).num_triangles(), 282'920u);
    EXPECT_EQ(generated("terrain", 1).num_triangles(), 1'620'000u);
    EXPECT_EQ(generated("hairball", 0.01f).num_triangles(), 50u * 600);
    EXPECT_EQ(generated("rocks10M", 0.01f).num_triangles(), 2u * 70 * 70 + 110 * 20 * 256);
    for (const GeneratedScene& scene : generated_scenes())
        for (const Vec3& p : scene.make(0.01f).soup) ASSERT_TRUE(is_finite(p)) << scene.name;
}

TEST(plain_tree, every_triangle_is_in_one_leaf_of_four_at_most_and_inside_the_boxes_above) {
    const TraversalScene scene = generated("hairball", 0.01f);
    const PlainTree tree = build_plain_tree(scene.soup);
    ASSERT_EQ(tree.triangles.size(), scene.num_triangles());
    std::set<uint32_t> met;
    for (const BvhNode& node : tree.nodes)
        for (int i = 0; i < 2; ++i) {
            if (!is_leaf(node.child[i])) continue;
            const LeafRange leaf = decode_leaf(node.child[i]);
            ASSERT_LE(leaf.count, 4u);
            for (uint32_t k = leaf.first; k < leaf.first + leaf.count; ++k) {
                const uint32_t prim_id = tree.triangles[k].prim_id;
                EXPECT_TRUE(met.insert(prim_id).second);
                for (uint32_t v = 0; v < 3; ++v) {
                    const Vec3 p = scene.soup[3 * prim_id + v];
                    EXPECT_TRUE(p.x >= node.lo_x[i] && p.x <= node.hi_x[i] && p.y >= node.lo_y[i] && p.y <= node.hi_y[i] && p.z >= node.lo_z[i] && p.z <= node.hi_z[i]);
                }
            }
        }
    EXPECT_EQ(met.size(), scene.num_triangles());
    EXPECT_LT(tree.max_depth, max_bvh_depth);
}

TEST(plain_tree, many_triangles_at_one_place_are_halved) {
    const std::vector<Vec3> one = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    std::vector<Vec3> soup;
    for (int i = 0; i < 1000; ++i) soup.insert(soup.end(), one.begin(), one.end());
    const PlainTree tree = build_plain_tree(soup);
    EXPECT_EQ(tree.triangles.size(), 1000u);
    EXPECT_LE(tree.max_depth, 10u);
    EXPECT_EQ(build_plain_tree(one).nodes.size(), 1u) << "a tree of one leaf has a root all the same";
}

class TraversalOfScenes : public ::testing::TestWithParam<const char*> {};

TEST_P(TraversalOfScenes, all_kernels_find_what_all_triangles_say) {
    const TraversalScene scene = generated(GetParam(), 0.02f);
    const std::vector<TraversalTree> trees = trees_of(scene);
    const auto probe = make_cpu_traversal_probe(2);
    probe->set_scene(scene, trees);
    const RaySets sets = make_ray_sets(scene, {.width = 64, .height = 36, .num_rays = 3000}, [&](const auto& rays, auto& hits) { probe->trace(rays, hits); });
    const float diagonal = length(scene.bounds().extent());
    for (size_t set = 0; set < num_ray_sets; ++set) {
        const bool any = set == static_cast<size_t>(RaySetKind::Shadow);
        ASSERT_GT(sets[set].size(), 40u) << ray_set_names[set];
        probe->set_rays(sets[set], any);
        const std::vector<uint32_t> sampled = every(sets[set].size(), sets[set].size() / 40);
        const std::vector<double> exact = probe->exact_distances(sampled);
        const TraversalResults first = probe->results(0, 0);
        const std::vector<Hit> hits(first.hits, first.hits ? first.hits + sets[set].size() : nullptr);
        const std::vector<uint32_t> occluded(first.occluded, first.occluded ? first.occluded + sets[set].size() : nullptr);
        const TraversalResults reference{any ? nullptr : hits.data(), any ? occluded.data() : nullptr};
        EXPECT_EQ(num_refuted(reference, sampled, exact, diagonal), 0u) << ray_set_names[set];
        for (size_t kernel = 0; kernel < probe->kernels().size(); ++kernel) {
            const TraversalResults results = probe->results(kernel, 1);
            EXPECT_EQ(num_refuted(results, sampled, exact, diagonal), 0u) << ray_set_names[set] << ", " << probe->kernels()[kernel].name;
            EXPECT_LE(compare_results(reference, results, sets[set].size(), diagonal).num_disagreeing(), 2u) << ray_set_names[set] << ", " << probe->kernels()[kernel].name;
            const TraversalTotals totals = probe->totals(kernel, 1);
            EXPECT_GE(totals.node_steps, sets[set].size()) << "every ray visits the root";
        }
    }
}
INSTANTIATE_TEST_SUITE_P(Generated, TraversalOfScenes, ::testing::Values("atrium", "terrain", "hairball", "rocks10M"));

TEST(ray_sets, rays_start_off_the_surface_and_keep_to_what_they_are_for) {
    // A floor below the camera, the light above.
    TraversalScene scene{.name = "floor", .soup = {{-9, 0, -9}, {-9, 0, 9}, {9, 0, -9}, {9, 0, 9}, {9, 0, -9}, {-9, 0, 9}}, .eye = {0, 4, 0}, .target = {0, 0, 0}, .up = {0, 0, 1},
                         .vfov_deg = 40, .light_corner = {-1, 8, -1}, .light_edges = {{2, 0, 0}, {0, 0, 2}}};
    PlainTree tree = build_plain_tree(scene.soup);
    const TraceRays trace = [&](const std::vector<Ray>& rays, std::vector<Hit>& hits) {
        hits.resize(rays.size());
        TraversalCost cost;
        for (size_t i = 0; i < rays.size(); ++i) hits[i] = trace_ray<PlainTraversal<false>>(tree.view(), rays[i], cost);
    };
    const RaySets sets = make_ray_sets(scene, {.width = 20, .height = 10, .num_rays = 500}, trace);
    EXPECT_EQ(sets[0].size(), 500u);
    EXPECT_EQ(sets[1].size(), 500u);
    EXPECT_EQ(sets[2].size(), 0u) << "what leaves an open floor meets nothing";
    EXPECT_EQ(sets[3].size(), 500u);
    for (const Ray& ray : sets[0]) EXPECT_NEAR(length(ray.dir), 1, 1e-5);
    for (const Ray& ray : sets[1]) {
        EXPECT_GT(ray.origin.y, 0);
        EXPECT_LT(ray.origin.y, 1e-2);
        EXPECT_GT(ray.dir.y, 0) << "on the side that the camera sees";
    }
    for (const Ray& ray : sets[3]) EXPECT_NEAR(ray.origin.y + ray.dir.y * ray.t_max, 0.999 * 8, 1e-2);
    const RaySets shadow_alone = make_ray_sets(scene, {.width = 20, .height = 10, .num_rays = 500, .wanted = {false, false, false, true}}, trace);
    EXPECT_TRUE(shadow_alone[0].empty() && shadow_alone[1].empty());
    ASSERT_EQ(shadow_alone[3].size(), 500u);
    for (size_t i = 0; i < 500; ++i) EXPECT_EQ(shadow_alone[3][i].t_max, sets[3][i].t_max) << "a set does not depend on which others are made";
}

TEST(traversal_agreement, tells_ties_from_faults) {
    const std::vector<Hit> a = {{1, 0, 0, 7}, {1, 0, 0, 7}, {1, 0, 0, 7}, {1, 0, 0, 7}, {}, {}};
    const std::vector<Hit> b = {{1, 0, 0, 7}, {1.00005f, 0, 0, 8}, {1.0005f, 0, 0, 8}, {2, 0, 0, 7}, {1, 0, 0, 7}, {}};
    const Agreement agreement = compare_results({a.data(), nullptr}, {b.data(), nullptr}, a.size(), 100);
    EXPECT_EQ(agreement.ties, 1u);
    EXPECT_EQ(agreement.near, 1u) << "within 1e-5 of the diagonal";
    EXPECT_EQ(agreement.distance, 1u);
    EXPECT_EQ(agreement.hit_miss, 1u);
    EXPECT_EQ(agreement.listed, (std::vector<uint32_t>{3, 4}));
    const std::vector<double> exact = {1, 1, 1, 1, infinity, infinity};
    EXPECT_EQ(num_refuted({b.data(), nullptr}, {0, 1, 2, 3, 4, 5}, exact, 100), 2u);
}

}  // namespace
}  // namespace warpath::experiments
