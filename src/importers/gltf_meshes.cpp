#include "importers/gltf_meshes.h"

#include <algorithm>
#include <cmath>

#include "importers/gltf_accessors.h"
#include "importers/gltf_materials.h"

namespace warpath {

namespace {

enum Attribute : size_t { position, normal, tangent, uv0, uv1, color };
constexpr const char* attribute_names[] = {"POSITION", "NORMAL", "TANGENT", "TEXCOORD_0", "TEXCOORD_1", "COLOR_0"};

bool has_legal_type(Attribute attribute, const tinygltf::Accessor& accessor) {
    // 8 and 16 bit positions, normals and tangents come with KHR_mesh_quantization.
    if (accessor.componentType == TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT) return false;
    switch (attribute) {
        case position:
        case normal:
            return accessor.type == TINYGLTF_TYPE_VEC3;
        case tangent:
            return accessor.type == TINYGLTF_TYPE_VEC4;
        case uv0:
        case uv1:
            return accessor.type == TINYGLTF_TYPE_VEC2;
        case color:
            return accessor.type == TINYGLTF_TYPE_VEC3 || accessor.type == TINYGLTF_TYPE_VEC4;
    }
    return false;
}

/// Unit vector along `v`, or zero where it has no direction.
Vec3 unit_or_zero(Vec3 v) {
    const glm::dvec3 d(v);
    const double length = std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
    return std::isfinite(length) && length > 0.0 ? Vec3(d / length) : Vec3(0.0f);
}

float unit_range(float x) { return x >= 0.0f ? std::min(x, 1.0f) : 0.0f; }  // NaN becomes 0

/// Appends `values`, or `num` copies of `filler` if there are none, so that the array stays empty or as long as the
/// positions.
template <class T>
void append(std::vector<T>& array, std::vector<T>&& values, size_t base, size_t num, T filler) {
    if (values.empty() && array.empty()) return;
    array.resize(base, filler);
    if (values.empty()) {
        array.resize(base + num, filler);
    } else if (array.empty()) {
        array = std::move(values);
    } else {
        array.insert(array.end(), values.begin(), values.end());
    }
}

std::vector<Vec3> read_normals(const GltfDocument& doc, int accessor) {
    if (accessor < 0) return {};
    auto normals = read_vectors<Vec3>(doc, accessor, 3, IntegerScale::Unit);
    for (Vec3& n : normals) n = unit_or_zero(n);
    return normals;
}

std::vector<Vec4> read_tangents(const GltfDocument& doc, int accessor) {
    if (accessor < 0) return {};
    auto tangents = read_vectors<Vec4>(doc, accessor, 4, IntegerScale::Unit);
    for (Vec4& t : tangents) {
        const Vec3 direction = unit_or_zero(Vec3(t));
        t = is_zero(direction) ? Vec4(0.0f) : Vec4(direction, t.w < 0.0f ? -1.0f : 1.0f);
    }
    return tangents;
}

std::vector<Vec2> read_uvs(const GltfDocument& doc, int accessor) {
    if (accessor < 0) return {};
    auto uvs = read_vectors<Vec2>(doc, accessor, 2, IntegerScale::AsDeclared);
    for (Vec2& uv : uvs)
        if (!is_finite(uv.x) || !is_finite(uv.y)) uv = Vec2(0.0f);
    return uvs;
}

std::vector<Vec4> read_colors(const GltfDocument& doc, int accessor) {
    if (accessor < 0) return {};
    const bool has_alpha = doc.model.accessors[static_cast<size_t>(accessor)].type == TINYGLTF_TYPE_VEC4;
    auto colors = read_vectors<Vec4>(doc, accessor, has_alpha ? 4 : 3, IntegerScale::Unit, Vec4(1.0f));
    for (Vec4& c : colors) c = {unit_range(c.x), unit_range(c.y), unit_range(c.z), unit_range(c.w)};
    return colors;
}

/// Corners of triangle `i`, as positions in the primitive's sequence of vertices (glTF 2.0, section 3.7.2.1).
UVec3 corners(int mode, uint32_t i) {
    if (mode == TINYGLTF_MODE_TRIANGLE_STRIP) return {i, i + 1 + i % 2, i + 2 - i % 2};
    if (mode == TINYGLTF_MODE_TRIANGLE_FAN) return {i + 1, i + 2, 0};
    return {3 * i, 3 * i + 1, 3 * i + 2};
}

}  // namespace

GltfMeshReader::GltfMeshReader(GltfDocument& document, Scene& scene)
    : document_(document), scene_(scene), meshes_(document.model.meshes.size()) {}

uint32_t GltfMeshReader::mesh(int gltf_mesh) {
    const auto index = static_cast<size_t>(gltf_mesh);
    if (meshes_[index]) return *meshes_[index];
    const tinygltf::Mesh& source = document_.model.meshes[index];
    const std::string label =
        "mesh " + std::to_string(index) + (source.name.empty() ? "" : " (\"" + source.name + "\")");
    Mesh mesh;
    mesh.name = source.name.empty() ? "mesh " + std::to_string(index) : source.name;
    shared_vertices_.clear();
    for (size_t i = 0; i < source.primitives.size(); ++i)
        add_primitive(mesh, source.primitives[i], label + ", primitive " + std::to_string(i));
    if (mesh.triangles.empty()) return *(meshes_[index] = invalid_id);
    const auto same = [&](uint32_t id) { return id == mesh.material_ids.front(); };
    if (std::all_of(mesh.material_ids.begin(), mesh.material_ids.end(), same)) mesh.material_ids.resize(1);
    scene_.meshes.push_back(std::move(mesh));
    return *(meshes_[index] = static_cast<uint32_t>(scene_.meshes.size() - 1));
}

void GltfMeshReader::add_primitive(Mesh& mesh, const tinygltf::Primitive& primitive, const std::string& label) {
    if (primitive.mode < TINYGLTF_MODE_POINTS || primitive.mode > TINYGLTF_MODE_TRIANGLE_FAN)
        fail_gltf(document_.path, label + " has mode " + std::to_string(primitive.mode) + "; modes run from 0 to 6");
    if (primitive.mode < TINYGLTF_MODE_TRIANGLES) {
        document_.warn("it has points or lines, which are left out");
        return;
    }
    if (!primitive.targets.empty()) document_.warn("it has morph targets, which are left out");
    const AttributeSet attributes = attributes_of(primitive, label);
    const auto shared = shared_vertices_.find(attributes);
    const uint32_t base = shared != shared_vertices_.end() ? shared->second : add_vertices(mesh, attributes, label);
    shared_vertices_.emplace(attributes, base);
    add_triangles(mesh, primitive, base, label);
}

GltfMeshReader::AttributeSet GltfMeshReader::attributes_of(const tinygltf::Primitive& primitive,
                                                           const std::string& label) const {
    AttributeSet set;
    set.fill(-1);
    for (size_t i = 0; i < set.size(); ++i) {
        const auto it = primitive.attributes.find(attribute_names[i]);
        if (it == primitive.attributes.end()) continue;
        set[i] = it->second;
        const std::string which =
            label + ": its " + attribute_names[i] + ", " + accessor_label(document_, it->second) + ", ";
        const tinygltf::Accessor& accessor = document_.model.accessors[static_cast<size_t>(it->second)];
        if (!has_legal_type(static_cast<Attribute>(i), accessor))
            fail_gltf(document_.path, which + "has a type that glTF does not allow there");
        if (set[position] < 0) continue;
        const size_t num = document_.model.accessors[static_cast<size_t>(set[position])].count;
        if (accessor.count != num)
            fail_gltf(document_.path, which + "has " + std::to_string(accessor.count) + " elements, but there are " +
                                          std::to_string(num) + " positions");
    }
    if (set[position] < 0) fail_gltf(document_.path, label + " has no POSITION");
    const tinygltf::Accessor& positions = document_.model.accessors[static_cast<size_t>(set[position])];
    if (positions.bufferView < 0 && !positions.sparse.isSparse &&
        primitive.extensions.count("KHR_draco_mesh_compression"))
        fail_gltf(document_.path,
                  label +
                      " is there only in compressed form (KHR_draco_mesh_compression), which warpath does "
                      "not support; export it without mesh compression");
    if (set[normal] < 0) set[tangent] = -1;  // tangents without normals count for nothing (section 3.7.2.1)
    return set;
}

uint32_t GltfMeshReader::add_vertices(Mesh& mesh, const AttributeSet& attributes, const std::string& label) {
    const GltfDocument& doc = document_;
    const size_t base = mesh.positions.size();
    auto positions = read_vectors<Vec3>(doc, attributes[position], 3, IntegerScale::AsDeclared);
    const size_t num = positions.size();
    if (num >= invalid_id - base) fail_gltf(doc.path, label + " brings the mesh to more than 2^32 vertices");
    append(mesh.positions, std::move(positions), base, num, Vec3(0.0f));
    append(mesh.normals, read_normals(doc, attributes[normal]), base, num, Vec3(0.0f));
    append(mesh.tangents, read_tangents(doc, attributes[tangent]), base, num, Vec4(0.0f));
    append(mesh.uvs, read_uvs(doc, attributes[uv0]), base, num, Vec2(0.0f));
    append(mesh.uvs1, read_uvs(doc, attributes[uv1]), base, num, Vec2(0.0f));
    append(mesh.colors, read_colors(doc, attributes[color]), base, num, Vec4(1.0f));
    return static_cast<uint32_t>(base);
}

void GltfMeshReader::add_triangles(Mesh& mesh, const tinygltf::Primitive& primitive, uint32_t base,
                                   const std::string& label) {
    const size_t num_vertices =
        document_.model.accessors[static_cast<size_t>(primitive.attributes.at("POSITION"))].count;
    std::vector<uint32_t> indices;
    if (primitive.indices >= 0) indices = read_indices(document_, primitive.indices);
    for (size_t i = 0; i < indices.size(); ++i)
        if (indices[i] >= num_vertices)
            fail_gltf(document_.path, label + ": vertex index " + std::to_string(indices[i]) + " at position " +
                                          std::to_string(i) + " is out of range: there are only " +
                                          std::to_string(num_vertices) + " vertices");

    const size_t length = primitive.indices >= 0 ? indices.size() : num_vertices;
    const bool list = primitive.mode == TINYGLTF_MODE_TRIANGLES;
    if (length >= invalid_id) fail_gltf(document_.path, label + " has more than 2^32 indices");
    if (length < 3 || (list && length % 3 != 0))
        document_.warn(label + " has " + std::to_string(length) +
                       (list ? " corners, which is not a multiple of 3; the last triangle is left out"
                             : " corners, too few for a triangle"));
    const auto num_triangles = static_cast<uint32_t>(length < 3 ? 0 : list ? length / 3 : length - 2);
    const uint32_t material = material_id(primitive.material);
    mesh.triangles.reserve(mesh.triangles.size() + num_triangles);
    for (uint32_t i = 0; i < num_triangles; ++i) {
        UVec3 t = corners(primitive.mode, i);
        if (!indices.empty()) t = {indices[t.x], indices[t.y], indices[t.z]};
        mesh.triangles.push_back(t + base);
    }
    mesh.material_ids.resize(mesh.triangles.size(), material);
}

uint32_t GltfMeshReader::material_id(int gltf_material) {
    if (gltf_material >= 0) return static_cast<uint32_t>(gltf_material);
    if (default_material_ == invalid_id) {
        default_material_ = static_cast<uint32_t>(scene_.materials.size());
        scene_.materials.push_back(gltf_default_material());
        scene_.material_names.push_back("default");
    }
    return default_material_;
}

}  // namespace warpath
