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
        const Triangle& triangle = scene.triangles[find_prim(scene, prim_id).triangle];
        return resolve_alpha(scene, scene.materials[triangle.material_id], surface_inputs(scene, triangle, u, v)) >= 0.5f;
    }
};

const std::string& object_of(const SceneData& data, uint32_t prim_id) {
    static const std::string none;
    const auto after = std::upper_bound(data.objects.begin(), data.objects.end(), prim_id,
                                        [](uint32_t id, const ObjectRange& object) { return id < object.first_id; });
    return after == data.objects.begin() ? none : data.object_names[std::prev(after)->name];
}

}  // namespace

std::optional<Pick> pick_surface(const SceneImpl& scene, const SceneView& view, const Ray& ray) {
    TraversalCost cost;
    const Hit hit = closest_hit(scene.bvh.view(), ray, MostlyThere{view}, cost);
    if (hit.prim_id == invalid_id) return std::nullopt;
    const PrimPlace prim = find_prim(view, hit.prim_id);
    const Triangle& triangle = view.triangles[prim.triangle];
    const TriangleShape shape = placed_shape(view, prim);
    const Vec3 point = shape.corner + shape.edge1 * hit.u + shape.edge2 * hit.v;
    Vec3 normal = shape.normal();
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
