#pragma once

#include <array>
#include <string>
#include <string_view>

#include "bvh/build.h"
#include "bvh/content_hash.h"

/// Finished trees as files: a header, the nodes, the triangles, the roots of shared meshes; bytes as they lie in memory.
/// Instances are not among them: they follow from the scene (builders/instance_boxes.h). Damage is noticed: header and
/// columns carry hashes, and no tree is handed out that traversal could leave.
namespace warpath {

/// To be raised whenever layout, meaning or the builders' output change.
inline constexpr uint32_t tree_file_version = 2;

/// By which a tree is found: its geometry, instances included, the options that shape it, and the version of file and builders.
/// Threads: uses oneTBB.
Hash128 tree_key(const BvhGeometry& geometry, const BvhOptions& options);

struct TreeFileHeader {
    char magic[8];
    uint32_t version;
    uint32_t node_size, triangle_size;  ///< bytes
    uint32_t max_depth;
    Hash128 key;
    uint64_t num_nodes, num_leaves, num_references, num_triangles, num_instances, num_meshes;
    double sah_cost;
    Hash128 nodes_hash, triangles_hash, roots_hash;
    Hash128 header_hash;  ///< of all above
};
static_assert(sizeof(TreeFileHeader) == 160);

/// The parts of the file one after another; they point into `header` and `bvh`.
std::array<std::string_view, 4> tree_file_parts(const Bvh& bvh, const Hash128& key, TreeFileHeader& header);

/// Reads the tree with that key from a file that is open for reading at its start. What it needs of instances is for the
/// caller to add (enter_instances).
/// Returns: what is wrong with the file, as the end of a sentence that begins with its name; "" if nothing is, and then
/// `bvh` holds the tree.
std::string read_tree_file(int file, const Hash128& key, Bvh& bvh);

/// Whether the trees of a file have the meshes and instances of this geometry, and each tree only triangles of its own.
bool is_tree_of(const Bvh& bvh, const BvhGeometry& geometry);

}  // namespace warpath
