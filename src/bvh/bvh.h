#pragma once

#include <cstddef>

#include "core/columns.h"
#include "core/math.h"
#include "scene/instance.h"

/// Bounding volume hierarchy: layouts shared by builders, both backends and the tests.
namespace warpath {

/// A ray; `dir` need not be normalised. Hits satisfy t_min <= t < t_max, t counted in lengths of dir.
struct Ray {
    Vec3 origin;
    float t_min = 0.0f;
    Vec3 dir;
    float t_max = infinity;
};

/// Nearest intersection. A miss has prim_id == invalid_id.
struct Hit {
    float t = infinity;
    float u = 0.0f, v = 0.0f;       ///< barycentric weights of vertices 1 and 2
    uint32_t prim_id = invalid_id;  ///< unique over all instances (scene/instance.h)
};

/// Two-child node of 64 bytes holding both children's boxes (Aila and Laine 2009).
/// child[i] >= 0: index of an inner node. child[i] < 0: a leaf, see bvh/node.h. Boxes are padded so that no ray that
/// the triangle test accepts can miss them (bvh/ray_setup.h says by how much and why).
struct alignas(64) BvhNode {
    float lo_x[2], hi_x[2], lo_y[2], hi_y[2], lo_z[2], hi_z[2];
    int32_t child[2];
    uint32_t pad_[2];  ///< zero
};

/// Both `child` words of a node, to be loaded together.
struct alignas(8) NodeChildren {
    int32_t child[2];
};

/// One coordinate of a triangle's three vertices, and a word of payload.
struct alignas(16) BvhTriangleRow {
    float vertex[3];
    uint32_t word;
};

/// A triangle in leaf order, by coordinate instead of by vertex: the ray picks its dominant axis by address, and one
/// 16-byte load brings that coordinate of all three vertices.
struct BvhTriangle {
    BvhTriangleRow axis[3];  ///< x, y and z of the vertices

    WARPATH_HD Vec3 vertex(uint32_t i) const { return {axis[0].vertex[i], axis[1].vertex[i], axis[2].vertex[i]}; }
    WARPATH_HD uint32_t prim_id() const { return axis[0].word; }  ///< index into SceneView::triangles
    WARPATH_HD uint32_t flags() const { return axis[1].word; }  ///< TriangleFlags
};

/// An instance as rays enter it.
struct BvhInstance {
    Affine to_object;    ///< applied to origin and direction, so that t stays what it is
    uint32_t root;       ///< of the mesh's tree, in BvhColumns::nodes
    uint32_t id_offset;  ///< modulo 2^32, from an index into SceneView::triangles to the instance's prim_id
    uint32_t mesh;       ///< counted from 0: instances of one mesh have one root
    uint32_t pad_ = 0;
};
static_assert(sizeof(BvhInstance) == 64);

/// One tree, or several: first the upper one, over triangles of the world and instances, then one for each mesh that
/// instances share. A tree's nodes and triangles follow each other.
template <template <class> class Column>
struct BvhColumns {
    Column<BvhNode> nodes;          ///< nodes[0] is the root; empty for an empty scene
    Column<BvhTriangle> triangles;  ///< leaf order; spatial splits may repeat a prim_id
    Column<BvhInstance> instances;

    template <class F, class... S>
    static void for_each_column(F&& f, S&... s) {
        f("bvh nodes", s.nodes...), f("bvh triangles", s.triangles...), f("bvh instances", s.instances...);
    }
};
struct WideNode;
struct WidePacket;
struct BvhView : BvhColumns<ViewColumn> {
    ViewColumn<WideNode> wide_nodes;       ///< the same trees for the CPU (bvh/wide.h); empty where nobody has made them
    const WidePacket* wide_packets = nullptr;
    const uint32_t* wide_roots = nullptr;  ///< by BvhInstance::mesh: of the mesh's tree, in wide_nodes
    float origin_slack = 0x1p-20f;         ///< ray_setup.h: of rays in world space, which instances raise
};

struct BvhStatistics {
    uint64_t num_nodes = 0, num_leaves = 0, num_references = 0, num_triangles = 0;
    uint64_t num_instances = 0;
    uint32_t max_depth = 0;  ///< of the upper tree and, below it, of the deepest mesh's
    double sah_cost = 0.0;   ///< expected cost of a random ray, traversal step = 1
    double build_ms = 0.0;
    uint64_t size_bytes = 0, peak_build_bytes = 0;
};

struct Bvh {
    BvhColumns<HostColumn> columns;
    std::vector<uint32_t> mesh_roots;  ///< by BvhInstance::mesh
    float origin_slack = BvhView{}.origin_slack;
    BvhStatistics statistics;
    BvhView view() const;
};

}  // namespace warpath
