#include "bvh/build.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "bvh/node.h"
#include "meshes.h"
#include "warpath/error.h"

namespace warpath::testing {
namespace {

Bounds child_box(const BvhNode& n, int i) {
    return {{n.lo_x[i], n.lo_y[i], n.lo_z[i]}, {n.hi_x[i], n.hi_y[i], n.hi_z[i]}};
}

/// In double precision, which tells the smallest boxes apart.
double half_area(const BvhNode& n, int i) {
    const glm::dvec3 e = glm::dvec3(child_box(n, i).hi) - glm::dvec3(child_box(n, i).lo);
    return e.x * e.y + e.y * e.z + e.z * e.x;
}

bool contains(const Bounds& outer, const Bounds& inner) {
    return glm::all(glm::lessThanEqual(outer.lo, inner.lo)) && glm::all(glm::greaterThanEqual(outer.hi, inner.hi));
}

/// Walks a tree and checks what every tree must keep. `whole_triangles`: no spatial splits, so leaves contain them.
class TreeChecker {
  public:
    TreeChecker(const TestMesh& mesh, const Bvh& bvh, bool whole_triangles)
        : mesh_(mesh), bvh_(bvh), whole_(whole_triangles), uses_(mesh.size(), 0) {}

    void run() {
        ASSERT_FALSE(bvh_.columns.nodes.empty());
        visit(0, {Vec3(-infinity), Vec3(infinity)}, 0);
        EXPECT_EQ(next_node_, bvh_.columns.nodes.size());
        EXPECT_EQ(next_reference_, bvh_.columns.triangles.size());
        for (uint32_t uses : uses_) ASSERT_GE(uses, 1u) << "a triangle is in no leaf";
        if (whole_) {
            EXPECT_EQ(bvh_.columns.triangles.size(), mesh_.size());
        }
        EXPECT_EQ(bvh_.statistics.max_depth, depth_);
        EXPECT_EQ(bvh_.statistics.num_leaves, num_leaves_);
        EXPECT_LE(depth_, max_bvh_depth);
    }

  private:
    void visit(uint32_t index, const Bounds& parent, uint32_t depth) {
        ASSERT_EQ(index, next_node_++) << "nodes are not depth first, the larger child first";
        const BvhNode& node = bvh_.columns.nodes[index];
        const bool one_child = node.child[0] == node.child[1];
        const int larger = !one_child && half_area(node, 1) > half_area(node, 0);
        for (const int i : {larger, 1 - larger}) {
            if (one_child && i == 1) continue;
            const Bounds box = child_box(node, i);
            ASSERT_TRUE(contains(parent, box));
            if (!is_leaf(node.child[i])) {
                visit(static_cast<uint32_t>(node.child[i]), box, depth + 1);
                continue;
            }
            ++num_leaves_;
            depth_ = std::max(depth_, depth + 1);
            const LeafRange leaf = decode_leaf(node.child[i]);
            ASSERT_EQ(leaf.first, next_reference_);
            for (uint32_t k = 0; k < leaf.count; ++k) visit_triangle(bvh_.columns.triangles[next_reference_++], box);
        }
        if (one_child) {
            EXPECT_TRUE(child_box(node, 1).empty());
        }
    }

    void visit_triangle(const BvhTriangle& triangle, const Bounds& box) {
        ASSERT_LT(triangle.prim_id(), mesh_.size());
        ++uses_[triangle.prim_id()];
        Bounds b;
        for (int v = 0; v < 3; ++v) {
            ASSERT_EQ(triangle.vertex(v), mesh_.vertex(triangle.prim_id(), v));
            b.grow(triangle.vertex(v));
        }
        EXPECT_EQ(triangle.flags(), mesh_.triangles[triangle.prim_id()].flags);
        if (whole_) {
            EXPECT_TRUE(contains(box, b));
        }
    }

