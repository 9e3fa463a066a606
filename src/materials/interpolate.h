#pragma once

#include "core/triangle_shape.h"
#include "materials/material_params.h"
#include "scene/scene_data.h"

/// Vertex attributes at a point of a triangle. `u` and `v` are the barycentric weights of vertices 1 and 2.
namespace warpath {

WARPATH_HD inline TriangleShape triangle_shape(const SceneView& scene, const Triangle& triangle) {
    const Vec3 corner = scene.positions[triangle.vertex[0]];
    return {corner, scene.positions[triangle.vertex[1]] - corner, scene.positions[triangle.vertex[2]] - corner};
}

template <class T>
WARPATH_HD inline T interpolate(const ArrayView<T>& column, const Triangle& triangle, float u, float v) {
    const T a = column[triangle.vertex[0]], b = column[triangle.vertex[1]], c = column[triangle.vertex[2]];
    return a * (1.0f - u - v) + b * u + c * v;
}

/// What materials ask about the point; columns that are empty give their defaults.
WARPATH_HD inline SurfaceInputs surface_inputs(const SceneView& scene, const Triangle& triangle, float u, float v) {
    const auto given = [&](const auto& column, auto otherwise) {
        return column.empty() ? otherwise : interpolate(column, triangle, u, v);
    };
    return {given(scene.uvs, Vec2(0.0f)), given(scene.uvs1, Vec2(0.0f)), given(scene.colors, Vec4(1.0f))};
}

}  // namespace warpath
