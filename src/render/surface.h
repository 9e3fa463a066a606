#pragma once

#include "bvh/bvh.h"
#include "core/triangle_shape.h"
#include "materials/interpolate.h"

/// From a hit to the point that is shaded.
namespace warpath {

/// A point of a surface as one path sees it. Both normals are on wo's side.
struct SurfacePoint {
    Vec3 position;          ///< interpolated from the corners
    Vec3 geometric_normal;  ///< unit
    Frame shading;          ///< its normal is interpolated, mapped, and bent until wo is above it
    Vec3 wo;                ///< in the shading frame; wo.z > 0
    float offset;           ///< how far along the geometric normal a ray leaving this point must start
    SurfaceInputs inputs;
    uint32_t material_id, light_id;
    bool front_side;  ///< wo is on the outside

    /// Where a ray leaves: on wo's side, or on the other one if it was transmitted.
    WARPATH_HD Vec3 origin(bool transmitted) const {
        return madd(geometric_normal, transmitted ? -offset : offset, position);
    }
};

namespace detail {

/// The triangle of a hit, in world space.
struct HitTriangle {
    const Triangle& triangle;
    /// That it was placed by; invalid_id: none. An index on purpose: a pointer that may be null was compared before it was written (nvcc 13.0, sm_90).
    uint32_t instance;
    TriangleVertices vertices;
    TriangleShape shape;
    bool mirrored = false;      ///< by its instance
    float added_offset = 0.0f;  ///< to TriangleShape::offset, for a unit normal in any direction

    WARPATH_HD HitTriangle(const SceneView& scene, const PrimPlace& prim)
        : triangle(scene.triangles[prim.triangle]), instance(prim.instance), vertices(scene, triangle), shape(vertices.shape()) {
        if (instance != invalid_id) place(scene.instances[instance]);
    }
    /// Whether the outside is where the winding runs clockwise.
    WARPATH_HD bool flipped() const { return ((triangle.flags & triangle_flipped) != 0) != mirrored; }