    const TestMesh& mesh_;
    const Bvh& bvh_;
    bool whole_;
    std::vector<uint32_t> uses_;
    uint32_t next_node_ = 0, next_reference_ = 0, depth_ = 0;
    uint64_t num_leaves_ = 0;
};

void expect_sound(const TestMesh& mesh, const char* what) {
    SCOPED_TRACE(what);
    BvhOptions moved;
    moved.reinsertion_rounds = 5, moved.reinsertion_links = 1000;
    for (const BvhOptions& options :
         {bvh_preset(BvhPreset::Fast), bvh_preset(BvhPreset::Balanced), bvh_preset(BvhPreset::Best), moved}) {
        const Bvh bvh = mesh.build(options);
        TreeChecker(mesh, bvh, !options.spatial_splits).run();
        const double most = mesh.size() * (1.0 + (options.spatial_splits ? double(options.max_reference_growth) : 0.0));
        EXPECT_LE(double(bvh.columns.triangles.size()), most);
    }
}

template <class T>
bool same_bytes(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

TestMesh copies(uint32_t count) {
    TestMesh m;
    for (uint32_t i = 0; i < count; ++i) m.add({0, 0, 0}, {1, 0, 0}, {0, 1, 0});
    return m;
}

TEST(Build, keeps_every_triangle_inside_the_boxes_above_it) {
    expect_sound(random_soup(1, 0.5f, 1), "one");
    expect_sound(random_soup(2, 0.5f, 2), "two");
    expect_sound(random_soup(9, 0.5f, 3), "more than a leaf");
    expect_sound(random_soup(5000, 0.05f, 4), "small triangles");
    expect_sound(random_soup(3000, 2.0f, 5), "large triangles");
    expect_sound(octasphere(5), "sphere");
}

TEST(Build, survives_degenerate_input) {
    expect_sound(copies(1000), "a thousand copies");
    expect_sound(flat_grid(20, 0), "all in one plane");
    expect_sound(lattice_soup(2000, 3, 6), "equal centres and zero areas");
    expect_sound(random_soup(500, 0.1f, 7).transformed(1e18f, Vec3(0.0f)), "coordinates up to 1e18");
    expect_sound(random_soup(500, 0.1f, 8).transformed(1e-30f, Vec3(0.0f)), "coordinates below 1e-30");
    expect_sound(random_soup(500, 0.1f, 9).transformed(1.0f, Vec3(1e7f)), "all equal but for rounding");
    TestMesh crossing;
    for (int i = 0; i < 300; ++i) {
        const float a = float(i) * 0.01f;
        crossing.add({-1, std::sin(a), std::cos(a)}, {1, -std::sin(a), -std::cos(a)}, {1, std::sin(a), std::cos(a)});
    }
    expect_sound(crossing, "crossing planes");
    TestMesh points;
    for (int i = 0; i < 100; ++i) points.add(Vec3(2.0f), Vec3(2.0f), Vec3(2.0f));
    expect_sound(points, "a single point");
}

/// Each triangle is 1e6 times as far out as the one before, so that splits by area peel off one at a time.
TEST(Build, bounds_the_depth_of_geometric_series) {
    TestMesh m;
    for (int k = 0; k < 2000; ++k) {
        const float x = std::pow(1.04f, float(k) - 1000.0f);
        m.add({x, 0, 0}, {x, x * 1e-3f, 0}, {x, 0, x * 1e-3f});
    }
    expect_sound(m, "geometric series");
    TestMesh nested;
    for (int k = 0; k < 120; ++k) {
        const float s = std::pow(2.0f, float(k) * 0.9f - 54.0f);
        for (int i = 0; i < 20; ++i) nested.add(Vec3(-s, -s, 0), Vec3(s, -s, 0), Vec3(0, s, s * float(i) * 0.01f));
    }
    expect_sound(nested, "nested");
}

TEST(Build, makes_the_same_tree_with_any_number_of_threads) {
    const TestMesh mesh = random_soup(100000, 0.03f, 10);
    for (const BvhPreset preset : all_presets) {
        SCOPED_TRACE(name_of(preset));
        BvhOptions options = bvh_preset(preset);
        options.num_threads = 1;
        const Bvh one = mesh.build(options);
        for (const uint32_t threads : {2u, 7u}) {
            options.num_threads = threads;
            const Bvh many = mesh.build(options);
            EXPECT_TRUE(same_bytes(one.columns.nodes, many.columns.nodes)) << threads;
            EXPECT_TRUE(same_bytes(one.columns.triangles, many.columns.triangles)) << threads;
        }
    }
}

TEST(Build, of_nothing_is_empty) {
    const Bvh bvh = TestMesh{}.build();
    EXPECT_TRUE(bvh.columns.nodes.empty());
    EXPECT_TRUE(bvh.columns.triangles.empty());
    EXPECT_EQ(bvh.view().nodes.size, 0u);
}

TEST(Build, of_one_triangle_has_one_real_child) {
    const TestMesh mesh = random_soup(1, 0.5f, 11);
    const Bvh bvh = mesh.build();
    ASSERT_EQ(bvh.columns.nodes.size(), 1u);
    EXPECT_TRUE(is_leaf(bvh.columns.nodes[0].child[0]));
    EXPECT_TRUE(child_box(bvh.columns.nodes[0], 1).empty());
}

TEST(Build, counts_what_it_made) {
    const TestMesh mesh = random_soup(3000, 0.1f, 12);
    const Bvh bvh = mesh.build();
    const BvhStatistics& s = bvh.statistics;
    EXPECT_EQ(s.num_nodes, bvh.columns.nodes.size());
    EXPECT_EQ(s.num_leaves, s.num_nodes + 1);
    EXPECT_EQ(s.num_triangles, mesh.size());
    EXPECT_EQ(s.size_bytes, s.num_nodes * sizeof(BvhNode) + s.num_references * sizeof(BvhTriangle));
    EXPECT_GE(s.peak_build_bytes, s.size_bytes);
    EXPECT_GT(s.sah_cost, 1.0);
    EXPECT_GT(s.build_ms, 0.0);
}

/// Long thin triangles across each other are what spatial splits are for.
TEST(Build, spatial_splits_lower_the_expected_cost) {
    Random random(13);
    TestMesh mesh;
    for (int i = 0; i < 2000; ++i) {
        const Vec3 a = random.point(), b = random.point();
        mesh.add(a, b, b + random.point() * 0.01f);
    }
    BvhOptions options;
    const double plain = mesh.build(options).statistics.sah_cost;
    options.spatial_splits = true;
    options.max_reference_growth = 2.0f;
    const Bvh split = mesh.build(options);
    EXPECT_GT(split.columns.triangles.size(), mesh.size());
    EXPECT_LT(split.statistics.sah_cost, 0.9 * plain);
}

TEST(Build, better_presets_expect_lower_cost) {
    Random random(14);
    TestMesh mesh = random_soup(5000, 0.2f, 15);
    for (int i = 0; i < 500; ++i) mesh.add(random.point(), random.point(), random.point());
    const double fast = mesh.build(BvhPreset::Fast).statistics.sah_cost;
    const double balanced = mesh.build(BvhPreset::Balanced).statistics.sah_cost;
    const double best = mesh.build(BvhPreset::Best).statistics.sah_cost;
    EXPECT_LT(balanced, fast);
    EXPECT_LT(best, balanced);
}

TEST(Build, gives_up_when_told_to) {
    const TestMesh mesh = random_soup(20000, 0.1f, 16);
    const std::atomic<bool> stop{true};
    BvhOptions options = bvh_preset(BvhPreset::Best);
    options.stop = &stop;
    EXPECT_THROW(mesh.build(options), Error);
}

TEST(LeafEncoding, round_trips_at_its_limits) {
    for (const uint32_t count : {1u, max_leaf_size}) {
        for (const uint32_t first : {0u, 1u, 12345u, max_references - max_leaf_size}) {
            const int32_t code = encode_leaf(first, count);
            EXPECT_TRUE(is_leaf(code));
            EXPECT_EQ(decode_leaf(code).first, first);
            EXPECT_EQ(decode_leaf(code).count, count);
        }
    }
}

}  // namespace
}  // namespace warpath::testing
