#pragma once

#include <array>
#include <map>
#include <optional>
#include <vector>

#include "importers/gltf_document.h"
#include "scene/scene.h"

namespace warpath {

/// Turns glTF meshes into Scene::meshes, each at most once and only when a node asks for it.
/// Primitives of one mesh are put together, with one material per triangle; primitives with the same vertex accessors
/// share their vertices. Strips and fans become lists. Points and lines are left out with a warning. Threads: one
/// thread; document and scene must outlive it.
class GltfMeshReader {
  public:
    /// Materials of the scene must be those of the document, in its order.
    GltfMeshReader(GltfDocument& document, Scene& scene);

    /// Index into Scene::meshes, or invalid_id for a mesh without triangles.
    /// Errors:  BadInput, naming mesh and primitive, for missing positions, attributes of the wrong type or length, and
    ///          vertex indices out of range.
    uint32_t mesh(int gltf_mesh);

  private:
    /// Accessors of one primitive's attributes; -1: absent.
    using AttributeSet = std::array<int, 6>;

    void add_primitive(Mesh& mesh, const tinygltf::Primitive& primitive, const std::string& label);
    void add_triangles(Mesh& mesh, const tinygltf::Primitive& primitive, uint32_t base, const std::string& label);
    AttributeSet attributes_of(const tinygltf::Primitive& primitive, const std::string& label) const;
    uint32_t add_vertices(Mesh& mesh, const AttributeSet& attributes, const std::string& label);
    uint32_t material_id(int gltf_material);

    GltfDocument& document_;
    Scene& scene_;
    std::vector<std::optional<uint32_t>> meshes_;       ///< by glTF mesh
    std::map<AttributeSet, uint32_t> shared_vertices_;  ///< first vertex, within the mesh being read
    uint32_t default_material_ = invalid_id;
};

}  // namespace warpath
