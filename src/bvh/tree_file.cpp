#include "bvh/tree_file.h"

#include <sys/stat.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "bvh/builders/huge_pages.h"
#include "bvh/node.h"
#include "bvh/ray_setup.h"

namespace warpath {
namespace {

constexpr char magic[8] = {'w', 'a', 'r', 'p', 'b', 'v', 'h', '\n'};

template <class T>
size_t size_of(const std::vector<T>& column) {
    return column.size() * sizeof(T);
}

template <class T>
std::string_view bytes_of(const std::vector<T>& column) {
    return {reinterpret_cast<const char*>(column.data()), size_of(column)};
}

Hash128 header_hash(const TreeFileHeader& header) { return hash_bytes(&header, offsetof(TreeFileHeader, header_hash)); }

bool read_all(int file, void* bytes, size_t size) {
    for (char* to = static_cast<char*>(bytes); size > 0;) {
        const ssize_t n = ::read(file, to, std::min(size, size_t(1) << 30));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        to += n, size -= static_cast<size_t>(n);
    }
    return true;
}

std::string wrong_header(const TreeFileHeader& header, const Hash128& key) {
    if (std::memcmp(header.magic, magic, sizeof(magic)) != 0) return "is no BVH of warpath's";
    if (header.version != tree_file_version)
        return "is of version " + std::to_string(header.version) + ", and this program's is " +
               std::to_string(tree_file_version);
    if (header.header_hash != header_hash(header)) return "is damaged in its header";
    if (header.node_size != sizeof(BvhNode) || header.triangle_size != sizeof(BvhTriangle)) return "has another layout";
    if (header.key != key) return "belongs to another scene or other options";
    return {};
}

uint64_t file_size(const TreeFileHeader& header) {
    return sizeof(header) + header.num_nodes * sizeof(BvhNode) + header.num_references * sizeof(BvhTriangle) +
           header.num_meshes * sizeof(uint32_t);
}

/// A child lies behind its parent and nothing lies outside, so a ray's walk ends; no leaf lies too deep for a ray's
/// stack. The tree has the nodes from `begin` to `end`; only the upper one of several has instances.
bool is_walkable_tree(const BvhColumns<HostColumn>& columns, size_t begin, size_t end, uint64_t num_instances, uint32_t max_depth) {
    const uint64_t num_triangles = columns.triangles.size();
    std::vector<uint8_t> depths(end - begin, 0);
    for (size_t i = begin; i < end; ++i) {
        if (depths[i - begin] >= max_depth) return false;
        for (const int32_t child : columns.nodes[i].child) {
            if (is_leaf(child)) {
                const LeafRange leaf = decode_leaf(child);
                const bool is_instance = leaf.first >= num_triangles;
                if (uint64_t(leaf.first) + leaf.count > num_triangles + (is_instance ? num_instances : 0)) return false;
                if (is_instance && leaf.count != 1) return false;
            } else {
                if (size_t(child) <= i || size_t(child) >= end) return false;
                uint8_t& depth = depths[size_t(child) - begin];
                depth = std::max<uint8_t>(depth, depths[i - begin] + 1);
            }
        }
    }
    return true;
}

bool is_walkable(const Bvh& bvh, uint64_t num_instances) {
    const BvhColumns<HostColumn>& columns = bvh.columns;
    std::vector<size_t> borders{0};
    borders.insert(borders.end(), bvh.mesh_roots.begin(), bvh.mesh_roots.end());
    borders.push_back(columns.nodes.size());
    if (borders.size() == 2) return num_instances == 0 && is_walkable_tree(columns, 0, columns.nodes.size(), 0, max_bvh_depth);
    for (size_t i = 0; i + 1 < borders.size(); ++i) {
        if (borders[i] >= borders[i + 1] || borders[i + 1] > columns.nodes.size()) return false;
        if (!is_walkable_tree(columns, borders[i], borders[i + 1], i == 0 ? num_instances : 0, i == 0 ? max_top_depth : max_mesh_depth))
            return false;
    }
    return true;
}

bool names_triangles(const std::vector<BvhTriangle>& triangles, uint64_t num_triangles) {
    return std::all_of(triangles.begin(), triangles.end(),
                       [&](const BvhTriangle& t) { return t.prim_id() < num_triangles; });
}

}  // namespace

Hash128 tree_key(const BvhGeometry& scene, const BvhOptions& options) {
    const ArrayView<Triangle> triangles = scene.triangles;
    const PositionView positions = scene.positions;
    constexpr size_t part_size = size_t(1) << 13;
    const auto part = [&](size_t p) {
        // What of a triangle is in the tree: not its material, its light or the numbers of its vertices.
        struct Geometry {
            Vec3 vertices[3];
            uint32_t flags;
        };
        std::vector<Geometry> geometry;
        const size_t begin = p * part_size, end = std::min<size_t>(triangles.size, begin + part_size);
        for (size_t i = begin; i < end; ++i) {
            const uint32_t* vertex = triangles[i].vertex;
            geometry.push_back(
                {{positions[vertex[0]], positions[vertex[1]], positions[vertex[2]]}, triangles[i].flags});
        }
        return hash_bytes(geometry.data(), size_of(geometry));
    };
    // Every option but threads and stop, which change nothing, and what boxes are padded by.
    const struct {
        uint32_t version, spatial_splits, single_leaves, rounds, links;
        float alpha, growth, triangle_cost, padding;
        uint32_t num_world_triangles, num_triangles, pad_;
        Hash128 geometry, meshes, instances;
    } all{tree_file_version,
          options.spatial_splits,
          options.single_leaves,
          options.reinsertion_rounds,
          options.reinsertion_links,
          options.split_alpha,
          options.max_reference_growth,
          options.triangle_cost,
          box_padding,
          scene.num_world(),
          triangles.size,
          0,
          hash_parts((triangles.size + part_size - 1) / part_size, part),
          hash_array(scene.meshes.data, scene.meshes.size * sizeof(SharedMesh)),
          hash_array(scene.instances.data, scene.instances.size * sizeof(InstanceSpace))};
    return hash_bytes(&all, sizeof(all));
}

std::array<std::string_view, 4> tree_file_parts(const Bvh& bvh, const Hash128& key, TreeFileHeader& header) {
    const BvhStatistics& s = bvh.statistics;
    std::memcpy(header.magic, magic, sizeof(magic));
    header.version = tree_file_version;
    header.node_size = sizeof(BvhNode), header.triangle_size = sizeof(BvhTriangle);
    header.max_depth = s.max_depth;
    header.key = key;
    header.num_nodes = bvh.columns.nodes.size(), header.num_references = bvh.columns.triangles.size();
    header.num_leaves = s.num_leaves, header.num_triangles = s.num_triangles;
    header.num_instances = bvh.columns.instances.size(), header.num_meshes = bvh.mesh_roots.size();
    header.sah_cost = s.sah_cost;
    header.nodes_hash = hash_array(bvh.columns.nodes.data(), size_of(bvh.columns.nodes));
    header.triangles_hash = hash_array(bvh.columns.triangles.data(), size_of(bvh.columns.triangles));
    header.roots_hash = hash_array(bvh.mesh_roots.data(), size_of(bvh.mesh_roots));
    header.header_hash = header_hash(header);
    return {std::string_view(reinterpret_cast<const char*>(&header), sizeof(header)), bytes_of(bvh.columns.nodes),
            bytes_of(bvh.columns.triangles), bytes_of(bvh.mesh_roots)};
}

std::string read_tree_file(int file, const Hash128& key, Bvh& bvh) {
    TreeFileHeader header;
    struct stat info;
    if (!read_all(file, &header, sizeof(header))) return "is truncated";
    if (std::string wrong = wrong_header(header, key); !wrong.empty()) return wrong;
    if (::fstat(file, &info) != 0 || uint64_t(info.st_size) != file_size(header))
        return "is truncated, or longer than it should be";
    Bvh read;
    BvhColumns<HostColumn>& columns = read.columns;
    resize_on_huge_pages(columns.nodes, header.num_nodes);
    resize_on_huge_pages(columns.triangles, header.num_references);
    read.mesh_roots.resize(header.num_meshes);
    if (!read_all(file, columns.nodes.data(), size_of(columns.nodes)) ||
        !read_all(file, columns.triangles.data(), size_of(columns.triangles)) ||
        !read_all(file, read.mesh_roots.data(), size_of(read.mesh_roots)))
        return "cannot be read to its end";
    if (hash_array(columns.nodes.data(), size_of(columns.nodes)) != header.nodes_hash ||
        hash_array(columns.triangles.data(), size_of(columns.triangles)) != header.triangles_hash ||
        hash_array(read.mesh_roots.data(), size_of(read.mesh_roots)) != header.roots_hash ||
        !is_walkable(read, header.num_instances) || !names_triangles(columns.triangles, header.num_triangles))
        return "is damaged";
    BvhStatistics& s = read.statistics;
    s.num_nodes = header.num_nodes, s.num_leaves = header.num_leaves;
    s.num_references = header.num_references, s.num_triangles = header.num_triangles;
    s.num_instances = header.num_instances;
    s.max_depth = header.max_depth, s.sah_cost = header.sah_cost;
    s.size_bytes = size_of(columns.nodes) + size_of(columns.triangles);
    bvh = std::move(read);
    return {};
}

bool is_tree_of(const Bvh& bvh, const BvhGeometry& geometry) {
    const BvhStatistics& s = bvh.statistics;
    if (s.num_instances != geometry.instances.size || bvh.mesh_roots.size() != geometry.meshes.size || s.num_triangles != geometry.triangles.size)
        return false;
    const std::vector<BvhTriangle>& triangles = bvh.columns.triangles;
    SharedMesh own{0, geometry.num_world(), {}};
    size_t num_passed = 0;  // roots
    for (size_t i = 0; i < bvh.columns.nodes.size(); ++i) {
        if (num_passed < bvh.mesh_roots.size() && i == bvh.mesh_roots[num_passed]) own = geometry.meshes[num_passed++];
        for (const int32_t child : bvh.columns.nodes[i].child) {
            const LeafRange leaf = is_leaf(child) ? decode_leaf(child) : LeafRange{0, 0};
            if (leaf.first >= triangles.size()) continue;
            for (uint32_t k = leaf.first; k < leaf.first + leaf.count; ++k)
                if (triangles[k].prim_id() - own.first_triangle >= own.num_triangles) return false;
        }
    }
    return true;
}

}  // namespace warpath
