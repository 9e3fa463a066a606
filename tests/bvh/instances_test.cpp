// Rays through two levels: the upper tree over world triangles and instances, and the trees of the meshes.

#include <gtest/gtest.h>

#include <cstring>

#include "instanced_meshes.h"
#include "reference_hits.h"
#include "warpath/error.h"

namespace warpath::testing {
namespace {

struct Case {
    std::string name;
    InstancedMeshes meshes;
    std::vector<Ray> rays;
};

/// Every transform with several meshes, around triangles of the world.
std::vector<Case> cases() {
    std::vector<Case> all;
    const TestMesh world = random_soup(60, 0.3f, 90);
    for (const NamedTransform& transform : transforms()) {
        Case c{transform.name, InstancedMeshes(world), random_rays(250, 1.2f, Vec3(0.0f), 91)};
        const uint32_t soup = c.meshes.add_mesh(random_soup(200, 0.3f, 92)), sphere = c.meshes.add_mesh(octasphere(2));
        c.meshes.place(soup, transform.to_world);
        c.meshes.place(sphere, transform.to_world * scaled(glm::dvec3(0.4)));
        c.meshes.place(soup, moved({0.5, 0.5, 0}) * transform.to_world);
        all.push_back(std::move(c));
    }
    const auto add_alone = [&](const std::string& name, const TestMesh& mesh, const glm::dmat4& to_world, float scale, Vec3 offset) {
        Case c{name, InstancedMeshes(), random_rays(400, scale, offset, 93)};
        const uint32_t id = c.meshes.add_mesh(mesh);
        c.meshes.place(id, to_world);
        all.push_back(std::move(c));
    };
    const glm::dmat4 turn = turned(25, {3, -1, 2});
    add_alone("far from the origin", random_soup(300, 0.3f, 94), moved(glm::dvec3(5000)) * turn, 1.0f, Vec3(5000));
    add_alone("tiny", random_soup(300, 0.3f, 95), turn * scaled(glm::dvec3(1e-9)), 1e-9f, Vec3(0));
    add_alone("huge", random_soup(300, 0.3f, 96), turn * scaled(glm::dvec3(1e9)), 1e9f, Vec3(0));
    add_alone("flat", flat_grid(8, 2), moved({0, 0, 0.5}), 1.0f, Vec3(0));
    add_alone("flat, turned", flat_grid(8, 1), turn, 1.0f, Vec3(0));
    add_alone("single triangle", random_soup(1, 1.0f, 97), turn, 1.0f, Vec3(0));
    Case far_eyes{"from far away", InstancedMeshes(), {}};
    const uint32_t grid = far_eyes.meshes.add_mesh(flat_grid(4, 2));
    far_eyes.meshes.place(grid, moved({2, 3, 5}) * scaled({0.5, 2, 3}));
    far_eyes.meshes.place(grid, moved({-2, 3, 5}) * turn);
    Random random(98);
    for (int i = 0; i < 400; ++i) {
        const Vec3 target = random.point(-2.5f, 2.5f) * Vec3(1, 1, 0) + Vec3(0, 3, 5), away = random.point() * std::exp2(random.uniform(0, 16));
        far_eyes.rays.push_back(make_ray(target + away, -away));
    }
    all.push_back(std::move(far_eyes));
    return all;
}

template <class F>
void for_each_tree(const F& f) {
    for (const Case& c : cases()) {
        SCOPED_TRACE(c.name);
        for (const BvhPreset preset : all_presets) {
            SCOPED_TRACE(name_of(preset));
            f(c, InstancedTrees(c.meshes, bvh_preset(preset)));
        }
    }
}

TEST(Instances, closest_hit_equals_brute_force_in_double_precision) {
    uint32_t num_hits = 0, num_in_instances = 0;
    for_each_tree([&](const Case& c, const InstancedTrees& trees) {
        for (const Ray& ray : c.rays) {
            const Hit hit = trace(trees.bvh, ray);
            ASSERT_EQ(check_against_all(c.meshes, ray, hit), "");
            if (hit.prim_id == invalid_id) continue;
            ++num_hits, num_in_instances += c.meshes.space_of(hit.prim_id) != nullptr;
        }
    });
    EXPECT_GT(num_in_instances, 3000u);
    EXPECT_GT(num_hits, num_in_instances + 100);
}

TEST(Instances, wide_and_two_child_trees_give_the_same_bits) {
    for_each_tree([](const Case& c, const InstancedTrees& trees) {
        for (const Ray& ray : c.rays) {
            TraversalCost cost;
            const Hit expected = trace(trees.bvh, ray);
            const bool found = expected.prim_id != invalid_id;
            ASSERT_TRUE(same_bits(wide_hit<NearestQuery>(trees.view(), ray, AcceptAll{}, cost), expected));
            ASSERT_TRUE(same_bits((closest_hit<AcceptAll, ScalarTests>(trees.view(), ray, AcceptAll{}, cost)), expected));
            ASSERT_EQ(is_occluded(trees.bvh, ray), found);
            ASSERT_EQ(wide_hit<AnyQuery>(trees.view(), ray, AcceptAll{}, cost).prim_id != invalid_id, found);
            const Hit portable = detail::walk_wide<NearestQuery, PortableWideTests>(trees.view(), ray, AcceptAll{}, cost);
            ASSERT_TRUE(!is_traceable(ray) || same_bits(portable, expected));
        }
    });
}

TEST(Instances, no_ray_slips_through_a_closed_mesh) {
    const TestMesh sphere = octasphere(3);
    Random random(99);
    for (const NamedTransform& transform : transforms())
        for (const glm::dvec3 place : {glm::dvec3(0), glm::dvec3(100, -2000, 30)}) {
            SCOPED_TRACE(transform.name);
            InstancedMeshes meshes;
            const uint32_t id = meshes.add_mesh(sphere);
            const glm::dmat4 to_world = moved(place) * transform.to_world;
            meshes.place(id, to_world);
            const InstancedTrees trees(meshes, {});
            for (int i = 0; i < 1000; ++i) {
                const glm::dvec3 inside = to_world * glm::dvec4(glm::dvec3(random.point()) * 0.3, 1.0);
                // Towards a vertex, the middle of an edge, or anywhere; from inside, and through it from outside.
                const uint32_t prim = random.below(meshes.size());
                glm::dvec3 target = meshes.vertex(prim, 0);
                if (i % 3 == 1) target = 0.5 * (target + meshes.vertex(prim, 1));
                if (i % 3 == 2) target = (target + meshes.vertex(prim, 1) + meshes.vertex(prim, 2)) / 3.0;
                const Ray out = make_ray(Vec3(inside), Vec3(target - inside));
                ASSERT_NE(trace(trees.bvh, out).prim_id, invalid_id);
                const glm::dvec3 outside = inside + (target - inside) * (2.0 + std::exp2(random.uniform(0, 10)));
                ASSERT_NE(trace(trees.bvh, make_ray(Vec3(outside), Vec3(inside - outside))).prim_id, invalid_id);
            }
        }
}

TestMesh cube() {
    TestMesh m;
    for (int i = 0; i < 8; ++i) m.positions.emplace_back(i & 1 ? 1.0f : -1.0f, i & 2 ? 1.0f : -1.0f, i & 4 ? 1.0f : -1.0f);
    for (const auto& [a, b, c, d] : {std::array<uint32_t, 4>{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}}) {
        m.triangles.push_back({{a, b, c}, 0});
        m.triangles.push_back({{a, c, d}, 0});
    }
    return m;
}

glm::dvec3 farthest_corner(const InstancedMeshes& meshes, int axis, double side) {
    glm::dvec3 corner = meshes.vertex(0, 0);
    for (uint32_t prim = 0; prim < meshes.size(); ++prim)
        for (int k = 0; k < 3; ++k)
            if (const glm::dvec3 other = meshes.vertex(prim, k); side * other[axis] > side * corner[axis]) corner = other;
    return corner;
}

/// Rays that pass as close to a corner of the instance's box as rounding lets them: what the mesh's own tree finds in the
/// instance's space must be found through the upper tree too, to the bit.
TEST(Instances, a_ray_that_meets_the_mesh_never_misses_its_box) {
    const TestMesh mesh = cube();  // its corners are its box's, and two of them lie on each side of the placed box
    const Bvh alone = mesh.build();
    Random random(100);
    uint32_t num_hits = 0, num_misses = 0;
    for (const NamedTransform& transform : transforms())
        for (const double away : {0.0, 30.0, 2000.0}) {
            SCOPED_TRACE(transform.name);
            InstancedMeshes meshes;
            const glm::dmat4 to_world = moved(glm::dvec3(random.point()) * away) * transform.to_world;
            meshes.place(meshes.add_mesh(mesh), to_world);
            const InstancedTrees trees(meshes, {});
            const Affine& to_object = meshes.space_of(0)->to_object;
            for (int i = 0; i < 4000; ++i) {
                const int axis = static_cast<int>(random.below(3));
                const glm::dvec3 corner = farthest_corner(meshes, axis, 1.0);
                const glm::dvec3 from = corner + glm::dvec3(random.point()) * double(std::exp2(random.uniform(0, 14)));
                const double largest = std::max({std::abs(from.x), std::abs(from.y), std::abs(from.z), glm::length(corner)});
                const glm::dvec3 target = corner + glm::dvec3(random.point()) * (std::exp2(double(random.uniform(-26, -16))) * largest);
                const Ray ray = make_ray(Vec3(from), Vec3(target - from));
                const Hit expected = trace(alone, make_ray(to_object.point(ray.origin), to_object.vector(ray.dir)));
                ASSERT_TRUE(same_bits(trace(trees.bvh, ray), expected));
                ++(expected.prim_id == invalid_id ? num_misses : num_hits);
            }
        }
    EXPECT_GT(num_hits, 10000u);
    EXPECT_GT(num_misses, 10000u);
}

/// As above, along the sides of the box: rays that nothing but rounding tells from rays that miss it. From nearby and far away they need
/// what is added to their origin's slack, and from the world's origin what is added to the box of an instance far off.
TEST(Instances, a_ray_along_a_side_of_the_box_finds_what_the_mesh_has) {
    const TestMesh mesh = cube();
    const Bvh alone = mesh.build();
    Random random(101);
    uint32_t num_hits = 0, num_misses = 0;
    for (const NamedTransform& transform : transforms())
        for (int along = 0; along < 3; ++along)
            for (const double away : {0.0, 40.0, 3000.0}) {
                SCOPED_TRACE(transform.name);
                InstancedMeshes meshes;
                glm::dvec3 place(0.0);
                place[along] = away;
                meshes.place(meshes.add_mesh(mesh), moved(place) * transform.to_world);
                const InstancedTrees trees(meshes, {});
                const Affine& to_object = meshes.space_of(0)->to_object;
                for (int i = 0; i < 4000; ++i) {
                    const int axis = (along + 1 + static_cast<int>(random.below(2))) % 3;
                    const double side = i % 2 ? 1.0 : -1.0;
                    const glm::dvec3 corner = farthest_corner(meshes, axis, side);
                    glm::dvec3 from = glm::dvec3(random.point());
                    if (away == 0.0) from = corner + from * double(std::exp2(random.uniform(0, 12)));
                    const double largest = std::max(glm::length(from), glm::length(corner));
                    from[axis] = corner[axis] + double(random.uniform(-1, 1)) * std::exp2(double(random.uniform(-26, -18))) * largest;
                    Ray ray = make_ray(Vec3(from), Vec3(corner + glm::dvec3(random.point()) * (1e-6 * largest) - from));
                    ray.dir[axis] = 0.0f;
                    const Hit expected = trace(alone, make_ray(to_object.point(ray.origin), to_object.vector(ray.dir)));
                    ASSERT_TRUE(same_bits(trace(trees.bvh, ray), expected));
                    ++(expected.prim_id == invalid_id ? num_misses : num_hits);
                }
            }
    EXPECT_GT(num_hits, 20000u);
    EXPECT_GT(num_misses, 20000u);
}

TEST(Instances, alpha_is_asked_with_ids_of_their_own) {
    TestMesh mesh;
    mesh.add({-1, -1, 0}, {3, -1, 0}, {-1, 3, 0}, triangle_has_alpha);
    InstancedMeshes meshes(mesh);
    const uint32_t id = meshes.add_mesh(mesh);
    for (const double z : {1.0, 2.0, 3.0}) meshes.place(id, moved({0, 0, z}));
    const InstancedTrees trees(meshes, {});
    for (uint32_t visible = 0; visible < 4; ++visible) {
        const auto accept = [&](uint32_t prim_id, float, float) { return prim_id == visible; };
        const Ray ray = make_ray({0, 0, -1}, {0, 0, 1});
        TraversalCost cost;
        EXPECT_EQ(closest_hit(trees.view(), ray, accept, cost).prim_id, visible);
        EXPECT_EQ(wide_hit<NearestQuery>(trees.view(), ray, accept, cost).prim_id, visible);
        EXPECT_TRUE(any_hit(trees.view(), ray, accept, cost));
        EXPECT_FLOAT_EQ(closest_hit(trees.view(), ray, accept, cost).t, 1.0f + static_cast<float>(visible));
    }
}

TEST(Instances, a_ray_may_move_to_another_stack_wherever_it_is) {
    const Case c = cases()[3];
    const InstancedTrees trees(c.meshes, {});
    for (const Ray& ray : c.rays) {
        TraversalCost cost;
        TraversalStack stacks[2];
        RayCursor<NearestQuery> cursor(stacks[0]);
        cursor.begin(trees.view(), ray);
        for (int i = 1; !cursor.done(); ++i) {
            cursor.step(trees.view(), AcceptAll{}, cost);
            cursor.move_to(stacks[i % 2]);
            std::memset(&stacks[(i + 1) % 2], 0xff, sizeof(TraversalStack));
        }
        ASSERT_TRUE(same_bits(cursor.result(), trace(trees.bvh, ray)));
    }
}

TEST(Instances, rays_that_a_transform_makes_too_short_miss_and_end) {
    InstancedMeshes meshes;
    const uint32_t id = meshes.add_mesh(octasphere(1));
    meshes.place(id, scaled(glm::dvec3(1e9)));
    const InstancedTrees trees(meshes, {});
    TraversalCost cost;
    const Ray ray = make_ray({0, 0, 0}, {0, 0, 0x1p-120f});
    EXPECT_EQ(trace(trees.bvh, ray).prim_id, invalid_id);
    EXPECT_EQ(wide_hit<NearestQuery>(trees.view(), ray, AcceptAll{}, cost).prim_id, invalid_id);
}

/// What is wrong with the shape of a two-level tree; empty if nothing is.
std::string structure_fault(const Bvh& bvh, uint32_t num_instances) {
    std::vector<uint32_t> seen(num_instances, 0);
    const uint32_t num_triangles = static_cast<uint32_t>(bvh.columns.triangles.size());
    std::string fault;
    const auto walk = [&](auto& self, uint32_t node, uint32_t depth, bool is_top) -> void {
        if (depth > (is_top ? max_top_depth : max_mesh_depth)) fault = "too deep";
        const BvhNode& n = bvh.columns.nodes[node];
        for (int i = 0; i < (n.child[0] == n.child[1] ? 1 : 2); ++i) {
            if (!is_leaf(n.child[i])) {
                self(self, static_cast<uint32_t>(n.child[i]), depth + 1, is_top);
                continue;
            }
            const LeafRange leaf = decode_leaf(n.child[i]);
            if (leaf.first < num_triangles && leaf.first + leaf.count > num_triangles) fault = "a leaf of both kinds";
            if (leaf.first < num_triangles) continue;
            if (!is_top || leaf.count != 1) fault = "an instance that is not alone, or in a mesh";
            if (leaf.first - num_triangles >= num_instances) return void(fault = "no such instance");
            ++seen[leaf.first - num_triangles];
        }
    };
    walk(walk, 0, 1, true);
    for (const uint32_t root : bvh.mesh_roots) walk(walk, root, 1, false);
    for (const uint32_t times : seen)
        if (times != 1) fault = "an instance is there " + std::to_string(times) + " times";
    return fault;
}

InstancedMeshes many(uint32_t count) {
    InstancedMeshes meshes(random_soup(300, 2.0f, 70));
    const uint32_t ids[] = {meshes.add_mesh(octasphere(1)), meshes.add_mesh(random_soup(100, 0.5f, 71))};
    Random random(72);
    for (uint32_t i = 0; i < count; ++i)
        meshes.place(ids[i % 2], moved(glm::dvec3(random.point(-3, 3))) * turned(random.uniform(0, 360), {0, 1, 0}) * scaled(glm::dvec3(random.uniform(0.05f, 0.6f))));
    return meshes;
}

TEST(InstancedTree, holds_every_instance_once_and_keeps_its_depths) {
    const InstancedMeshes meshes = many(3000);
    for (const BvhPreset preset : all_presets) EXPECT_EQ(structure_fault(build_bvh(meshes.geometry(), bvh_preset(preset)), 3000), "") << name_of(preset);
    // All in one place: only halving makes a tree of that.
    InstancedMeshes heap;
    const uint32_t id = heap.add_mesh(octasphere(0));
    for (int i = 0; i < 2000; ++i) heap.place(id, glm::dmat4(1.0));
    for (const BvhPreset preset : all_presets) EXPECT_EQ(structure_fault(build_bvh(heap.geometry(), bvh_preset(preset)), 2000), "") << name_of(preset);
}

/// What is wrong with the leaves of wide trees; empty if nothing is.
std::string leaves_fault(const WideBvh& wide, const Bvh& bvh, uint32_t num_instances) {
    const uint32_t num_packets = static_cast<uint32_t>(wide.packets.size()), num_triangles = bvh.view().triangles.size;
    std::vector<uint32_t> packets(num_packets, 0), instances(num_instances, 0);
    uint32_t num_nodes = 0, num_references = 0;
    std::string fault;
    const auto walk = [&](auto& self, uint32_t index, uint32_t first_id, uint32_t end_id, bool is_top) -> void {
        const WideNode& node = wide.nodes.at(index);
        ++num_nodes;
        for (uint32_t i = 0; i < wide_width; ++i) {
            const bool is_used = node.planes[0][i] <= node.planes[1][i];
            if (!is_leaf(node.child[i])) {
                self(self, static_cast<uint32_t>(node.child[i]), first_id, end_id, is_top);
                continue;
            }
            const LeafRange leaf = decode_leaf(node.child[i]);
            const bool is_instance = leaf.first >= num_triangles;
            std::vector<uint32_t>& seen = is_instance ? instances : packets;
            const uint32_t place = is_instance ? leaf.first - num_triangles : leaf.first;
            if (place >= seen.size()) return void(fault = "a leaf that is not there");
            seen[place] += is_used;
            if (is_instance) {
                if (!is_top || leaf.count != 1) fault = "an instance that is not alone, or in a mesh";
                continue;
            }
            num_references += is_used ? leaf.count : 0;
            for (uint32_t k = 0; k < packet_width; ++k)
                if (const uint32_t id = wide.packets[leaf.first].prim_id(k); id < first_id || id >= end_id) fault = "another mesh's triangle";
        }
    };
    walk(walk, 0, 0, 300, true);
    const uint32_t num_of_sphere = static_cast<uint32_t>(octasphere(1).size());
    walk(walk, wide.mesh_roots.at(0), 300, 300 + num_of_sphere, false);
    walk(walk, wide.mesh_roots.at(1), 300 + num_of_sphere, 400 + num_of_sphere, false);
    for (const auto& seen : {packets, instances})
        for (const uint32_t times : seen)
            if (times != 1) fault = "a leaf is there " + std::to_string(times) + " times";
    if (num_nodes != wide.nodes.size() || num_references != bvh.columns.triangles.size()) fault = "nodes or triangles left over";
    return fault;
}

TEST(InstancedTree, names_packets_and_instances_once_in_its_wide_form) {
    const InstancedMeshes meshes = many(1000);
    for (const BvhPreset preset : all_presets) {
        const Bvh bvh = build_bvh(meshes.geometry(), bvh_preset(preset));
        EXPECT_EQ(leaves_fault(collapse(bvh.view()), bvh, 1000), "") << name_of(preset);
    }
}

TEST(InstancedTree, is_the_same_for_any_number_of_threads) {
    const InstancedMeshes meshes = many(2500);
    for (const BvhPreset preset : all_presets) {
        BvhOptions options = bvh_preset(preset);
        options.num_threads = 1;
        const Bvh one = build_bvh(meshes.geometry(), options);
        options.num_threads = 5;
        const Bvh five = build_bvh(meshes.geometry(), options);
        const auto expect_same = [](const char* name, const auto& a, const auto& b) {
            ASSERT_EQ(a.size(), b.size());
            EXPECT_EQ(std::memcmp(a.data(), b.data(), a.size() * sizeof(a[0])), 0) << name;
        };
        BvhColumns<HostColumn>::for_each_column(expect_same, one.columns, five.columns);
        EXPECT_EQ(one.mesh_roots, five.mesh_roots);
        const WideBvh a = collapse(one.view(), 1), b = collapse(five.view(), 5);
        expect_same("wide", a.nodes, b.nodes);
        expect_same("packets", a.packets, b.packets);
        EXPECT_EQ(a.mesh_roots, b.mesh_roots);
    }
}

TEST(InstancedTree, refuses_what_no_leaf_could_name) {
    BvhGeometry geometry = many(1).geometry();
    geometry.instances.size = max_references;
    try {
        build_bvh(geometry);
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::BadInput);
        EXPECT_NE(std::string(error.what()).find("triangles and instances"), std::string::npos);
    }
}

}  // namespace
}  // namespace warpath::testing
