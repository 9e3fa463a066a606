#pragma once

#include "core/columns.h"
#include "core/math.h"
#include "scene/instance.h"
#include "scene/material.h"
#include "scene/scene.h"

/// The flat scene: columns that are uploaded once, and the read-only views that stages get.
namespace warpath {

/// A vertex as shading reads it: one 32-byte sector of a device's memory, in two loads.
struct alignas(32) SceneVertex {
    struct alignas(16) Place {
        Vec3 position{0.0f};
        float u = 0.0f;
    } place;
    struct alignas(16) Facing {
        Vec3 normal{0.0f};  ///< (0,0,0) means flat
        float v = 0.0f;
    } facing;

    WARPATH_HD Vec2 uv() const { return {place.u, facing.v}; }  ///< of the first set; 0 without one
    operator Vec3() const { return place.position; }
};

/// Indices of one triangle. The first num_world_triangles of the `triangles` column lie in world space, and there a prim_id
/// is an index into it; those after them lie in the object space of a mesh that instances share (instance.h).
struct alignas(8) Triangle {
    uint32_t vertex[3];
    uint32_t material_id;
    uint32_t light_id = invalid_id;  ///< index into `emitters` when its material emits
    uint32_t flags = 0;              ///< see TriangleFlags
};
enum TriangleFlags : uint32_t {
    triangle_flipped = 1,    ///< an odd number of mirrorings: the outside is where the winding runs clockwise
    triangle_has_alpha = 2,  ///< Mask or Blend: traversal must ask alpha before accepting a hit
};

/// Where a texture's texels lie.
struct TextureInfo {
    uint32_t width, height;
    uint64_t offset;         ///< first texel in texels8 (counted in RGBA8 words) or texels32 (in Vec4)
    uint8_t is_float, srgb;
    uint8_t pad_[6];
};

/// One emissive triangle; light selection is by alias table in proportion to power.
struct Emitter {
    uint32_t prim_id;
    float area;              ///< world units squared
    float select_pdf;        ///< probability that the light sampler picks this emitter among all emitters
};

/// Entry of an alias table (Vose): with u in [0,1) scaled to n, keep `i` if frac < threshold, else take `alias`.
struct alignas(8) AliasEntry {
    float threshold;
    uint32_t alias;
};

template <template <class> class Column>
struct SceneColumns {
    Column<Triangle> triangles;
    Column<SceneVertex> vertices;
    Column<Vec4> tangents;           ///< empty, or per vertex; w = 0 means derive from uv
    Column<Vec2> uvs1;               ///< empty, or per vertex
    Column<Vec4> colors;             ///< empty, or per vertex
    Column<Material> materials;
    Column<TextureInfo> textures;
    Column<uint32_t> texels8;        ///< RGBA8 words, R in the lowest byte
    Column<Vec4> texels32;
    Column<Emitter> emitters;
    Column<AliasEntry> emitter_alias;
    Column<PunctualLight> lights;
    Column<Vec3> env_texels;         ///< env_width * env_height, radiance including colour and scale
    Column<AliasEntry> env_alias;    ///< over texels, in proportion to luminance times solid angle
    Column<float> env_pdf;           ///< per texel: probability per unit of solid angle, sr^-1
    Column<float> energy_tables;     ///< directional albedos of the microfacet lobes (materials/energy.h)
    Column<float> srgb_table;        ///< 256 entries: sRGB byte to linear
    Column<SceneInstance> instances; ///< by first_id; empty where all triangles lie in world space

    template <class F, class... S>
    static void for_each_column(F&& f, S&... s) {
        f("triangles", s.triangles...), f("vertices", s.vertices...), f("tangents", s.tangents...);
        f("uvs1", s.uvs1...), f("colors", s.colors...), f("materials", s.materials...), f("textures", s.textures...);
        f("texels8", s.texels8...), f("texels32", s.texels32...), f("emitters", s.emitters...), f("emitter_alias", s.emitter_alias...);
        f("lights", s.lights...), f("env_texels", s.env_texels...), f("env_alias", s.env_alias...), f("env_pdf", s.env_pdf...);
        f("energy_tables", s.energy_tables...), f("srgb_table", s.srgb_table...), f("instances", s.instances...);
    }
};

/// Scalars beside the columns. The same bytes on host and device.
struct SceneConstants {
    Bounds bounds;                   ///< of all triangles, and of boxes around shared ones; world space
    uint32_t num_world_triangles = invalid_id;  ///< prim_ids below are indices into `triangles`
    uint32_t env_width = 0, env_height = 0;  ///< 0: constant environment
    Vec3 env_color{0.0f};            ///< radiance of a constant environment; 0 without one
    float env_rotation = 0.0f;       ///< radians, as Environment::rotation_deg
    bool has_environment = false, has_sun = false;
    Vec3 sun_direction{0.0f, 1.0f, 0.0f}, sun_radiance{0.0f};
    float sun_cos_angle = 1.0f;      ///< cosine of half the angular diameter
    float sun_solid_angle = 0.0f;    ///< sr; 2 pi (1 - cos), which a float cosine near 1 cannot give
    /// Probability with which next-event estimation picks each kind of light; they sum to 1 (or are all 0).
    float select_emitters = 0, select_environment = 0, select_sun = 0, select_lights = 0;
    float max_radiance = 0.0f;       ///< an upper bound of what any light emits, for the film's scale
};

/// What stages get: pointers and scalars, cheap to copy.
struct SceneView : SceneColumns<ViewColumn>, SceneConstants {};

/// Where a triangle lies in the columns.
struct PrimPlace {
    uint32_t triangle;               ///< index into SceneView::triangles
    uint32_t instance = invalid_id;  ///< index into SceneView::instances; invalid_id: in world space
};
WARPATH_HD inline PrimPlace find_prim(const SceneView& scene, uint32_t prim_id) {
    if (prim_id < scene.num_world_triangles) return {prim_id};
    const uint32_t instance = find_instance(scene.instances, prim_id);
    const SceneInstance& of = scene.instances[instance];
    return {prim_id - of.first_id + of.first_triangle, instance};
}

/// Views of all columns; the constants are left as they are by default.
SceneView view_of(const SceneColumns<HostColumn>& columns);

/// The triangles that came from one instance: from `first_id` to the next entry's.
struct ObjectRange {
    uint32_t first_id = 0;
    uint32_t name = 0;       ///< index into SceneData::object_names: the instance's, or else its mesh's
};

/// Owned, flat scene on the host. Made by `flatten` (flatten.h); immutable afterwards.
struct SceneData {
    SceneColumns<HostColumn> columns;
    SceneConstants constants;
    std::vector<Camera> cameras;
    RenderDefaults defaults;
    std::vector<std::string> material_names, warnings;
    std::vector<ObjectRange> objects;    ///< in the order of their triangles
    std::vector<std::string> object_names;   ///< a run of equal ones is kept once
    std::vector<SharedMesh> shared_meshes;
    std::vector<InstanceSpace> instance_spaces;  ///< as columns.instances; may be dropped once the BVH is there
    uint64_t num_prims = 0;              ///< triangles that are rendered: each as often as instances show it
    std::string path;
    std::optional<Environment> environment;  ///< as the scene has it; the light tables are built from it
    std::optional<Sun> sun;
    uint64_t num_meshes = 0, num_instances = 0, num_textures = 0;
    uint64_t num_skipped_triangles = 0;  ///< NaN, infinite, out-of-range or zero-area: counted, warned about, left out
    SceneView view() const;
};

}  // namespace warpath
