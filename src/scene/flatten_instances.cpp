#include "scene/flatten_instances.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>
#include <new>

#include "warpath/error.h"

namespace warpath {

namespace {

using Range = tbb::blocked_range<size_t>;
constexpr size_t grain = 4096;  // vertices or triangles per task: far above the cost of starting one
constexpr float max_coordinate = 1e18f;
constexpr size_t max_prims = 0xfffffffe;  // invalid_id names none

/// One instance that is laid out, or a shared mesh in its own space, and where its vertices and triangles go.
struct Placement {
    const Mesh* mesh;
    const Instance* instance;  ///< null: a shared mesh
    size_t first_vertex, first_triangle;

    glm::dmat4 to_world() const { return instance ? instance->to_world : glm::dmat4(1.0); }
};

/// What one range of triangles came to.
struct TriangleSummary {
    Bounds bounds;
    uint64_t num_bad_coordinates = 0, num_zero_area = 0;

    uint64_t num_skipped() const { return num_bad_coordinates + num_zero_area; }
    static TriangleSummary joined(TriangleSummary a, const TriangleSummary& b) {
        a.bounds.grow(b.bounds);
        a.num_bad_coordinates += b.num_bad_coordinates;
        a.num_zero_area += b.num_zero_area;
        return a;
    }
};

void check_mesh(const Mesh& mesh, size_t num_materials) {
    const auto fits = [&](const auto& column) { return column.empty() || column.size() == mesh.positions.size(); };
    const auto bad_triangle = [&](UVec3 t) { return std::max({t.x, t.y, t.z}) >= mesh.positions.size(); };
    const auto bad_material = [&](uint32_t id) { return id >= num_materials; };
    const char* fault = nullptr;
    if (!fits(mesh.normals) || !fits(mesh.tangents) || !fits(mesh.uvs) || !fits(mesh.uvs1) || !fits(mesh.colors))
        fault = "has an attribute with another number of entries than positions";
    else if (std::any_of(mesh.triangles.begin(), mesh.triangles.end(), bad_triangle))
        fault = "has a vertex index out of range";
    else if (mesh.material_ids.size() != mesh.triangles.size() && mesh.material_ids.size() != 1)
        fault = "has neither one material nor one per triangle";
    else if (std::any_of(mesh.material_ids.begin(), mesh.material_ids.end(), bad_material))
        fault = "has a material index out of range";
    if (fault) throw Error(ErrorCode::Internal, "mesh \"" + mesh.name + "\" " + fault);
}

void check_indices(const Scene& scene) {
    for (const Mesh& mesh : scene.meshes)
        if (!mesh.triangles.empty()) check_mesh(mesh, scene.materials.size());
    for (const Instance& instance : scene.instances)
        if (instance.mesh >= scene.meshes.size())
            throw Error(ErrorCode::Internal, "instance \"" + instance.name + "\" names a mesh that is not there");
}

void check_count(const Scene& scene, size_t count, const char* of_what) {
    if (count <= max_prims) return;
    throw Error(ErrorCode::BadInput, scene.path + ": more than " + std::to_string(max_prims) + " " + of_what + "; use fewer instances");
}

std::vector<Placement> place(const Scene& scene, const Sharing& sharing) {
    std::vector<Placement> placements;
    size_t num_vertices = 0, num_triangles = 0;
    const auto add = [&](const Mesh& mesh, const Instance* instance) {
        if (mesh.triangles.empty()) return;
        placements.push_back({&mesh, instance, num_vertices, num_triangles});
        num_vertices += mesh.positions.size();
        num_triangles += mesh.triangles.size();
        check_count(scene, std::max(num_vertices, num_triangles), "vertices or triangles once all instances are laid out");
    };
    for (size_t i = 0; i < scene.instances.size(); ++i)
        if (!sharing.shares(i)) add(scene.meshes[scene.instances[i].mesh], &scene.instances[i]);
    for (size_t i = 0; i < sharing.num_sharing.size(); ++i)
        if (sharing.num_sharing[i] > 0) add(scene.meshes[i], nullptr);
    return placements;
}

/// Allocates the columns; those of attributes that no placed mesh has stay empty.
void allocate(const std::vector<Placement>& placements, SceneColumns<HostColumn>& columns) {
    if (placements.empty()) return;
    const Placement& last = placements.back();
    const size_t num_vertices = last.first_vertex + last.mesh->positions.size();
    const auto any_has = [&](auto attribute) {
        return std::any_of(placements.begin(), placements.end(),
                           [&](const Placement& p) { return !(p.mesh->*attribute).empty(); });
    };
    const size_t num_triangles = last.first_triangle + last.mesh->triangles.size();
    try {
        columns.triangles.resize(num_triangles);
        columns.vertices.resize(num_vertices);
        if (any_has(&Mesh::tangents)) columns.tangents.resize(num_vertices, Vec4(0.0f));
        if (any_has(&Mesh::uvs1)) columns.uvs1.resize(num_vertices, Vec2(0.0f));
        if (any_has(&Mesh::colors)) columns.colors.resize(num_vertices, Vec4(1.0f));
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::OutOfMemory, "no memory for the scene's " + std::to_string(num_vertices) +
                                                " vertices and " + std::to_string(num_triangles) +
                                                " triangles; use fewer instances");
    }
}

/// Proportional to the inverse transpose by a positive factor, and defined for singular matrices too.
glm::dmat3 normal_matrix(const glm::dmat3& m) {
    const glm::dmat3 cofactors(glm::cross(m[1], m[2]), glm::cross(m[2], m[0]), glm::cross(m[0], m[1]));
    return glm::dot(m[0], cofactors[0]) < 0.0 ? -cofactors : cofactors;
}

bool mirrors(const Placement& p) {
    const glm::dmat3 m(p.to_world());
    return glm::dot(m[0], glm::cross(m[1], m[2])) < 0.0;
}

/// Unit vector, or (0,0,0) when `v` has no direction.
Vec3 unit_or_zero(glm::dvec3 v) {
    const double length = std::sqrt(glm::dot(v, v));
    return length > 0.0 && length - length == 0.0 ? Vec3(v / length) : Vec3(0.0f);
}

template <class T>
T finite_or(T v, T fallback) {
    for (int i = 0; i < T::length(); ++i)
        if (!is_finite(v[i])) return fallback;
    return v;
}

void transform_vertices(const Placement& p, SceneColumns<HostColumn>& columns) {
    const Mesh& mesh = *p.mesh;
    const glm::dmat4 to_world = p.to_world();
    const glm::dmat3 linear(to_world), normal_to_world = normal_matrix(linear);
    const float handedness =
        mirrors(p) ? -1.0f : 1.0f;  // bitangent = w cross(n, t), and a mirrored cross product turns
    tbb::parallel_for(Range(0, mesh.positions.size(), grain), [&](const Range& range) {
        for (size_t i = range.begin(); i < range.end(); ++i) {
            const size_t out = p.first_vertex + i;
            SceneVertex& vertex = columns.vertices[out];
            vertex.place.position = Vec3(glm::dvec3(to_world * glm::dvec4(glm::dvec3(mesh.positions[i]), 1.0)));
            if (!mesh.normals.empty())
                vertex.facing.normal = unit_or_zero(normal_to_world * glm::dvec3(mesh.normals[i]));
            if (!mesh.tangents.empty()) {
                const Vec3 tangent = unit_or_zero(linear * glm::dvec3(mesh.tangents[i]));
                const float w = is_zero(tangent) ? 0.0f : finite_or(Vec2(mesh.tangents[i].w), Vec2(0.0f)).x;
                columns.tangents[out] = Vec4(tangent, w * handedness);
            }
            const Vec2 uv = mesh.uvs.empty() ? Vec2(0.0f) : finite_or(mesh.uvs[i], Vec2(0.0f));
            vertex.place.u = uv.x, vertex.facing.v = uv.y;
            if (!mesh.uvs1.empty()) columns.uvs1[out] = finite_or(mesh.uvs1[i], Vec2(0.0f));
            if (!mesh.colors.empty()) columns.colors[out] = finite_or(mesh.colors[i], Vec4(1.0f));
        }
    });
}

bool in_range(Vec3 p) {
    return std::abs(p.x) <= max_coordinate && std::abs(p.y) <= max_coordinate && std::abs(p.z) <= max_coordinate;
}

/// Differences of floats and their products are exact in double unless the exponents lie far apart, so that a tiny but
/// real triangle is never taken for a degenerate one.
bool has_zero_area(Vec3 a, Vec3 b, Vec3 c) {
    const glm::dvec3 normal = glm::cross(glm::dvec3(b) - glm::dvec3(a), glm::dvec3(c) - glm::dvec3(a));
    return normal.x == 0.0 && normal.y == 0.0 && normal.z == 0.0;
}

/// Writes the placement's triangles; those to leave out get material_id = invalid_id.
TriangleSummary write_triangles(const Placement& p, const std::vector<uint8_t>& material_alpha, const Scene& scene,
                                SceneColumns<HostColumn>& columns) {
    const Mesh& mesh = *p.mesh;
    const uint32_t first_vertex = static_cast<uint32_t>(p.first_vertex);
    const uint32_t flipped = mirrors(p) ? uint32_t{triangle_flipped} : 0;
    const auto has_alpha = [&](UVec3 t, uint32_t material_id) {
        if (material_alpha[material_id]) return true;
        if (mesh.colors.empty() || scene.materials[material_id].alpha_mode == AlphaMode::Opaque) return false;
        return !(std::min({mesh.colors[t.x].w, mesh.colors[t.y].w, mesh.colors[t.z].w}) >= 1.0f);
    };
    const auto write_range = [&](const Range& range, TriangleSummary summary) {
        for (size_t i = range.begin(); i < range.end(); ++i) {
            const UVec3 t = mesh.triangles[i];
            Triangle& out = columns.triangles[p.first_triangle + i];
            for (int k = 0; k < 3; ++k) out.vertex[k] = first_vertex + t[k];
            out.material_id = mesh.material_ids[mesh.material_ids.size() == 1 ? 0 : i];
            out.flags = flipped | (has_alpha(t, out.material_id) ? triangle_has_alpha : 0u);
            const Vec3 a = columns.vertices[out.vertex[0]], b = columns.vertices[out.vertex[1]], c = columns.vertices[out.vertex[2]];
            const bool bad = !in_range(a) || !in_range(b) || !in_range(c);
            if (bad || has_zero_area(a, b, c)) {
                ++(bad ? summary.num_bad_coordinates : summary.num_zero_area);
                out.material_id = invalid_id;
                continue;
            }
            summary.bounds.grow(a), summary.bounds.grow(b), summary.bounds.grow(c);
        }
        return summary;
    };
    return tbb::parallel_reduce(Range(0, mesh.triangles.size(), grain), TriangleSummary{}, write_range,
                                TriangleSummary::joined);
}

void add_object(const Scene& scene, const Instance& instance, size_t first_id, SceneData& data) {
    const std::string& name = instance.name.empty() ? scene.meshes[instance.mesh].name : instance.name;
    if (data.object_names.empty() || data.object_names.back() != name) data.object_names.push_back(name);
    data.objects.push_back({static_cast<uint32_t>(first_id), static_cast<uint32_t>(data.object_names.size() - 1)});
}

/// Of a placement's triangles that were left out, as often as they would have been seen.
void add_skipped(const Placement& p, const TriangleSummary& summary, size_t num_seen, SkippedTriangles& skipped) {
    skipped.num_bad_coordinates += summary.num_bad_coordinates * num_seen;
    skipped.num_zero_area += summary.num_zero_area * num_seen;
    std::vector<std::string>& names = skipped.mesh_names;
    if (summary.num_skipped() > 0 && std::find(names.begin(), names.end(), p.mesh->name) == names.end())
        names.push_back(p.mesh->name);
}

/// The instances that keep their transforms. Their meshes are there already; `shared_index`: by mesh of the scene, where; or
/// invalid_id, if nothing is left of it.
void add_instances(const Scene& scene, const Sharing& sharing, const std::vector<uint32_t>& shared_index, SceneData& data) {
    const size_t count = std::count(sharing.keeps_transform.begin(), sharing.keeps_transform.end(), 1);
    data.columns.instances.reserve(count), data.instance_spaces.reserve(count), data.objects.reserve(data.objects.size() + count);
    for (size_t i = 0; i < scene.instances.size(); ++i) {
        const Instance& instance = scene.instances[i];
        if (!sharing.shares(i) || shared_index[instance.mesh] == invalid_id) continue;
        const SharedMesh& mesh = data.shared_meshes[shared_index[instance.mesh]];
        std::optional<InstanceMaps> maps = instance_maps(instance.to_world, mesh.bounds);
        if (!maps) throw Error(ErrorCode::Internal, "instance \"" + instance.name + "\" has no inverse any more");
        maps->space.mesh = shared_index[instance.mesh];
        maps->space.first_id = maps->instance.first_id = static_cast<uint32_t>(data.num_prims);
        maps->instance.first_triangle = mesh.first_triangle;
        add_object(scene, instance, data.num_prims, data);
        data.constants.bounds.grow(placed_bounds(maps->instance.to_world, mesh.bounds));
        data.columns.instances.push_back(maps->instance);
        data.instance_spaces.push_back(maps->space);
        data.num_prims += mesh.num_triangles;
        check_count(scene, data.num_prims, "triangles, those of shared meshes counted for each instance");
    }
}

}  // namespace

