#pragma once

#include <utility>

#include "scene/scene.h"

/// Meshes and materials that tests of light transport put together.
namespace warpath {

inline Material lambert(Vec3 albedo) {
    Material material;
    material.base_color = albedo;
    material.specular = 0.0f;
    return material;
}
/// A lamp that reflects nothing.
inline Material lamp(Vec3 radiance) {
    Material material = lambert(Vec3(0.0f));
    material.emission = radiance;
    return material;
}
inline Material mirror() {
    Material material;
    material.base_color = Vec3(1.0f);
    material.metallic = 1.0f;
    material.roughness = 0.0f;
    return material;
}
inline Material clear_glass(float ior = 1.5f) {
    Material material;
    material.base_color = Vec3(1.0f);
    material.transmission = 1.0f;
    material.roughness = 0.0f;
    material.ior = ior;
    return material;
}

/// Parallelogram corner + u * edge_u + v * edge_v; its outside looks along cross(edge_u, edge_v). uv = (u, v).
inline Mesh quad(Vec3 corner, Vec3 edge_u, Vec3 edge_v) {
    Mesh mesh;
    mesh.name = "quad";
    mesh.positions = {corner, corner + edge_u, corner + edge_u + edge_v, corner + edge_v};
    mesh.uvs = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
    mesh.material_ids = {0};
    return mesh;
}

/// Regular polygon of `n` corners around `center`, a fan of triangles; a disc for large n. Its outside looks along
/// `normal`.
inline Mesh disc(Vec3 center, Vec3 normal, float radius, int n) {
    const Frame frame = Frame::from_normal(normal);
    Mesh mesh;
    mesh.name = "disc";
    mesh.positions.push_back(center);
    for (int i = 0; i < n; ++i) {
        const float phi = 2.0f * pi * static_cast<float>(i) / static_cast<float>(n);
        mesh.positions.push_back(center + frame.to_world({radius * std::cos(phi), radius * std::sin(phi), 0.0f}));
    }
    for (int i = 0; i < n; ++i)
        mesh.triangles.push_back({0, 1 + static_cast<uint32_t>(i), 1 + static_cast<uint32_t>((i + 1) % n)});
    mesh.material_ids = {0};
    return mesh;
}

/// Closed box of side `2 * half`, outside outwards.
inline Mesh box(Vec3 center, float half) {
    Mesh mesh;
    mesh.name = "box";
    for (int i = 0; i < 8; ++i)
        mesh.positions.push_back(center + half * Vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1));
    const uint32_t faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    for (const auto& f : faces) {
        mesh.triangles.push_back({f[0], f[1], f[2]});
        mesh.triangles.push_back({f[0], f[2], f[3]});
    }
    mesh.material_ids = {0};
    return mesh;
}

/// Puts a mesh with a material of its own into the scene.
inline void add(Scene& scene, Mesh mesh, const Material& material) {
    mesh.material_ids = {static_cast<uint32_t>(scene.materials.size())};
    scene.materials.push_back(material);
    scene.material_names.push_back("material");
    scene.instances.push_back({"instance", static_cast<uint32_t>(scene.meshes.size()), glm::dmat4(1.0)});
    scene.meshes.push_back(std::move(mesh));
}

/// A camera that sees only a small patch around `target`.
inline Camera narrow_camera(Vec3 eye, Vec3 target, float vfov_deg = 0.2f) {
    Camera camera;
    camera.eye = eye, camera.target = target, camera.up = {0.1f, 0.9f, 0.3f};
    camera.vfov_deg = vfov_deg;
    return camera;
}

inline Environment white_sky(float radiance = 1.0f) {
    Environment environment;
    environment.name = "white";
    environment.color = Vec3(radiance);
    return environment;
}

}  // namespace warpath
