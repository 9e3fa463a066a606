#include "bvh/builders/reinsertion.h"

#include <gtest/gtest.h>

#include <functional>

#include "bvh/builders/linked_tree.h"
#include "bvh/builders/object_split.h"
#include "meshes.h"

namespace warpath::testing {
namespace {

/// A tree as it is before it is optimised, with what it was made from.
struct TreeCase {
    TestMesh mesh;
    SparseTree tree;

    TreeCase(TestMesh m, bool spatial) : mesh(std::move(m)) {
        BvhOptions options;
        options.single_leaves = true, options.spatial_splits = spatial;
        const BuildMesh build_mesh{mesh.triangle_view(), mesh.position_view()};
        std::vector<BuildReference> references(mesh.size());
        BuildRange range;
        for (uint32_t i = 0; i < mesh.size(); ++i) {
            const Bounds b = build_mesh.padded_bounds(i);
            references[i].set_box({_mm_setr_ps(b.lo.x, b.lo.y, b.lo.z, 1), _mm_setr_ps(b.hi.x, b.hi.y, b.hi.z, 1)}, i);
            range.add(references[i]);
        }
        range.references = references.data();
        tree = build_tree(build_mesh, range, options);
    }
};

/// Every link's box fits what is below it, parents and heights are right, and every leaf is there once.
void expect_linked(const SparseTree& tree, const LinkedTree& linked, uint32_t num_leaves) {
    uint32_t leaves = 0, nodes = 0;
    const std::function<uint32_t(uint32_t, uint32_t)> check = [&](uint32_t index, uint32_t depth) -> uint32_t {
        ++nodes;
        EXPECT_LE(depth, max_bvh_depth);
        uint32_t height = 0;
        for (uint32_t link = 2 * index; link < 2 * index + 2; ++link) {
            if (is_leaf(linked.child(link))) {
                ++leaves;
                continue;
            }
            const uint32_t below = static_cast<uint32_t>(linked.child(link));
            EXPECT_EQ(linked.parent_link(below), link);
            BuildBox fitting = linked.box(2 * below);
            fitting.grow(linked.box(2 * below + 1));
            const Bounds a = fitting.bounds(), b = linked.box(link).bounds();
            EXPECT_TRUE(a.lo == b.lo && a.hi == b.hi);
            height = std::max(height, check(below, depth + 1));
        }
        EXPECT_EQ(tree.nodes[index].pad_[1], height + 1);
        return height + 1;
    };
    check(0, 1);
    EXPECT_EQ(leaves, num_leaves);
    EXPECT_EQ(nodes, linked.num_nodes());
}

TEST(LinkedTree, keeps_its_invariants_and_its_word_under_any_moves) {
    for (const bool spatial : {false, true}) {
        TreeCase c(random_soup(300, 0.5f, 70), spatial);
        const uint32_t num_leaves = c.tree.nodes[0].pad_[1];
        LinkedTree linked(c.tree);
        expect_linked(c.tree, linked, num_leaves);
        Random random(71);
        uint32_t num_moves = 0;
        double cost = linked.cost();
        for (int i = 0; i < 20000; ++i) {
            const uint32_t link = 2 * linked.node_index(random.below(linked.num_nodes())) + random.below(2);
            const uint32_t target = 2 * linked.node_index(random.below(linked.num_nodes())) + random.below(2);
            const double gain = linked.move(link, target);
            ASSERT_GE(gain, 0.0);
            ASSERT_NEAR(linked.cost(), cost - gain, 1e-5 * cost);
            cost = linked.cost();
            num_moves += gain > 0.0;
            if (i % 1000 == 0) expect_linked(c.tree, linked, num_leaves);
        }
        expect_linked(c.tree, linked, num_leaves);
        EXPECT_GT(num_moves, 20u);
    }
}

/// Of a tree as `reinsert` leaves it.
double cost_below(const SparseTree& tree, uint32_t index) {
    const BvhNode& n = tree.nodes[index];
    double cost = 0.0;
    for (int i = 0; i < 2; ++i) {
        if (is_leaf(n.child[i])) continue;
        cost += double(Bounds{{n.lo_x[i], n.lo_y[i], n.lo_z[i]}, {n.hi_x[i], n.hi_y[i], n.hi_z[i]}}.half_area());
        cost += cost_below(tree, static_cast<uint32_t>(n.child[i]));
    }
    return cost;
}

TEST(Reinsertion, lowers_the_cost_and_raises_it_in_no_round) {
    const TestMesh meshes[] = {random_soup(3000, 0.05f, 72), random_soup(1000, 1.0f, 73), octasphere(4),
                               lattice_soup(1000, 4, 74)};
    for (const TestMesh& mesh : meshes) {
        for (const bool spatial : {false, true}) {
            double first = 0.0, last = infinity;
            for (const uint32_t rounds : {0u, 1u, 2u, 6u}) {
                TreeCase c(mesh, spatial);
                BvhOptions options;
                options.reinsertion_rounds = rounds, options.reinsertion_links = 1u << 30;
                reinsert(c.tree, options);
                const double cost = cost_below(c.tree, 0);
                EXPECT_LE(cost, last * (1.0 + 1e-9)) << rounds;
                last = cost;
                if (rounds == 0) first = cost;
            }
            EXPECT_LT(last, first);
        }
    }
}

/// A chain as deep as a tree may be: nothing may be hung below its end.
TEST(Reinsertion, keeps_within_the_depth_that_rays_have_room_for) {
    TestMesh mesh;
    for (int k = 0; k < 4000; ++k) {
        const float x = std::pow(1.02f, float(k) - 2000.0f);
        mesh.add({x, 0, 0}, {x, x * 1e-3f, 0}, {x, 0, x * 1e-3f});
    }
    TreeCase c(mesh, false);
    EXPECT_GT(LinkedTree(c.tree).num_nodes(), 0u);
    TreeCase moved(mesh, false);
    BvhOptions options;
    options.reinsertion_rounds = 10, options.reinsertion_links = 1u << 30;
    reinsert(moved.tree, options);
    EXPECT_GE(c.tree.nodes[0].pad_[1], max_bvh_depth / 2) << "the mesh makes no deep tree";
    EXPECT_LE(moved.tree.nodes[0].pad_[1], max_bvh_depth);
}

}  // namespace
}  // namespace warpath::testing
