#pragma once

#include <glm/mat4x4.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/math.h"
#include "scene/material.h"

/// The host's description of a scene: what importers make, before it is flattened into columns (scene_data.h).
/// World space is right-handed, Y up. Lengths are the file's own units. Colours are linear Rec. 709.
namespace warpath {

/// An image as a texture. 8-bit texels stay 8-bit; everything else is linear float.
struct Texture {
    std::string name;                    ///< path or "file.gltf image 3", for messages
    uint32_t width = 0, height = 0;      ///< at least 1 each
    bool srgb = false;                   ///< rgb of texels8 is sRGB-encoded; alpha never is
    std::vector<uint8_t> texels8;        ///< 4 * width * height (RGBA), rows from the top; or
    std::vector<Vec4> texels32;          ///< width * height linear RGBA; exactly one of the two is filled
};

/// Triangles in object space. Optional attributes are empty or one entry per position.
struct Mesh {
    std::string name;
    std::vector<Vec3> positions;
    std::vector<Vec3> normals;           ///< unit; (0,0,0) or an empty array means: use the flat geometric normal
    std::vector<Vec4> tangents;          ///< xyz unit, w = +-1 handedness of the bitangent
    std::vector<Vec2> uvs, uvs1;         ///< v = 0 is the first image row
    std::vector<Vec4> colors;            ///< linear RGBA, multiplies base colour and alpha
    std::vector<UVec3> triangles;        ///< indices into the arrays above
    std::vector<uint32_t> material_ids;  ///< one per triangle, or a single one for all
};

struct Instance {
    std::string name;
    uint32_t mesh = 0;
    glm::dmat4 to_world{1.0};            ///< affine; may mirror, scale unevenly or shear
};

enum class LightKind : uint8_t { Point, Spot, Directional };

/// A light without area, as KHR_lights_punctual has it.
struct PunctualLight {
    LightKind kind = LightKind::Point;
    Vec3 position{0.0f};
    Vec3 direction{0.0f, 0.0f, -1.0f};   ///< unit, the way the light shines (spot, directional)
    Vec3 intensity{1.0f};                ///< radiant intensity W/sr per channel; irradiance W/m^2 for Directional
    float cos_inner = 1.0f, cos_outer = 0.70710678f;  ///< spot: full inside inner, none outside outer
    float range = infinity;              ///< no light beyond this distance
};

/// A lat-long map or a constant sky. Row 0 is the zenith (+Y). With rotation 0 the centre column looks along -Z, and
/// columns run to the right as seen from inside: the column at 3/4 of the width looks along +X.
struct Environment {
    std::string name;
    Vec3 color{1.0f};                    ///< constant radiance, or a factor on the map
    uint32_t width = 0, height = 0;      ///< 0: constant
    std::vector<Vec3> texels;            ///< width * height radiances
    float rotation_deg = 0.0f;           ///< turns the map to the right (clockwise seen from above)
    float scale = 1.0f;
};

/// A sun: a disc of uniform radiance, infinitely far away.
struct Sun {
    Vec3 direction{0.0f, 1.0f, 0.0f};    ///< unit, towards the sun
    float angle_deg = 0.53f;             ///< angular diameter, (0, 180)
    Vec3 radiance{1.0f};
};

struct Camera {
    std::string name;
    Vec3 eye{0.0f, 0.0f, 5.0f}, target{0.0f}, up{0.0f, 1.0f, 0.0f};
    float vfov_deg = 45.0f;              ///< vertical, (0, 180)
    float aperture = 0.0f;               ///< lens radius in world units; 0: pinhole
    float focus_distance = 0.0f;         ///< along the view axis; 0: distance to target
};

/// Render defaults that a scene file may set; the command line overrides them.
struct RenderDefaults {
    std::optional<uint32_t> width, height, spp, max_depth;
    std::optional<uint64_t> seed;
    std::optional<float> exposure;
    std::optional<std::string> sampler, filter;
};

/// Everything in a scene file. Importers check all indices and lengths; later stages trust them.
struct Scene {
    std::string path;
    std::vector<Mesh> meshes;
    std::vector<Instance> instances;
    std::vector<Material> materials;
    std::vector<std::string> material_names;  ///< same length as materials
    std::vector<Texture> textures;
    std::vector<PunctualLight> lights;
    std::vector<Camera> cameras;              ///< the first is the default view
    std::optional<Environment> environment;
    std::optional<Sun> sun;
    RenderDefaults defaults;
    std::vector<std::string> warnings;        ///< one sentence each, naming file and line or object
};

}  // namespace warpath
