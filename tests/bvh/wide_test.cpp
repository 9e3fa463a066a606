#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <set>
#include <string>

#include "bvh/wide_traverse.h"
#include "meshes.h"

namespace warpath::testing {
namespace {

/// A tree in both forms.
struct WideMesh {
    TestMesh mesh;
    Bvh bvh;
    WideBvh wide;

    explicit WideMesh(TestMesh m, const BvhOptions& options = {})
        : mesh(std::move(m)), bvh(mesh.build(options)), wide(collapse(bvh.view())) {}
    BvhView view() const {
        BvhView v = bvh.view();
        wide.show_to(v);
        return v;
    }
};

std::vector<TestMesh> test_meshes() {
    std::vector<TestMesh> meshes{random_soup(3000, 0.3f, 60),
                                 lattice_soup(600, 4, 61),
                                 flat_grid(24, 0),
                                 flat_grid(9, 2),
                                 octasphere(4),
                                 {},
                                 random_soup(1, 1.0f, 62),
                                 random_soup(5, 1.0f, 63),
                                 random_soup(9, 1.0f, 64)};
    meshes.push_back(random_soup(800, 0.3f, 65).transformed(1e15f, Vec3(0.0f)));
    meshes.push_back(random_soup(800, 0.3f, 66).transformed(1.0f, Vec3(1000.0f, -500.0f, 3.0f)));
    meshes.push_back(random_soup(800, 0.3f, 67).transformed(1e-15f, Vec3(0.0f)));
    TestMesh point;  // boxes without extent
    for (int i = 0; i < 40; ++i) point.add(Vec3(0.0f), Vec3(0.0f), Vec3(0.0f));
    meshes.push_back(point);
    return meshes;
}

/// As the mesh's own scale and place ask for.
std::vector<Ray> rays_for(const TestMesh& mesh, uint32_t count, uint32_t seed) {
    Bounds b;
    for (const Vec3& p : mesh.positions) b.grow(p);
    if (mesh.size() == 0) b = {Vec3(-1.0f), Vec3(1.0f)};
    return random_rays(count, std::max(0.5f * max_component(b.extent()), 1e-30f), b.center(), seed);
}

bool same_bits(const Hit& a, const Hit& b) { return std::memcmp(&a, &b, sizeof(Hit)) == 0; }

std::string bytes_of(const BvhTriangle& t) { return {reinterpret_cast<const char*>(&t), sizeof(t)}; }

/// Which triangles the leaves below a place name, whose boxes hold them, and no box passes its parent's.
void collect(const WideMesh& m, uint32_t index, std::multiset<std::string>& named, uint32_t& num_nodes) {
    const WideNode& node = m.wide.nodes[index];
    ++num_nodes;
    for (uint32_t i = 0; i < wide_width; ++i) {
        const Bounds box{{node.planes[0][i], node.planes[2][i], node.planes[4][i]},
                         {node.planes[1][i], node.planes[3][i], node.planes[5][i]}};
        if (box.empty()) continue;
        if (!is_leaf(node.child[i])) {
            ASSERT_GT(static_cast<uint32_t>(node.child[i]), index) << "nodes lie behind their parents";
            collect(m, static_cast<uint32_t>(node.child[i]), named, num_nodes);
            continue;
        }
        const LeafRange leaf = decode_leaf(node.child[i]);
        for (uint32_t k = 0; k < packet_width; ++k) {
            const BvhTriangle triangle = m.wide.packets.at(leaf.first).triangle(std::min(k, leaf.count - 1));
            if (k < leaf.count) named.insert(bytes_of(triangle));
            ASSERT_EQ(bytes_of(m.wide.packets[leaf.first].triangle(k)), bytes_of(triangle)) << "lanes left over";
            for (uint32_t v = 0; v < 3; ++v) {
                Bounds both = box;
                both.grow(triangle.vertex(v));
                ASSERT_TRUE(both.lo == box.lo && both.hi == box.hi) << "triangle " << triangle.prim_id();
            }
        }
    }
}

TEST(Collapse, names_each_reference_once_within_its_box) {
    for (const TestMesh& mesh : test_meshes()) {
        const WideMesh m(mesh);
        std::multiset<std::string> named, expected;
        uint32_t num_nodes = 0;
        if (mesh.size() > 0) collect(m, 0, named, num_nodes);
        EXPECT_EQ(num_nodes, m.wide.nodes.size());
        for (const BvhTriangle& t : m.bvh.columns.triangles) expected.insert(bytes_of(t));
        EXPECT_TRUE(named == expected);
    }
}

TEST(Collapse, fills_nodes_and_packets) {
    const WideMesh m(octasphere(6));
    uint64_t num_children = 0, num_leaves = 0;
    for (const WideNode& node : m.wide.nodes) {
        for (uint32_t i = 0; i < wide_width; ++i) {
            if (node.planes[0][i] > node.planes[1][i]) continue;
            ++num_children;
            num_leaves += is_leaf(node.child[i]);
        }
    }
    EXPECT_GT(double(num_children), 5.5 * double(m.wide.nodes.size()));
    EXPECT_GT(double(m.mesh.size()), 2.5 * double(num_leaves));
    EXPECT_EQ(m.wide.packets.size(), num_leaves);
}

TEST(Collapse, puts_the_child_first_that_most_likely_stops_a_ray) {
    TestMesh mesh = random_soup(3000, 0.02f, 77);
    const uint32_t wall = static_cast<uint32_t>(mesh.size());
    mesh.add(Vec3(-2.0f, -2.0f, 1.5f), Vec3(2.0f, -2.0f, 1.5f), Vec3(2.0f, 2.0f, 1.5f));
    mesh.add(Vec3(-2.0f, -2.0f, 1.5f), Vec3(2.0f, 2.0f, 1.5f), Vec3(-2.0f, 2.0f, 1.5f));
    const WideMesh m(mesh);
    const int32_t first = m.wide.nodes[0].child[0];
    ASSERT_TRUE(is_leaf(first));
    EXPECT_GE(m.wide.packets[decode_leaf(first).first].prim_id(0), wall);
}

TEST(Collapse, gives_the_same_bytes_for_any_number_of_threads) {
    const Bvh bvh = random_soup(30000, 0.1f, 68).build();
    const WideBvh one = collapse(bvh.view(), 1), many = collapse(bvh.view(), 7);
    ASSERT_EQ(one.nodes.size(), many.nodes.size());
    EXPECT_EQ(std::memcmp(one.nodes.data(), many.nodes.data(), one.nodes.size() * sizeof(WideNode)), 0);
    ASSERT_EQ(one.packets.size(), many.packets.size());
    EXPECT_EQ(std::memcmp(one.packets.data(), many.packets.data(), one.packets.size() * sizeof(WidePacket)), 0);
}

TEST(WideHit, equals_the_two_child_tree_bit_for_bit) {
    uint32_t num_hits = 0;
    BvhOptions spatial;
    spatial.spatial_splits = true;
    for (const TestMesh& mesh : test_meshes()) {
        for (const BvhOptions& options : {BvhOptions{}, spatial}) {
            const WideMesh m(mesh, options);
            for (const Ray& ray : rays_for(mesh, 3000, 69)) {
                TraversalCost cost;
                const Hit expected = closest_hit(m.bvh.view(), ray, AcceptAll{}, cost),
                          hit = wide_hit<NearestQuery>(m.view(), ray, AcceptAll{}, cost);
                ASSERT_TRUE(same_bits(hit, expected))
                    << hit.prim_id << " at " << hit.t << " instead of " << expected.prim_id << " at " << expected.t;
                ASSERT_EQ(wide_hit<AnyQuery>(m.view(), ray, AcceptAll{}, cost).prim_id != invalid_id,
                          expected.prim_id != invalid_id);
                num_hits += hit.prim_id != invalid_id;
            }
        }
    }
    EXPECT_GT(num_hits, 20000u);
}

#if WARPATH_HAS_AVX2_TESTS
template <class Query>
void expect_equal_walks(const BvhView& view, const Ray& ray) {
    TraversalCost a, b;
    const Hit x = detail::walk_wide<Query, PortableWideTests>(view, ray, AcceptAll{}, a);
    const Hit y = detail::walk_wide_avx2<Query>(view, ray, AcceptAll{}, b);
    ASSERT_TRUE(same_bits(x, y));
    ASSERT_EQ(a.node_steps, b.node_steps);
    ASSERT_EQ(a.triangle_tests, b.triangle_tests);
}

TEST(WideHit, has_the_same_bits_and_cost_with_avx2_and_without) {
    if (!Avx2WideTests::runs_here()) GTEST_SKIP() << "this processor has no AVX2";
    for (const TestMesh& mesh : test_meshes()) {
        const WideMesh m(mesh);
        if (m.wide.nodes.empty()) continue;
        for (const Ray& ray : rays_for(mesh, 2000, 70)) {
            expect_equal_walks<NearestQuery>(m.view(), ray);
            expect_equal_walks<AnyQuery>(m.view(), ray);
        }
    }
}

TEST(Avx2WideTests, gives_the_portable_answer_for_rays_whose_bounds_overflow) {
    if (!Avx2WideTests::runs_here()) GTEST_SKIP() << "this processor has no AVX2";
    Random random(71);
    for (uint32_t i = 0; i < 20000; ++i) {
        WideNode node;
        for (uint32_t k = 0; k < wide_width; ++k) {
            const Vec3 a = random.point() * 1e18f, b = random.point() * 1e18f;
            for (int axis = 0; axis < 3; ++axis) {
                const bool empty = k >= 6;
                node.planes[2 * axis][k] = empty ? infinity : std::min(a[axis], b[axis]);
                node.planes[2 * axis + 1][k] = empty ? -infinity : std::max(a[axis], b[axis]);
            }
            node.child[k] = static_cast<int32_t>(k);
        }
        Vec3 dir = random.point();
        dir[random.below(3)] *= i % 2 ? 1e-38f : 1.0f;
        const Ray ray = make_ray(random.point() * (i % 3 ? 1e38f : 1e18f), dir, 0.0f, i % 5 ? infinity : 1e18f);
        if (!is_traceable(ray)) continue;
        alignas(32) float near[2][wide_width];
        int32_t put[2][wide_width] = {};
        const uint32_t mask = PortableWideTests(ray).children(node, ray.t_max, near[0]);
        ASSERT_EQ(Avx2WideTests(ray).children(node, ray.t_max, near[1]), mask);
        for (uint32_t k = 0; k < wide_width; ++k)
            if (mask >> k & 1) {
                ASSERT_EQ(std::bit_cast<uint32_t>(near[0][k]), std::bit_cast<uint32_t>(near[1][k]));
            }
        PortableWideTests::put_children(node, mask, put[0]);
        Avx2WideTests::put_children(node, mask, put[1]);
        for (int k = 0; k < std::popcount(mask); ++k) ASSERT_EQ(put[0][k], put[1][k]);
    }
}
#endif

/// Refuses odd triangles.
struct RefuseOddOnes {
    bool operator()(uint32_t prim_id, float, float) const { return prim_id % 2 == 0; }
};

TEST(WideHit, asks_about_triangles_with_alpha_and_no_others) {
    TestMesh mesh = random_soup(1500, 0.4f, 72);
    for (uint32_t i = 0; i < mesh.size(); ++i) mesh.triangles[i].flags = i % 3 != 0 ? triangle_has_alpha : 0u;
    const WideMesh m(mesh);
    TraversalCost cost;
    for (const Ray& ray : rays_for(mesh, 4000, 73)) {
        const Hit expected = closest_hit(m.bvh.view(), ray, RefuseOddOnes{}, cost);
        ASSERT_TRUE(same_bits(wide_hit<NearestQuery>(m.view(), ray, RefuseOddOnes{}, cost), expected));
        const Hit any = wide_hit<AnyQuery>(m.view(), ray, RefuseOddOnes{}, cost);
        ASSERT_EQ(any.prim_id != invalid_id, expected.prim_id != invalid_id);
        ASSERT_TRUE(any.prim_id == invalid_id || any.prim_id % 2 == 0 || any.prim_id % 3 == 0);
    }
    EXPECT_GT(cost.alpha_tests, 2000u);
}

TEST(WideHit, misses_for_rays_that_are_none) {
    const WideMesh m(octasphere(2));
    const float nan = std::nanf("");
    for (const Ray& ray :
         {make_ray(Vec3(nan), Vec3(1.0f)), make_ray(Vec3(0.0f), Vec3(0.0f)), make_ray(Vec3(0.0f), Vec3(infinity)),
          make_ray(Vec3(0.0f), Vec3(1.0f), 2.0f, 1.0f), make_ray(Vec3(0.0f), Vec3(1.0f), 0.0f, nan)}) {
        TraversalCost cost;
        EXPECT_EQ(wide_hit<NearestQuery>(m.view(), ray, AcceptAll{}, cost).prim_id, invalid_id);
        EXPECT_EQ(wide_hit<AnyQuery>(m.view(), ray, AcceptAll{}, cost).prim_id, invalid_id);
    }
}

/// A closed sphere seen through its edges and vertices from inside: rounding must not open a crack between two leaves.
TEST(WideHit, finds_no_crack_along_shared_edges) {
    const WideMesh m(octasphere(3));
    Random random(74);
    TraversalCost cost;
    for (const Triangle& triangle : m.mesh.triangles) {
        for (int k = 0; k < 3; ++k) {
            const Vec3 a = m.mesh.positions[triangle.vertex[k]], b = m.mesh.positions[triangle.vertex[(k + 1) % 3]];
            const Vec3 origin = random.point() * 0.3f;
            for (const Vec3 target : {a, (a + b) * 0.5f, a + (b - a) * random.uniform()})
                ASSERT_NE(
                    wide_hit<NearestQuery>(m.view(), make_ray(origin, target - origin), AcceptAll{}, cost).prim_id,
                    invalid_id);
        }
    }
}

TEST(WideCursor, runs_a_ray_of_either_kind_to_its_end_in_one_step) {
    const WideMesh m(random_soup(2000, 0.2f, 75));
    WideTraversal::Stack stack;
    WideTraversal::Cursor<EitherQuery> cursor(stack);
    EXPECT_TRUE(cursor.done()) << "before it has begun";
    uint32_t i = 0;
    for (const Ray& ray : rays_for(m.mesh, 500, 76)) {
        const bool any = i++ % 2 == 1;
        TraversalCost cost, expected_cost;
        cursor.begin(m.view(), ray);
        cursor.step(m.view(), AcceptAll{}, cost, EitherQuery{any});
        ASSERT_TRUE(cursor.done());
        const Hit expected = any ? wide_hit<AnyQuery>(m.view(), ray, AcceptAll{}, expected_cost)
                                 : wide_hit<NearestQuery>(m.view(), ray, AcceptAll{}, expected_cost);
        ASSERT_TRUE(same_bits(cursor.result(), expected));
        ASSERT_EQ(cursor.found(), expected.prim_id != invalid_id);
        cursor.step(m.view(), AcceptAll{}, cost, EitherQuery{any});
        ASSERT_EQ(cost.node_steps, expected_cost.node_steps) << "a step after the end does nothing";
        ASSERT_EQ(cost.node_group_steps, cost.node_steps);
        ASSERT_EQ(cost.triangle_group_tests, cost.triangle_tests);
    }
}

}  // namespace
}  // namespace warpath::testing
