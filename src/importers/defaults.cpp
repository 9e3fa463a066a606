#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <vector>

#include "importers/importer.h"

namespace warpath {

namespace {

constexpr float framing_vfov_deg = 40.0f;
constexpr double framing_margin = 1.05;             // a little air around the bounding sphere
const glm::dvec3 framing_direction(0.5, 0.4, 1.0);  // from the scene to the eye: from the right, above and in front

bool usable(glm::dvec3 p) { return std::abs(p.x) <= 1e18 && std::abs(p.y) <= 1e18 && std::abs(p.z) <= 1e18; }

/// Calls `f` with each instance that has a mesh with triangles.
template <class F>
void for_each_drawn(const Scene& scene, F&& f) {
    for (const Instance& instance : scene.instances)
        if (instance.mesh < scene.meshes.size() && !scene.meshes[instance.mesh].triangles.empty())
            f(instance, scene.meshes[instance.mesh]);
}

struct Box {
    glm::dvec3 lo{1e300}, hi{-1e300};
    bool empty() const { return !(lo.x <= hi.x); }
    void grow(glm::dvec3 p) {
        if (usable(p)) lo = glm::min(lo, p), hi = glm::max(hi, p);
    }
};

/// Object space, of the vertices that triangles use.
Box box_of(const Mesh& mesh) {
    Box box;
    for (const UVec3& triangle : mesh.triangles)
        for (int k = 0; k < 3; ++k) box.grow(glm::dvec3(mesh.positions[triangle[k]]));
    return box;
}

/// Camera that sees the whole scene, whatever its size and place: the bounding sphere of the instances' transformed
/// boxes. Its cost grows with meshes and instances, not with their product.
Camera framing_camera(const Scene& scene) {
    std::vector<Box> mesh_boxes(scene.meshes.size());
    for (size_t i = 0; i < scene.meshes.size(); ++i) mesh_boxes[i] = box_of(scene.meshes[i]);
    Box world;
    for_each_drawn(scene, [&](const Instance& instance, const Mesh&) {
        const Box& box = mesh_boxes[instance.mesh];
        for (int corner = 0; corner < 8 && !box.empty(); ++corner) {
            const glm::dvec3 p(corner & 1 ? box.hi.x : box.lo.x, corner & 2 ? box.hi.y : box.lo.y,
                               corner & 4 ? box.hi.z : box.lo.z);
            world.grow(glm::dvec3(instance.to_world * glm::dvec4(p, 1.0)));
        }
    });
    const glm::dvec3 lo = world.lo, hi = world.hi;
    if (!(lo.x <= hi.x)) return {};
    const glm::dvec3 center = 0.5 * (lo + hi);
    const double radius = 0.5 * glm::length(hi - lo);
    const double half_angle = framing_vfov_deg * 0.5 * 3.14159265358979323846 / 180.0;
    double distance = framing_margin * radius / std::sin(half_angle);
    // A speck far from the origin must not put eye and target on one float; a single point still needs some distance.
    distance = std::max(distance, 1e-5 * glm::length(center));
    if (distance == 0.0) distance = 1.0;
    Camera camera;
    camera.name = "framed on the bounds";
    camera.target = Vec3(center);
    camera.eye = Vec3(center + glm::normalize(framing_direction) * distance);
    camera.vfov_deg = framing_vfov_deg;
    return camera;
}

bool has_emitter(const Scene& scene) {
    if (scene.environment || scene.sun || !scene.lights.empty()) return true;
    bool emits = false;
    for_each_drawn(scene, [&](const Instance&, const Mesh& mesh) {
        emits = emits || std::any_of(mesh.material_ids.begin(), mesh.material_ids.end(),
                                     [&](uint32_t id) { return scene.materials[id].emits(); });
    });
    return emits;
}

}  // namespace

void add_defaults(Scene& scene) {
    if (scene.cameras.empty()) scene.cameras.push_back(framing_camera(scene));
    if (!has_emitter(scene)) {
        scene.environment = Environment{};
        scene.environment->name = "white sky";
    }
}

}  // namespace warpath
