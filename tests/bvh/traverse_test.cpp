#include "bvh/traverse.h"

#include <gtest/gtest.h>

#include <limits>

#include "reference_hits.h"

namespace warpath::testing {
namespace {

struct Case {
    const char* name;
    TestMesh mesh;
    float scale = 1.0f;
    Vec3 offset{0.0f};
};

std::vector<Case> cases() {
    std::vector<Case> all;
    all.push_back({"empty", {}});
    all.push_back({"single", random_soup(1, 1.0f, 20)});
    all.push_back({"small triangles", random_soup(3000, 0.1f, 21)});
    all.push_back({"large triangles", random_soup(300, 2.0f, 22)});
    all.push_back({"flat", flat_grid(16, 2)});
    all.push_back({"lattice", lattice_soup(600, 4, 23)});
    all.push_back({"sphere", octasphere(3)});
    all.push_back({"tiny", random_soup(500, 0.3f, 24).transformed(1e-10f, Vec3(0.0f)), 1e-10f});
    all.push_back({"huge", random_soup(500, 0.3f, 25).transformed(1e17f, Vec3(0.0f)), 1e17f});
    all.push_back({"far away", random_soup(500, 0.3f, 26).transformed(1.0f, Vec3(5000.0f)), 1.0f, Vec3(5000.0f)});
    return all;
}

template <class F>
void for_each_ray(uint32_t count, const F& check) {
    for (const Case& c : cases()) {
        SCOPED_TRACE(c.name);
        for (const BvhPreset preset : all_presets) {
            SCOPED_TRACE(name_of(preset));
            const Bvh bvh = c.mesh.build(preset);
            for (const Ray& ray : random_rays(count, c.scale, c.offset, 30)) check(c.mesh, bvh, ray);
        }
    }
}

TEST(ClosestHit, equals_brute_force_in_double_precision) {
    uint32_t num_hits = 0;
    for_each_ray(400, [&](const TestMesh& mesh, const Bvh& bvh, const Ray& ray) {
        const Hit hit = trace(bvh, ray);
        num_hits += hit.prim_id != invalid_id;
        ASSERT_EQ(check_against_all(mesh, ray, hit), "");
    });
    EXPECT_GT(num_hits, 1000u);
}

TEST(ClosestHit, weights_vertices_so_that_they_meet_the_ray) {
    const TestMesh mesh = random_soup(2000, 0.3f, 27);
    const Bvh bvh = mesh.build();
    for (const Ray& ray : random_rays(2000, 1.0f, Vec3(0.0f), 31)) {
        const Hit hit = trace(bvh, ray);
        if (hit.prim_id == invalid_id) continue;
        const Vec3 p = mesh.vertex(hit.prim_id, 0) * (1.0f - hit.u - hit.v) + mesh.vertex(hit.prim_id, 1) * hit.u +
                       mesh.vertex(hit.prim_id, 2) * hit.v;
        const Crossing c = cross_triangle(mesh, hit.prim_id, ray);
        const double tolerance = (c.t_error + 1e-6 * c.t) * glm::length(glm::dvec3(ray.dir)) + 2.0 * c.error;
        EXPECT_LE(glm::length(glm::dvec3(p) - glm::dvec3(ray.origin) - glm::dvec3(ray.dir) * double(hit.t)), tolerance);
    }
}

TEST(AnyHit, is_true_exactly_where_closest_hit_finds_one) {
    uint32_t answers[2] = {};
    for_each_ray(2000, [&](const TestMesh&, const Bvh& bvh, const Ray& ray) {
        const bool found = trace(bvh, ray).prim_id != invalid_id;
        ++answers[found];
        ASSERT_EQ(is_occluded(bvh, ray), found);
    });
    EXPECT_GT(answers[0], 1000u);
    EXPECT_GT(answers[1], 1000u);
}

TEST(ClosestHit, keeps_to_the_interval_with_t_min_inside_and_t_max_outside) {
    TestMesh mesh;
    mesh.add({-1, -1, 2}, {3, -1, 2}, {-1, 3, 2});
    const Bvh bvh = mesh.build();
    const auto hits = [&](float t_min, float t_max) {
        const Ray ray = make_ray({0, 0, 0}, {0, 0, 1}, t_min, t_max);
        EXPECT_EQ(is_occluded(bvh, ray), trace(bvh, ray).prim_id != invalid_id);
        return is_occluded(bvh, ray);
    };
    const float after = std::nextafter(2.0f, 3.0f);
    EXPECT_TRUE(hits(0.0f, infinity));
    EXPECT_TRUE(hits(2.0f, after));
    EXPECT_FALSE(hits(0.0f, 2.0f));
    EXPECT_FALSE(hits(after, infinity));
    EXPECT_FALSE(hits(2.0f, 2.0f));
    EXPECT_FALSE(hits(3.0f, 1.0f));
    EXPECT_FALSE(trace(bvh, make_ray({0, 0, 4}, {0, 0, 1}, -5.0f)).prim_id != invalid_id) << "hit behind the origin";
}

TEST(ClosestHit, counts_t_in_lengths_of_dir) {
    TestMesh mesh;
    mesh.add({-1, -1, 2}, {3, -1, 2}, {-1, 3, 2});
    const Bvh bvh = mesh.build();
    EXPECT_EQ(trace(bvh, make_ray({0, 0, 0}, {0, 0, 8})).t, 0.25f);
    EXPECT_EQ(trace(bvh, make_ray({0, 0, 0}, {0, 0, 1e-20f})).t, 2.0f / 1e-20f);
}

TEST(ClosestHit, of_equal_distances_takes_the_lowest_prim_id) {
    TestMesh mesh = random_soup(500, 0.3f, 28);
    const uint32_t count = mesh.size();
    for (int copy = 0; copy < 3; ++copy) {
        for (uint32_t i = 0; i < count; ++i) mesh.add(mesh.vertex(i, 0), mesh.vertex(i, 1), mesh.vertex(i, 2));
    }
    const Bvh bvh = mesh.build();
    for (const Ray& ray : random_rays(2000, 1.0f, Vec3(0.0f), 32)) {
        const Hit hit = trace(bvh, ray);
        if (hit.prim_id != invalid_id) {
            EXPECT_LT(hit.prim_id, count);
        }
    }
}

TEST(Traversal, misses_with_rays_that_are_not_numbers) {
    const TestMesh mesh = octasphere(2);
    const Bvh bvh = mesh.build();
    const float nan = std::numeric_limits<float>::quiet_NaN();
    std::vector<Ray> rays;
    for (const float bad : {nan, infinity, -infinity}) {
        for (int axis = 0; axis < 3; ++axis) {
            Ray origin = make_ray(Vec3(0.0f), {1, 2, 3}), dir = origin;
            origin.origin[axis] = bad;
            dir.dir[axis] = bad;
            rays.push_back(origin);
            rays.push_back(dir);
        }
    }
    rays.push_back(make_ray(Vec3(0.0f), Vec3(0.0f)));
    rays.push_back(make_ray(Vec3(0.0f), Vec3(1e-40f)));
    rays.push_back(make_ray(Vec3(0.0f), {1, 2, 3}, nan));
    rays.push_back(make_ray(Vec3(0.0f), {1, 2, 3}, 0.0f, nan));
    rays.push_back(make_ray(Vec3(0.0f), {1, 2, 3}, infinity));
    for (const Ray& ray : rays) {
        EXPECT_EQ(trace(bvh, ray).prim_id, invalid_id);
        EXPECT_EQ(trace(bvh, ray).t, infinity);
        EXPECT_FALSE(is_occluded(bvh, ray));
    }
}

/// Refuses odd triangles and keeps a record of what it was asked.
struct RefuseOdd {
    std::vector<uint32_t>* asked;
    bool operator()(uint32_t prim_id, float u, float v) const {
        EXPECT_TRUE(u >= 0.0f && v >= 0.0f && u + v <= 1.00001f);
        asked->push_back(prim_id);
        return prim_id % 2 == 0;
    }
};

TEST(Alpha, refused_triangles_are_as_if_absent_and_opaque_ones_are_not_asked) {
    TestMesh mesh = random_soup(1000, 0.4f, 29), kept;
    for (uint32_t i = 0; i < mesh.size(); ++i) {
        const bool has_alpha = i % 3 != 0;
        mesh.triangles[i].flags = has_alpha ? triangle_has_alpha : triangle_flipped;
        // What is refused becomes a point far away, so that the others keep their prim_id.
        if (has_alpha && i % 2 == 1) {
            kept.add(Vec3(1e6f), Vec3(1e6f), Vec3(1e6f));
        } else {
            kept.add(mesh.vertex(i, 0), mesh.vertex(i, 1), mesh.vertex(i, 2));
        }
    }
    const Bvh bvh = mesh.build(), kept_bvh = kept.build();
    std::vector<uint32_t> asked;
    TraversalCost cost;
    for (const Ray& ray : random_rays(3000, 1.0f, Vec3(0.0f), 33)) {
        const Hit expected = trace(kept_bvh, ray), hit = closest_hit(bvh.view(), ray, RefuseOdd{&asked}, cost);
        EXPECT_EQ(hit.prim_id, expected.prim_id);
        EXPECT_EQ(hit.t, expected.t);
        EXPECT_EQ(any_hit(bvh.view(), ray, RefuseOdd{&asked}, cost), expected.prim_id != invalid_id);
    }
    for (const uint32_t id : asked) EXPECT_NE(id % 3, 0u);
    EXPECT_EQ(cost.alpha_tests, asked.size());
    EXPECT_GT(asked.size(), 1000u);
}

TEST(RayCursor, gives_the_same_hit_and_cost_as_the_loop_when_interleaved) {
    const TestMesh mesh = random_soup(3000, 0.2f, 34);
    const Bvh bvh = mesh.build();
    const BvhView view = bvh.view();
    const std::vector<Ray> rays = random_rays(64, 1.0f, Vec3(0.0f), 35);
    std::vector<TraversalStack> stacks(rays.size());
    std::vector<RayCursor<EitherQuery>> cursors(stacks.begin(), stacks.end());
    std::vector<TraversalCost> costs(rays.size());
    for (size_t i = 0; i < rays.size(); ++i) cursors[i].begin(view, rays[i]);
    for (bool busy = true; busy;) {
        busy = false;
        for (size_t i = 0; i < rays.size(); ++i) {
            cursors[i].step(view, AcceptAll{}, costs[i], EitherQuery{i % 2 == 1});
            busy = busy || !cursors[i].done();
        }
    }
    for (size_t i = 0; i < rays.size(); ++i) {
        TraversalCost cost;
        if (i % 2 == 1) {
            EXPECT_EQ(cursors[i].found(), any_hit(view, rays[i], AcceptAll{}, cost));
        } else {
            const Hit expected = closest_hit(view, rays[i], AcceptAll{}, cost), hit = cursors[i].result();
            EXPECT_EQ(hit.prim_id, expected.prim_id);
            EXPECT_EQ(hit.t, expected.t);
        }
        EXPECT_EQ(costs[i].node_steps, cost.node_steps);
        EXPECT_EQ(costs[i].triangle_tests, cost.triangle_tests);
    }
}

}  // namespace
}  // namespace warpath::testing
