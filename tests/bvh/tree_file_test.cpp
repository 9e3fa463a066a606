#include "bvh/tree_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>

#include "bvh/builders/instance_boxes.h"
#include "instanced_meshes.h"
#include "support/temporary_folder.h"

namespace warpath::testing {
namespace {

using test::TemporaryFolder;

const BvhOptions options = bvh_preset(BvhPreset::Balanced);

struct Kept {
    TestMesh mesh = random_soup(500, 0.3f, 80);
    Bvh bvh = mesh.build(options);
    Hash128 key = tree_key({mesh.triangle_view(), mesh.position_view()}, options);

    std::string bytes() const {
        TreeFileHeader header;
        std::string all;
        for (const std::string_view part : tree_file_parts(bvh, key, header)) all += part;
        return all;
    }
    /// What the reader says of a file with these bytes.
    std::string read(const std::string& bytes, Bvh& into) const {
        const TemporaryFolder folder;
        const int file = open(folder.write("tree", bytes).c_str(), O_RDONLY);
        std::string wrong = read_tree_file(file, key, into);
        close(file);
        return wrong;
    }
};

template <class T>
bool same_bytes(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

TEST(TreeFile, gives_back_what_was_written) {
    const Kept kept;
    Bvh read;
    ASSERT_EQ(kept.read(kept.bytes(), read), "");
    EXPECT_TRUE(same_bytes(read.columns.nodes, kept.bvh.columns.nodes));
    EXPECT_TRUE(same_bytes(read.columns.triangles, kept.bvh.columns.triangles));
    const BvhStatistics &a = read.statistics, &b = kept.bvh.statistics;
    EXPECT_EQ(a.num_nodes, b.num_nodes);
    EXPECT_EQ(a.num_leaves, b.num_leaves);
    EXPECT_EQ(a.num_references, b.num_references);
    EXPECT_EQ(a.num_triangles, b.num_triangles);
    EXPECT_EQ(a.max_depth, b.max_depth);
    EXPECT_EQ(a.sah_cost, b.sah_cost);
    EXPECT_EQ(a.size_bytes, b.size_bytes);
}

TEST(TreeFile, notices_any_damaged_byte) {
    const Kept kept;
    const std::string good = kept.bytes();
    Bvh read;
    for (size_t i = 0; i < good.size(); i += i < 200 ? 1 : 97) {
        std::string bad = good;
        bad[i] = static_cast<char>(bad[i] ^ (1 << i % 8));
        ASSERT_NE(kept.read(bad, read), "") << "byte " << i;
    }
    EXPECT_TRUE(read.columns.nodes.empty()) << "a damaged tree was handed out";
}

TEST(TreeFile, notices_any_missing_or_added_byte) {
    const Kept kept;
    const std::string good = kept.bytes();
    Bvh read;
    for (const size_t size : {size_t(0), size_t(1), size_t(159), size_t(160), good.size() / 2, good.size() - 1})
        EXPECT_NE(kept.read(good.substr(0, size), read).find("truncated"), std::string::npos) << size;
    EXPECT_NE(kept.read(good + "x", read), "");
}

TEST(TreeFile, tells_other_versions_and_other_files_apart) {
    const Kept kept;
    Bvh read;
    std::string other = kept.bytes();
    const uint32_t version = tree_file_version + 1;
    std::memcpy(&other[offsetof(TreeFileHeader, version)], &version, sizeof(version));
    EXPECT_NE(kept.read(other, read).find("is of version " + std::to_string(version)), std::string::npos);
    EXPECT_NE(kept.read(std::string(1000, 'x'), read).find("no BVH"), std::string::npos);
    Kept different;
    different.key.word[1] ^= 1;
    EXPECT_NE(kept.read(different.bytes(), read).find("another scene"), std::string::npos);
}

/// Hashes that fit do not make a walk end: the reader looks for itself.
TEST(TreeFile, hands_out_no_tree_that_a_ray_could_leave) {
    const auto spoilt = [](const auto& spoil) {
        Kept kept;
        spoil(kept.bvh.columns);
        Bvh read;
        return kept.read(kept.bytes(), read);
    };
    EXPECT_EQ(spoilt([](auto&) {}), "");
    EXPECT_EQ(spoilt([](auto& c) { c.nodes.back().child[0] = 0; }), "is damaged");
    EXPECT_EQ(spoilt([](auto& c) { c.nodes[0].child[0] = static_cast<int32_t>(c.nodes.size()); }), "is damaged");
    EXPECT_EQ(
        spoilt([](auto& c) { c.nodes.back().child[1] = encode_leaf(static_cast<uint32_t>(c.triangles.size()), 1); }),
        "is damaged");
    EXPECT_EQ(spoilt([](auto& c) { c.triangles[7].axis[0].word = 500; }), "is damaged");
}

/// A tree over instances, kept as a file.
struct KeptInstances {
    InstancedMeshes meshes{random_soup(100, 0.5f, 82)};
    Bvh bvh;
    Hash128 key{};

    KeptInstances() {
        const uint32_t soup = meshes.add_mesh(random_soup(50, 0.5f, 83)), sphere = meshes.add_mesh(octasphere(1));
        for (int i = 0; i < 20; ++i) meshes.place(i % 2 ? soup : sphere, moved({2.0 * i, 0, 0}) * turned(10 * i, {0, 1, 0}));
        bvh = build_bvh(meshes.geometry(), options);
        key = tree_key(meshes.geometry(), options);
    }
    std::string read(Bvh& into) const {
        TreeFileHeader header;
        std::string bytes;
        for (const std::string_view part : tree_file_parts(bvh, key, header)) bytes += part;
        const TemporaryFolder folder;
        const int file = open(folder.write("tree", bytes).c_str(), O_RDONLY);
        std::string wrong = read_tree_file(file, key, into);
        close(file);
        return wrong;
    }
};

TEST(TreeFile, gives_back_the_trees_of_instances) {
    const KeptInstances kept;
    Bvh read;
    ASSERT_EQ(kept.read(read), "");
    EXPECT_TRUE(is_tree_of(read, kept.meshes.geometry()));
    enter_instances(kept.meshes.geometry(), read);
    EXPECT_TRUE(same_bytes(read.columns.nodes, kept.bvh.columns.nodes));
    EXPECT_TRUE(same_bytes(read.columns.triangles, kept.bvh.columns.triangles));
    EXPECT_TRUE(same_bytes(read.columns.instances, kept.bvh.columns.instances));
    EXPECT_EQ(read.mesh_roots, kept.bvh.mesh_roots);
    EXPECT_EQ(read.origin_slack, kept.bvh.origin_slack);
    EXPECT_EQ(read.statistics.size_bytes, kept.bvh.statistics.size_bytes);
}

TEST(TreeFile, hands_out_no_trees_of_instances_that_a_ray_could_leave) {
    const auto spoilt = [](const auto& spoil) {
        KeptInstances kept;
        spoil(kept.bvh);
        Bvh read;
        const std::string wrong = kept.read(read);
        return !wrong.empty() ? wrong : is_tree_of(read, kept.meshes.geometry()) ? "" : "of another scene";
    };
    const auto instance = [](const Bvh& bvh, uint32_t i) { return encode_leaf(static_cast<uint32_t>(bvh.columns.triangles.size()) + i, 1); };
    EXPECT_EQ(spoilt([](Bvh&) {}), "");
    EXPECT_EQ(spoilt([&](Bvh& b) { b.columns.nodes[0].child[0] = instance(b, 20); }), "is damaged") << "no such instance";
    EXPECT_EQ(spoilt([&](Bvh& b) { b.columns.nodes.back().child[0] = instance(b, 0); }), "is damaged") << "an instance in a mesh";
    EXPECT_EQ(spoilt([](Bvh& b) { b.columns.nodes[b.mesh_roots[1]].child[0] = static_cast<int32_t>(b.mesh_roots[0] + 1); }), "is damaged");
    EXPECT_EQ(spoilt([](Bvh& b) { b.columns.nodes[0].child[0] = static_cast<int32_t>(b.mesh_roots[0]); }), "is damaged") << "a mesh in the world";
    EXPECT_EQ(spoilt([](Bvh& b) { b.mesh_roots[1] = static_cast<uint32_t>(b.columns.nodes.size()); }), "is damaged");
    EXPECT_EQ(spoilt([](Bvh& b) { std::swap(b.mesh_roots[0], b.mesh_roots[1]); }), "is damaged");
    EXPECT_EQ(spoilt([](Bvh& b) { b.mesh_roots.pop_back(); }), "of another scene");
    EXPECT_EQ(spoilt([](Bvh& b) { b.columns.triangles.back().axis[0].word = 3; }), "of another scene");
    EXPECT_EQ(spoilt([](Bvh& b) { b.columns.instances.pop_back(); }), "is damaged");
}

TEST(TreeKey, follows_instances) {
    KeptInstances kept, other;
    EXPECT_EQ(kept.key, other.key);
    other.meshes.place(0, moved({9, 9, 9}));
    EXPECT_NE(kept.key, tree_key(other.meshes.geometry(), options));
}

TEST(TreeKey, follows_geometry_and_options_and_nothing_else) {
    TestMesh mesh = random_soup(20000, 0.3f, 81);
    const auto key = [&](const BvhOptions& o) { return tree_key({mesh.triangle_view(), mesh.position_view()}, o); };
    const Hash128 first = key(options);
    BvhOptions other = options;
    other.num_threads = 3;
    EXPECT_EQ(key(other), first);
    mesh.triangles[19999].material_id = 5;
    EXPECT_EQ(key(options), first);
    other.triangle_cost = 1.0f;
    EXPECT_NE(key(other), first);
    for (const BvhPreset preset : {BvhPreset::Fast, BvhPreset::Best}) EXPECT_NE(key(bvh_preset(preset)), first);
    mesh.triangles[19999].flags ^= triangle_has_alpha;
    EXPECT_NE(key(options), first);
    mesh.triangles[19999].flags ^= triangle_has_alpha;
    std::swap(mesh.triangles[3].vertex[0], mesh.triangles[3].vertex[1]);
    EXPECT_NE(key(options), first);
    std::swap(mesh.triangles[3].vertex[0], mesh.triangles[3].vertex[1]);
    EXPECT_EQ(key(options), first);
    mesh.positions[31234].y = std::nextafter(mesh.positions[31234].y, 2.0f);
    EXPECT_NE(key(options), first);
}

TEST(ContentHash, follows_every_byte_and_the_length) {
    std::vector<unsigned char> bytes(700000, 0);
    const Hash128 zero = hash_array(bytes.data(), bytes.size());
    EXPECT_NE(hash_array(bytes.data(), bytes.size() - 1), zero);
    for (const size_t i : {size_t(0), size_t(31), size_t(32), size_t(262143), size_t(262144), size_t(699999)}) {
        bytes[i] = 1;
        EXPECT_NE(hash_array(bytes.data(), bytes.size()), zero) << i;
        bytes[i] = 0;
    }
    for (size_t a = 0; a < 70; ++a) EXPECT_NE(hash_bytes(bytes.data(), a), hash_bytes(bytes.data(), a + 1));
}

}  // namespace
}  // namespace warpath::testing