  private:
    /// What rounding adds where rays meet a triangle in its instance's space (bvh/builders/instance_boxes.h has the notation; x is a point of the
    /// triangle and b the instance's origin, in the world; s the stretch). A corner's place is wrong by 4 e (|B| |L x + a| + |b|): the map's three
    /// roundings, and that of its entries; the next ray's origin by 3 e |B| (|L| |x| + |a|). With |a| <= |L| |b| both come to at most
    /// 11 e s (|x| + |b|) on an axis. Near the triangle the ray's direction errs by 3 e s times its size, and the test by
    /// (8 + thinness) e times the size that it has in the instance's space.
    WARPATH_HD void place(const SceneInstance& by) {
        constexpr float half_ulp = 0x1p-24f, axes = 1.7320508f;  // sum of a unit vector's components, at most
        const float own_thinness = shape.thinness();
        mirrored = by.mirrored != 0;
        vertices.place(by);
        shape = vertices.shape();
        const Affine& m = by.to_world;
        const float far = TriangleShape::largest(shape.corner) + shape.size() + TriangleShape::largest({m.row[0].w, m.row[1].w, m.row[2].w});
        added_offset = half_ulp * axes * by.stretch * (11.0f * far + (11.0f + own_thinness) * shape.size());
    }
};

/// Unit vector along `a`, or (0,0,0) if `a` has no usable length.
WARPATH_HD inline Vec3 normalize_or_zero(Vec3 a) {
    const float squared = length_squared(a);
    return squared > 1e-30f && is_finite(squared) ? a * (1.0f / ::sqrtf(squared)) : Vec3(0.0f);
}

/// A tangent where the instance has it, as flatten would have laid it out.
WARPATH_HD inline Vec4 placed_tangent(const SceneView& scene, const HitTriangle& at, const Hit& hit) {
    const SceneInstance& instance = scene.instances[at.instance];
    Vec4 placed[3];
    for (int i = 0; i < 3; ++i) {
        const Vec4 t = scene.tangents[at.triangle.vertex[i]];
        const Vec3 moved = instance.to_world.vector({t.x, t.y, t.z});
        const float squared = length_squared(moved);
        placed[i] = squared > 0.0f ? Vec4(moved * (1.0f / ::sqrtf(squared)), at.mirrored ? -t.w : t.w) : Vec4(0.0f);
    }
    return interpolate(placed[0], placed[1], placed[2], hit.u, hit.v);
}

/// Tangent with the sign of the bitangent in w, from the vertices or else from how uv runs over the triangle; w = 0
/// without one. The bitangent of a normal map points up in its image, against v.
WARPATH_HD inline Vec4 surface_tangent(const SceneView& scene, const HitTriangle& at, Vec3 normal, const Material& material, const Hit& hit) {
    const Triangle& triangle = at.triangle;
    const TriangleShape& shape = at.shape;
    if (!scene.tangents.empty()) {
        const Vec4 tangent = at.instance != invalid_id ? placed_tangent(scene, at, hit) : interpolate(scene.tangents, triangle, hit.u, hit.v);
        if (tangent.w != 0.0f) return {tangent.x, tangent.y, tangent.z, tangent.w < 0.0f ? -1.0f : 1.0f};
    }
    const bool first_set = material.normal_tex.uv_set == 0;
    if (!first_set && scene.uvs1.empty()) return Vec4(0.0f);
    const auto uv = [&](int i) { return first_set ? at.vertices.vertex[i].uv() : scene.uvs1[triangle.vertex[i]]; };
    const Vec2 corner = uv(0), d1 = uv(1) - corner, d2 = uv(2) - corner;
    const float det = d1.x * d2.y - d1.y * d2.x;
    if (!(det != 0.0f) || !is_finite(det)) return Vec4(0.0f);
    const float sign = det < 0.0f ? -1.0f : 1.0f;
    const Vec3 along_u = (shape.edge1 * d2.y - shape.edge2 * d1.y) * sign;
    const Vec3 along_v = (shape.edge2 * d1.x - shape.edge1 * d2.x) * sign;
    const Vec3 tangent = normalize_or_zero(along_u);
    return {tangent.x, tangent.y, tangent.z, dot(cross(normal, tangent), along_v) > 0.0f ? -1.0f : 1.0f};
}

/// Turns `normal` by the material's normal map; unchanged where uv or tangent are degenerate.
WARPATH_HD inline Vec3 mapped_normal(const SceneView& scene, const HitTriangle& at, Vec3 normal, const SurfaceInputs& inputs, const Hit& hit) {
    const Material& material = scene.materials[at.triangle.material_id];
    if (!material.normal_tex.valid()) return normal;
    const Vec4 tangent = surface_tangent(scene, at, normal, material, hit);
    const Vec3 raw{tangent.x, tangent.y, tangent.z};
    const Vec3 x = normalize_or_zero(madd(normal, -dot(raw, normal), raw));
    if (tangent.w == 0.0f || is_zero(x)) return normal;
    const Vec3 local = resolve_normal(scene, material, inputs);
    const Vec3 y = cross(normal, x) * tangent.w;
    return normalize(madd(x, local.x, madd(y, local.y, normal * local.z)));
}

/// The shading normal nearest to `normal` that has `wo` above it by at least the cosine that the geometric normal has,
/// or 0.01. Without this, wo would be inside the surface where interpolated or mapped normals lean away from the
/// viewer.
WARPATH_HD inline Vec3 bend_towards(Vec3 normal, Vec3 wo, Vec3 geometric_normal) {
    const float least = clamp(dot(wo, geometric_normal), 1e-6f, 0.01f);
    const float cosine = dot(normal, wo);
    if (cosine >= least) return normal;
    const Vec3 side = normalize_or_zero(madd(wo, -cosine, normal));
    if (is_zero(side)) return dot(wo, geometric_normal) >= 1e-6f ? geometric_normal : wo;
    return normalize(madd(side, ::sqrtf(1.0f - least * least), wo * least));
}

}  // namespace detail

/// `wo` is unit, in world space, and points to where the ray came from.
WARPATH_HD inline SurfacePoint make_surface_point(const SceneView& scene, const Hit& hit, Vec3 wo) {
    const detail::HitTriangle met(scene, find_prim(scene, hit.prim_id));
    const Triangle& triangle = met.triangle;
    const TriangleVertices& vertices = met.vertices;
    const TriangleShape& shape = met.shape;
    const Vec3 outside = met.flipped() ? -shape.normal() : shape.normal();

    SurfacePoint at;
    at.position = shape.position(hit.u, hit.v);
    at.front_side = dot(wo, outside) >= 0.0f;
    at.geometric_normal = at.front_side ? outside : -outside;
    at.offset = shape.offset(outside) + met.added_offset;
    at.inputs = surface_inputs(scene, triangle, vertices.uv(hit.u, hit.v), hit.u, hit.v);
    at.material_id = triangle.material_id;
    at.light_id = triangle.light_id;

    Vec3 normal = outside;
    const Vec3 smooth = detail::normalize_or_zero(vertices.normal(hit.u, hit.v));
    if (!is_zero(smooth)) normal = smooth;
    const bool same_side = dot(normal, at.geometric_normal) >= 0.0f;
    normal = detail::mapped_normal(scene, met, normal, at.inputs, hit);
    normal = detail::bend_towards(same_side ? normal : -normal, wo, at.geometric_normal);
    at.shading = Frame::from_normal(normal);
    at.wo = at.shading.to_local(wo);
    at.wo.z = max_of(at.wo.z, 1e-7f);
    return at;
}

}  // namespace warpath
