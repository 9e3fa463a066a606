#pragma once

#include <glm/gtc/matrix_transform.hpp>

#include "scene/scene.h"

namespace warpath {

/// The triangle (0,0,0) (1,0,0) (0,1,0), whose outside looks along +z, with one material.
inline Mesh unit_triangle() {
    Mesh mesh;
    mesh.name = "triangle";
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    mesh.triangles = {{0, 1, 2}};
    mesh.material_ids = {0};
    return mesh;
}

/// A scene of one mesh, instanced once for each matrix.
inline Scene scene_of(Mesh mesh, const std::vector<glm::dmat4>& placements = {glm::dmat4(1.0)}) {
    Scene scene;
    scene.path = "test.scene";
    scene.meshes.push_back(std::move(mesh));
    for (const glm::dmat4& to_world : placements) scene.instances.push_back({"instance", 0, to_world});
    scene.materials.emplace_back();
    scene.material_names.emplace_back("grey");
    return scene;
}

inline glm::dmat4 scaling(glm::dvec3 s) { return glm::scale(glm::dmat4(1.0), s); }
inline glm::dmat4 translation(glm::dvec3 t) { return glm::translate(glm::dmat4(1.0), t); }

}  // namespace warpath
