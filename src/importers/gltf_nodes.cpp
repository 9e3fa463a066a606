#include "importers/gltf_nodes.h"

#include <algorithm>
#include <cmath>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/gtc/quaternion.hpp>

#include "importers/gltf_instancing.h"
#include "importers/gltf_meshes.h"
#include "importers/gltf_views.h"

namespace warpath {

namespace {

std::string node_label(const GltfDocument& doc, size_t index) {
    const std::string& name = doc.model.nodes[index].name;
    return "node " + std::to_string(index) + (name.empty() ? "" : " (\"" + name + "\")");
}

std::vector<int> root_nodes(const tinygltf::Model& model) {
    if (!model.scenes.empty()) return model.scenes[static_cast<size_t>(std::max(model.defaultScene, 0))].nodes;
    std::vector<bool> has_parent(model.nodes.size(), false);
    for (const tinygltf::Node& node : model.nodes)
        for (const int child : node.children) has_parent[static_cast<size_t>(child)] = true;
    std::vector<int> roots;
    for (size_t i = 0; i < model.nodes.size(); ++i)
        if (!has_parent[i]) roots.push_back(static_cast<int>(i));
    return roots;
}

bool is_finite(const glm::dmat4& m) {
    for (int column = 0; column < 4; ++column)
        for (int row = 0; row < 4; ++row)
            if (!std::isfinite(m[column][row])) return false;
    return true;
}

glm::dmat4 from_matrix(const GltfDocument& doc, size_t index) {
    constexpr double tolerance = 1e-6;
    glm::dmat4 m;
    for (int i = 0; i < 16; ++i)
        m[i / 4][i % 4] = doc.model.nodes[index].matrix[static_cast<size_t>(i)];  // column-major
    const bool affine = std::abs(m[0][3]) <= tolerance && std::abs(m[1][3]) <= tolerance &&
                        std::abs(m[2][3]) <= tolerance && std::abs(m[3][3] - 1.0) <= tolerance;
    if (!affine) fail_gltf(doc.path, node_label(doc, index) + " has a matrix whose last row is not 0 0 0 1");
    m[0][3] = m[1][3] = m[2][3] = 0.0;
    m[3][3] = 1.0;
    return m;
}

/// glTF stores x y z w.
glm::dmat4 from_rotation(GltfDocument& doc, size_t index) {
    const std::vector<double>& r = doc.model.nodes[index].rotation;
    const glm::dquat q(r[3], r[0], r[1], r[2]);
    const double length = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    if (length > 0.0) return glm::mat4_cast(glm::dquat(q.w / length, q.x / length, q.y / length, q.z / length));
    doc.warn(node_label(doc, index) + " has a rotation of zero length, taken as none");
    return glm::dmat4(1.0);
}

}  // namespace

glm::dmat4 local_transform(GltfDocument& doc, size_t index) {
    const tinygltf::Node& node = doc.model.nodes[index];
    if (!node.matrix.empty()) return from_matrix(doc, index);
    glm::dmat4 m(1.0);
    if (!node.translation.empty())
        m = glm::translate(m, {node.translation[0], node.translation[1], node.translation[2]});
    if (!node.rotation.empty()) m = m * from_rotation(doc, index);
    if (!node.scale.empty()) m = glm::scale(m, {node.scale[0], node.scale[1], node.scale[2]});
    return m;
}

void place_gltf_nodes(GltfDocument& doc, Scene& scene) {
    struct Visit {
        int node;
        glm::dmat4 parent_to_world;
    };
    std::vector<Visit> stack;
    const auto push_all = [&](const std::vector<int>& nodes, const glm::dmat4& to_world) {
        for (auto it = nodes.rbegin(); it != nodes.rend(); ++it) stack.push_back({*it, to_world});
    };
    GltfMeshReader meshes(doc, scene);
    push_all(root_nodes(doc.model), glm::dmat4(1.0));
    while (!stack.empty()) {
        if (doc.watch) doc.watch->check();
        const Visit visit = stack.back();
        stack.pop_back();
        const auto index = static_cast<size_t>(visit.node);
        const tinygltf::Node& node = doc.model.nodes[index];
        GltfPlace place{visit.parent_to_world * local_transform(doc, index), node_label(doc, index), node.name};
        if (place.name.empty()) place.name = place.label;
        if (!is_finite(place.to_world)) fail_gltf(doc.path, place.label + " has a transform that is not finite");
        if (node.mesh >= 0) {
            const uint32_t mesh = meshes.mesh(node.mesh);
            if (mesh != invalid_id)
                for (const glm::dmat4& transform : gltf_instance_transforms(doc, node, place.label))
                    scene.instances.push_back({place.name, mesh, place.to_world * transform});
        }
        if (node.skin >= 0) doc.warn("it has skins, which are left out; their meshes are shown unposed");
        if (node.camera >= 0) add_gltf_camera(doc, node.camera, place, scene);
        if (const int light = node_light(node); light >= 0) add_gltf_light(doc, light, place, scene);
        push_all(node.children, place.to_world);
    }
}

}  // namespace warpath
