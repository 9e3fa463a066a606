#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "importers/texture_loader.h"
#include "scene/material.h"

namespace warpath {

/// A texture statement of an MTL file.
struct MtlMap {
    std::string file;                  ///< as written
    float scale_u = 1, scale_v = 1;    ///< -s
    float offset_u = 0, offset_v = 0;  ///< -o
    float bump = 1;                    ///< -bm
    char channel = 0;                  ///< -imfchan: r, g, b, m, l or z; 0: not given
    bool clamp = false;                ///< -clamp on
};

/// What an MTL file says about one material; absent means not said.
struct MtlMaterial {
    std::string name;
    std::filesystem::path file;  ///< the MTL file, which texture paths count from
    std::optional<Vec3> kd, ks, ke, tf;
    std::optional<float> ns, ni, d, pr, pm;  ///< d: dissolve, from `d` or else 1 - `Tr`
    std::optional<int> illum;
    std::optional<MtlMap> map_kd, map_ks, map_ke, map_ns, map_d, map_bump, map_norm, map_pr, map_pm;
};

/// All materials of an MTL text, in order, doubles included. Values that are no numbers and statements that make no
/// sense are warnings and count as absent. `text` is changed (see join_lines).
std::vector<MtlMaterial> parse_mtl(std::string& text, const std::filesystem::path& path,
                                   std::vector<std::string>& warnings);

/// The principled material that an MTL material means; loads its textures. See mtl_material.cpp for the mapping.
Material make_mtl_material(const MtlMaterial& mtl, TextureCache& textures, Scene& scene);

/// The material of faces whose own is not to be found: grey, diffuse, well visible.
Material default_obj_material();

/// A normal map (tangent space, +Y up the image) from the heights of `source`'s first channel times `strength`, slopes
/// taken per texel. Source: Blinn, "Simulation of Wrinkled Surfaces", SIGGRAPH 1978.
Texture normals_from_heights(const Texture& source, float strength, bool clamp);

}  // namespace warpath
