#include "api/pick.h"

#include <algorithm>

#include "bvh/traverse.h"
#include "materials/interpolate.h"
#include "materials/material_params.h"

namespace warpath {

namespace {

struct MostlyThere {
    const SceneView& scene;
    bool operator()(uint32_t prim_id, float u, float v) const {
        const Triangle& triangle = scene.triangles[prim_id];
        return resolve_alpha(scene, scene.materials[triangle.material_id], surface_inputs(scene, triangle, u, v)) >= 0.5f;
    }
};

const std::string& object_of(const SceneData& data, uint32_t prim_id) {
    static const std::string none;
    const auto after = std::upper_bound(data.objects.begin(), data.objects.end(), prim_id,
                                        [](uint32_t id, const ObjectRange& object) { return id < object.first_triangle; });
    return after == data.objects.begin() ? none : std::prev(after)->name;
}

}  // namespace

std::optional<Pick> pick_surface(const SceneImpl& scene, const SceneView& view, const Ray& ray) {
    TraversalCost cost;
    const Hit hit = closest_hit(scene.bvh.view(), ray, MostlyThere{view}, cost);
    if (hit.prim_id == invalid_id) return std::nullopt;
    const Triangle& triangle = view.triangles[hit.prim_id];
    const Vec3 a = view.vertices[triangle.vertex[0]], b = view.vertices[triangle.vertex[1]], c = view.vertices[triangle.vertex[2]];
    const Vec3 point = a + (b - a) * hit.u + (c - a) * hit.v;
    const glm::dvec3 across = glm::cross(glm::dvec3(b) - glm::dvec3(a), glm::dvec3(c) - glm::dvec3(a));
    Vec3 normal(across / glm::length(across));  // flatten leaves out triangles without area
    if (dot(normal, ray.dir) > 0.0f) normal = -normal;
    Pick pick;
    pick.position = {point.x, point.y, point.z};
    pick.normal = {normal.x, normal.y, normal.z};
    pick.distance = hit.t;
    pick.material = triangle.material_id;
    pick.material_name = scene.data.material_names[triangle.material_id];
    pick.object_name = object_of(scene.data, hit.prim_id);
    pick.triangle = hit.prim_id;
    return pick;
}

}  // namespace warpath
