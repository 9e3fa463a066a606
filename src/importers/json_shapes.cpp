#include "importers/json_shapes.h"

#include <glm/geometric.hpp>
#include <unordered_map>

#include "importers/json_materials.h"
#include "importers/json_transform.h"

namespace warpath {

using nlohmann::json;

namespace {

Mesh quad(const json& shape) {
    Mesh mesh;
    for (const json& corner : shape["corners"]) mesh.positions.push_back(vec3_from(corner));
    mesh.uvs = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
    return mesh;
}

/// Splits each triangle of a triangulated unit sphere in four.
void subdivide(std::vector<glm::dvec3>& points, std::vector<UVec3>& triangles) {
    std::unordered_map<uint64_t, uint32_t> middles;  // by edge, so that neighbours share the new point
    const auto middle = [&](uint32_t a, uint32_t b) {
        const uint64_t edge = a < b ? uint64_t{a} << 32 | b : uint64_t{b} << 32 | a;
        const auto [entry, is_new] = middles.emplace(edge, static_cast<uint32_t>(points.size()));
        if (is_new) points.push_back(glm::normalize(points[a] + points[b]));
        return entry->second;
    };
    std::vector<UVec3> split;
    split.reserve(4 * triangles.size());
    for (const UVec3& t : triangles) {
        const uint32_t ab = middle(t.x, t.y), bc = middle(t.y, t.z), ca = middle(t.z, t.x);
        split.insert(split.end(), {{t.x, ab, ca}, {ab, t.y, bc}, {ca, bc, t.z}, {ab, bc, ca}});
    }
    triangles = std::move(split);
}

Mesh sphere(const json& shape) {
    const double g = 0.5 * (1.0 + std::sqrt(5.0));  // the golden ratio
    std::vector<glm::dvec3> points{{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                                   {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
    for (glm::dvec3& p : points) p = glm::normalize(p);
    Mesh mesh;
    mesh.triangles = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                      {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                      {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
    for (int i = shape.value("subdivisions", 5); i > 0; --i) subdivide(points, mesh.triangles);

    const glm::dvec3 center(vec3_or(shape, "center", Vec3(0.0f)));
    const double radius = float_or(shape, "radius", 1.0f);
    for (const glm::dvec3& p : points) mesh.positions.push_back(Vec3(center + radius * p));
    if (shape.value("smooth", true)) mesh.normals.assign(points.begin(), points.end());
    return mesh;
}

Mesh box(const json& shape) {
    const Vec3 center = vec3_or(shape, "center", Vec3(0.0f)), half = vec3_or(shape, "size", Vec3(1.0f)) * 0.5f;
    Mesh mesh;
    for (int axis = 0; axis < 3; ++axis) {
        for (const float side : {-1.0f, 1.0f}) {
            Vec3 n(0.0f), u(0.0f), v(0.0f);
            n[axis] = side;
            u[(axis + 1) % 3] = side;  // so that u x v = n
            v[(axis + 2) % 3] = 1.0f;
            const uint32_t first = static_cast<uint32_t>(mesh.positions.size());
            for (const Vec3 corner : {n - u - v, n + u - v, n + u + v, n - u + v})
                mesh.positions.push_back(center + corner * half);
            mesh.uvs.insert(mesh.uvs.end(), {{0, 1}, {1, 1}, {1, 0}, {0, 0}});
            mesh.triangles.push_back({first, first + 1, first + 2});
            mesh.triangles.push_back({first, first + 2, first + 3});
        }
    }
    return mesh;
}

Mesh disc(const JsonScene& json_scene, const json& shape, const std::string& pointer) {
    const Vec3 normal = shape.contains("normal") ? direction_from(json_scene, shape, "normal", pointer) : Vec3(0, 1, 0);
    const Frame frame = Frame::from_normal(normal);
    const Vec3 center = vec3_or(shape, "center", Vec3(0.0f));
    const float radius = float_or(shape, "radius", 1.0f);
    const uint32_t num_segments = shape.value("segments", 64u);
    Mesh mesh;
    mesh.positions.push_back(center);
    mesh.uvs.emplace_back(0.5f, 0.5f);
    for (uint32_t i = 0; i < num_segments; ++i) {
        const double angle = 2.0 * 3.14159265358979323846 * i / num_segments;
        const float x = static_cast<float>(std::cos(angle)), y = static_cast<float>(std::sin(angle));
        mesh.positions.push_back(center + (frame.tangent * x + frame.bitangent * y) * radius);
        mesh.uvs.emplace_back(0.5f + 0.5f * x, 0.5f - 0.5f * y);
        mesh.triangles.push_back({0, 1 + i, 1 + (i + 1) % num_segments});
    }
    return mesh;
}

Mesh triangle_mesh(const JsonScene& json_scene, const json& shape, const std::string& pointer) {
    Mesh mesh;
    for (const json& vertex : shape["vertices"]) mesh.positions.push_back(vec3_from(vertex));
    const size_t num_vertices = mesh.positions.size();
    const json& triangles = shape["triangles"];
    for (size_t i = 0; i < triangles.size(); ++i) {
        for (const json& vertex : triangles[i]) {
            if (vertex.get<uint64_t>() < num_vertices) continue;
            json_scene.fail(pointer_to(pointer_to(pointer, "triangles"), i),
                            "names vertex " + vertex.dump() + ", but there are " + std::to_string(num_vertices) +
                                " vertices, counted from 0");
        }
        const json& t = triangles[i];
        mesh.triangles.push_back({t[0].get<uint32_t>(), t[1].get<uint32_t>(), t[2].get<uint32_t>()});
    }
    for (const char* key : {"normals", "uvs"}) {
        if (shape.contains(key) && shape[key].size() != num_vertices)
            json_scene.fail(pointer_to(pointer, key), "must have one item for each of the " +
                                                          std::to_string(num_vertices) + " vertices, got " +
                                                          std::to_string(shape[key].size()));
    }
    if (shape.contains("normals"))
        for (const json& normal : shape["normals"]) mesh.normals.push_back(vec3_from(normal));
    if (shape.contains("uvs"))
        for (const json& uv : shape["uvs"]) mesh.uvs.push_back(vec2_from(uv));
    return mesh;
}

Mesh make_mesh(const JsonScene& json_scene, const json& shape, const std::string& pointer) {
    const std::string type = shape["type"];
    if (type == "quad") return quad(shape);
    if (type == "sphere") return sphere(shape);
    if (type == "box") return box(shape);
    if (type == "disc") return disc(json_scene, shape, pointer);
    return triangle_mesh(json_scene, shape, pointer);
}

std::vector<uint32_t> shape_materials(JsonScene& json_scene, const json& shape, const std::string& pointer) {
    if (!shape.contains("material")) return {default_material(json_scene)};
    const json& use = shape["material"];
    const std::string use_pointer = pointer_to(pointer, "material");
    if (use.is_string()) return {find_material(json_scene, use, use_pointer)};
    std::vector<uint32_t> ids;
    for (size_t i = 0; i < use.size(); ++i)
        ids.push_back(find_material(json_scene, use[i], pointer_to(use_pointer, i)));
    return ids;
}

}  // namespace

void read_shapes(JsonScene& json_scene, const json& list, const std::string& pointer) {
    Scene& scene = json_scene.scene;
    for (size_t i = 0; i < list.size(); ++i) {
        const std::string shape_pointer = pointer_to(pointer, i);
        const std::string type = list[i]["type"];
        const std::vector<uint32_t> material_ids = shape_materials(json_scene, list[i], shape_pointer);
        Mesh mesh = make_mesh(json_scene, list[i], shape_pointer);
        mesh.name = string_or(list[i], "name", type + " " + std::to_string(i));
        const uint32_t first_mesh = static_cast<uint32_t>(scene.meshes.size());
        for (const uint32_t id : material_ids) {
            mesh.material_ids = {id};
            scene.meshes.push_back(mesh);
        }
        uint32_t copy = 0;
        for (const glm::dmat4& to_world : read_placements(json_scene, list[i], shape_pointer))
            scene.instances.push_back(
                {mesh.name, first_mesh + copy++ % static_cast<uint32_t>(material_ids.size()), to_world});
    }
}

}  // namespace warpath
