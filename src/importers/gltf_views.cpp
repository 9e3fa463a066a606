#include "importers/gltf_views.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "importers/gltf_textures.h"

namespace warpath {

namespace {

/// Unit vector along an axis of the node, or nothing where a scale of zero has collapsed it.
std::optional<Vec3> axis(const glm::dmat4& to_world, int column, double sign) {
    const glm::dvec3 v = glm::dvec3(to_world[column]) * sign;
    const double largest = std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
    if (!(largest > 0.0)) return std::nullopt;
    return Vec3(glm::normalize(v / largest));
}

Vec3 origin(const GltfDocument& doc, const GltfPlace& place) {
    const Vec3 p{place.to_world[3]};
    if (!is_finite(p)) fail_gltf(doc.path, place.label + " lies beyond the range of single precision");
    return p;
}

}  // namespace

void add_gltf_camera(GltfDocument& doc, int index, const GltfPlace& place, Scene& scene) {
    const tinygltf::Camera& source = doc.model.cameras[static_cast<size_t>(index)];
    const std::string label = "camera " + std::to_string(index);
    if (source.type != "perspective") {
        doc.warn(label + " is orthographic, which is not supported; it is left out");
        return;
    }
    const auto forward = axis(place.to_world, 2, -1.0), up = axis(place.to_world, 1, 1.0);
    const double vfov_deg = source.perspective.yfov * 180.0 / 3.14159265358979323846;
    if (!forward || !up || length_squared(cross(*forward, *up)) < 1e-12f || !(vfov_deg > 1e-4 && vfov_deg < 180.0)) {
        doc.warn(label + " at " + place.label + " has no usable direction or angle of view; it is left out");
        return;
    }
    Camera camera;
    camera.name = source.name.empty() ? place.name : source.name;
    camera.eye = origin(doc, place);
    // Far enough that the direction survives rounding, however far out the camera stands.
    camera.target = camera.eye + *forward * std::max(1.0f, length(camera.eye));
    camera.up = *up;
    camera.vfov_deg = static_cast<float>(vfov_deg);
    scene.cameras.push_back(std::move(camera));
}

int node_light(const tinygltf::Node& node) {
    const auto it = node.extensions.find("KHR_lights_punctual");
    return it == node.extensions.end() ? -1 : static_cast<int>(number_in(it->second, "light", -1.0));
}

void add_gltf_light(GltfDocument& doc, int index, const GltfPlace& place, Scene& scene) {
    const tinygltf::Light& source = doc.model.lights[static_cast<size_t>(index)];
    const std::string label = "light " + std::to_string(index);
    PunctualLight light;
    if (source.type == "spot") {
        light.kind = LightKind::Spot;
    } else if (source.type == "directional") {
        light.kind = LightKind::Directional;
    } else if (source.type != "point") {
        doc.warn(label + " has the unknown type \"" + source.type + "\"; it is left out");
        return;
    }
    for (int c = 0; c < 3; ++c) {
        const double color = source.color.empty() ? 1.0 : source.color[static_cast<size_t>(c)];
        light.intensity[c] = static_cast<float>(std::clamp(color * source.intensity, 0.0, 1e18));
    }
    if (source.intensity < 0.0) doc.warn(label + " has a negative intensity, taken as 0");
    light.position = origin(doc, place);
    if (const auto forward = axis(place.to_world, 2, -1.0)) {
        light.direction = *forward;
    } else if (light.kind != LightKind::Point) {
        doc.warn(label + " at " + place.label + " has no direction, since a scale is zero; it is left out");
        return;
    }
    if (source.range > 0.0) light.range = static_cast<float>(source.range);
    const double outer = source.spot.outerConeAngle, inner = source.spot.innerConeAngle;
    if (light.kind == LightKind::Spot && !(inner >= 0.0 && inner < outer && outer <= 1.5707963267949))
        doc.warn(label + " needs cone angles with 0 <= inner < outer <= pi / 2; they are clamped");
    const double safe_outer = std::clamp(outer, 1e-4, 1.5707963267949);
    light.cos_outer = static_cast<float>(std::cos(safe_outer));
    light.cos_inner = static_cast<float>(std::cos(std::clamp(inner, 0.0, safe_outer)));
    scene.lights.push_back(light);
}

}  // namespace warpath
