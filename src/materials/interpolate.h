#pragma once

#include "core/triangle_shape.h"
#include "materials/material_params.h"
#include "scene/scene_data.h"

/// Vertex attributes at a point of a triangle. `u` and `v` are the barycentric weights of vertices 1 and 2.
namespace warpath {

WARPATH_HD inline TriangleShape triangle_shape(Vec3 a, Vec3 b, Vec3 c) { return {a, b - a, c - a}; }
WARPATH_HD inline TriangleShape triangle_shape(const SceneView& scene, const Triangle& triangle) {
    const auto position = [&](int i) { return load_constant(&scene.vertices[triangle.vertex[i]].place).position; };
    return triangle_shape(position(0), position(1), position(2));
}

template <class T>
WARPATH_HD inline T interpolate(const T& a, const T& b, const T& c, float u, float v) {
    return a * (1.0f - u - v) + b * u + c * v;
}
template <class T>
WARPATH_HD inline T interpolate(const ArrayView<T>& column, const Triangle& triangle, float u, float v) {
    return interpolate(column[triangle.vertex[0]], column[triangle.vertex[1]], column[triangle.vertex[2]], u, v);
}

/// A triangle's three vertices, fetched side by side.
struct TriangleVertices {
    SceneVertex vertex[3];

    WARPATH_HD TriangleVertices(const SceneView& scene, const Triangle& triangle) {
        for (int i = 0; i < 3; ++i) {
            const SceneVertex& from = scene.vertices[triangle.vertex[i]];
            vertex[i] = {load_constant(&from.place), load_constant(&from.facing)};
        }
    }
    /// From a shared mesh's space to where the instance has it, as if it had been laid out there.
    WARPATH_HD void place(const SceneInstance& instance) {
        for (int i = 0; i < 3; ++i) {
            vertex[i].place.position = instance.to_world.point(vertex[i].place.position);
            const Vec3 n = instance.to_world.normal(vertex[i].facing.normal, instance.mirrored != 0);
            const float squared = length_squared(n);
            vertex[i].facing.normal = squared > 0.0f ? n * (1.0f / ::sqrtf(squared)) : Vec3(0.0f);
        }
    }
    WARPATH_HD TriangleShape shape() const {
        return triangle_shape(vertex[0].place.position, vertex[1].place.position, vertex[2].place.position);
    }
    WARPATH_HD Vec3 normal(float u, float v) const {
        return interpolate(vertex[0].facing.normal, vertex[1].facing.normal, vertex[2].facing.normal, u, v);
    }
    WARPATH_HD Vec2 uv(float u, float v) const {
        return interpolate(vertex[0].uv(), vertex[1].uv(), vertex[2].uv(), u, v);
    }
};

/// The triangle that prim_id names, in world space.
WARPATH_HD inline TriangleShape placed_shape(const SceneView& scene, const PrimPlace& prim) {
    TriangleVertices vertices(scene, scene.triangles[prim.triangle]);
    if (prim.instance != invalid_id) vertices.place(scene.instances[prim.instance]);
    return vertices.shape();
}

/// What materials ask about the point; columns that are empty give their defaults.
WARPATH_HD inline SurfaceInputs surface_inputs(const SceneView& scene, const Triangle& triangle, Vec2 uv, float u,
                                               float v) {
    const auto given = [&](const auto& column, auto otherwise) {
        return column.empty() ? otherwise : interpolate(column, triangle, u, v);
    };
    return {uv, given(scene.uvs1, Vec2(0.0f)), given(scene.colors, Vec4(1.0f))};
}
WARPATH_HD inline SurfaceInputs surface_inputs(const SceneView& scene, const Triangle& triangle, float u, float v) {
    const auto uv = [&](int i) { return scene.vertices[triangle.vertex[i]].uv(); };
    return surface_inputs(scene, triangle, interpolate(uv(0), uv(1), uv(2), u, v), u, v);
}

}  // namespace warpath
