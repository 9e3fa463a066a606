#pragma once

#include "core/columns.h"
#include "core/math.h"

/// Meshes that lie in the scene once, in object space, and the places where they are to be seen.
///
/// Every triangle of every instance has a prim_id of its own: ids below SceneConstants::num_world_triangles are
/// triangles in world space; above, each instance owns as many as its mesh has triangles, from its first_id on.
namespace warpath {

/// An affine map by rows.
struct alignas(16) Affine {
    Vec4 row[3];

    /// Each coordinate errs by at most 3 * 2^-24 times the sum of the magnitudes that it is added up from.
    WARPATH_HD Vec3 point(Vec3 p) const { return applied(p, true); }
    WARPATH_HD Vec3 vector(Vec3 v) const { return applied(v, false); }
    /// Proportional to the inverse transpose by a positive factor: where the normals of a surface go.
    WARPATH_HD Vec3 normal(Vec3 n, bool mirrored) const {
        const Vec4 r[3] = {load_constant(&row[0]), load_constant(&row[1]), load_constant(&row[2])};
        float largest = 0.0f;  // so that products of tiny or huge scales stay in range
        for (int i = 0; i < 9; ++i) largest = max_of(largest, ::fabsf(r[i / 3][i % 3]));
        const float s = 1.0f / largest;
        const Vec3 x = Vec3(r[0].x, r[1].x, r[2].x) * s, y = Vec3(r[0].y, r[1].y, r[2].y) * s,
                   z = Vec3(r[0].z, r[1].z, r[2].z) * s;
        const Vec3 moved = madd(cross(y, z), n.x, madd(cross(z, x), n.y, cross(x, y) * n.z));
        return mirrored ? -moved : moved;
    }

  private:
    WARPATH_HD Vec3 applied(Vec3 v, bool is_point) const {
        Vec3 sum;
        for (int i = 0; i < 3; ++i) {
            const Vec4 r = load_constant(&row[i]);
            sum[i] = fmaf(r.x, v.x, fmaf(r.y, v.y, is_point ? fmaf(r.z, v.z, r.w) : r.z * v.z));
        }
        return sum;
    }
};

/// An instance as shading sees it.
struct SceneInstance {
    Affine to_world;          ///< the inverse of InstanceSpace::to_object, rounded
    uint32_t first_id;        ///< prim_id of its first triangle
    uint32_t first_triangle;  ///< of its mesh, in SceneColumns::triangles
    uint32_t mirrored;        ///< 1: what is the outside in object space is where the winding runs clockwise in the world
    float stretch;            ///< as InstanceSpace has it
};
static_assert(sizeof(SceneInstance) == 64);

/// An instance as the BVH is built from it. Host only.
struct InstanceSpace {
    Affine to_object;   ///< what rays go through: exact, as far as the place of the instance's triangles is concerned
    uint32_t mesh;      ///< index into SceneData::shared_meshes
    uint32_t first_id;
    /// Product of the largest row sums of magnitudes of to_object and its inverse, translation aside: at least 1, 3 at most
    /// for a rotation and a uniform scale. By how much more than in the world rounding counts in the instance.
    float stretch;
    uint32_t pad_ = 0;
};

/// A mesh that instances share. Host only.
struct SharedMesh {
    uint32_t first_triangle, num_triangles;  ///< in SceneColumns::triangles
    Bounds bounds;                           ///< of its triangles, object space
};

/// Instances that stretch space by more than this are laid out in world space, where rounding costs them less.
inline constexpr float max_stretch = 128.0f;

/// The instance whose triangle `prim_id` is. Requires instances[0].first_id <= prim_id. Host compilers and kernels alike
/// keep it out of line: scenes without instances never call it.
WARPATH_HD_CALL inline uint32_t find_instance(ArrayView<SceneInstance> instances, uint32_t prim_id) {
    uint32_t first = 0, count = instances.size;
    while (count > 1) {
        const uint32_t half = count / 2;
        if (instances[first + half].first_id <= prim_id)
            first += half, count -= half;
        else
            count = half;
    }
    return first;
}

}  // namespace warpath
