#include "importers/obj_mesh.h"

#include <algorithm>

#include "importers/triangulate.h"

namespace warpath {

namespace {

/// Turns corners into vertices. Vertices of one position form a chain, which is short, so no hashing is needed.
class VertexBuilder {
  public:
    VertexBuilder(const ObjData& data, Mesh& mesh)
        : data_(data), mesh_(mesh), head_(data.positions.size(), invalid_id) {
        const auto any = [&](auto used) { return std::any_of(data.corners.begin(), data.corners.end(), used); };
        has_uvs_ = any([](const ObjCorner& c) { return c.uv != invalid_id; });
        has_normals_ = any([](const ObjCorner& c) { return c.normal != invalid_id; });
    }

    uint32_t vertex(const ObjCorner& corner) {
        uint32_t v = head_[corner.position], length = 0;
        while (v != invalid_id && length < max_chain &&
               (nodes_[v].uv != corner.uv || nodes_[v].normal != corner.normal)) {
            v = nodes_[v].next;
            ++length;
        }
        if (v != invalid_id && length < max_chain) return v;
        v = static_cast<uint32_t>(nodes_.size());
        nodes_.push_back({corner.uv, corner.normal, head_[corner.position]});
        head_[corner.position] = v;
        mesh_.positions.push_back(data_.positions[corner.position]);
        if (!data_.colors.empty()) mesh_.colors.push_back(data_.colors[corner.position]);
        if (has_normals_)
            mesh_.normals.push_back(corner.normal == invalid_id ? Vec3(0.0f) : data_.normals[corner.normal]);
        if (has_uvs_) {
            const Vec2 uv = corner.uv == invalid_id ? Vec2(0.0f) : data_.uvs[corner.uv];
            mesh_.uvs.emplace_back(uv.x, 1.0f - uv.y);
        }
        return v;
    }

  private:
    /// Where more kinds of corners than this meet, some get a vertex twice rather than a search that never ends.
    static constexpr uint32_t max_chain = 64;
    struct Node {
        uint32_t uv, normal, next;
    };
    const ObjData& data_;
    Mesh& mesh_;
    std::vector<uint32_t> head_;
    std::vector<Node> nodes_;  ///< one per vertex of the mesh
    bool has_uvs_ = false, has_normals_ = false;
};

}  // namespace

Mesh build_obj_mesh(ObjData&& data, const std::vector<uint32_t>& material_ids, uint32_t no_material) {
    Mesh mesh;
    VertexBuilder builder(data, mesh);
    const size_t num_triangles = data.corners.size() - 2 * data.faces.size();
    mesh.triangles.reserve(num_triangles);
    mesh.material_ids.reserve(num_triangles);
    std::vector<Vec3> polygon;
    std::vector<UVec3> cut;
    std::vector<uint32_t> vertices;
    for (size_t f = 0; f < data.faces.size(); ++f) {
        polygon.clear(), cut.clear(), vertices.clear();
        for (size_t c = data.faces[f].first_corner; c < data.corner_end(f); ++c) {
            polygon.push_back(data.positions[data.corners[c].position]);
            vertices.push_back(builder.vertex(data.corners[c]));
        }
        triangulate(polygon, cut);
        const uint32_t name = data.faces[f].material;
        for (const UVec3& t : cut) {
            mesh.triangles.emplace_back(vertices[t.x], vertices[t.y], vertices[t.z]);
            mesh.material_ids.push_back(name == invalid_id ? no_material : material_ids[name]);
        }
    }
    data = {};
    return mesh;
}

}  // namespace warpath