SkippedTriangles flatten_instances(const Scene& scene, const std::vector<uint8_t>& material_alpha, InstanceSharing mode,
                                   SceneData& data) {
    check_indices(scene);
    SceneColumns<HostColumn>& columns = data.columns;
    const Sharing sharing = choose_sharing(scene, mode);
    const std::vector<Placement> placements = place(scene, sharing);
    allocate(placements, columns);
    std::vector<TriangleSummary> summaries(placements.size());
    tbb::parallel_for(size_t{0}, placements.size(), [&](size_t i) {
        transform_vertices(placements[i], columns);
        summaries[i] = write_triangles(placements[i], material_alpha, scene, columns);
    });

    SkippedTriangles skipped;
    std::vector<uint32_t> shared_index(scene.meshes.size(), invalid_id);
    uint64_t num_before = 0;  // left out of the columns
    for (size_t i = 0; i < placements.size(); ++i) {
        const Placement& p = placements[i];
        const size_t mesh = static_cast<size_t>(p.mesh - scene.meshes.data()), first = p.first_triangle - num_before;
        const size_t num_kept = p.mesh->triangles.size() - summaries[i].num_skipped();
        num_before += summaries[i].num_skipped();
        if (p.instance) {
            add_object(scene, *p.instance, first, data);
            data.constants.bounds.grow(summaries[i].bounds);
            data.num_prims += num_kept;
        } else if (num_kept > 0) {
            shared_index[mesh] = static_cast<uint32_t>(data.shared_meshes.size());
            data.shared_meshes.push_back({static_cast<uint32_t>(first), static_cast<uint32_t>(num_kept), summaries[i].bounds});
        }
        add_skipped(p, summaries[i], p.instance ? 1 : sharing.num_sharing[mesh], skipped);
    }
    if (num_before > 0)
        std::erase_if(columns.triangles, [](const Triangle& t) { return t.material_id == invalid_id; });
    if (!data.shared_meshes.empty()) {
        data.constants.num_world_triangles = static_cast<uint32_t>(data.num_prims);
        add_instances(scene, sharing, shared_index, data);
    }
    return skipped;
}

}  // namespace warpath
