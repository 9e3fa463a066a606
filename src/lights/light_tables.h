#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scene/scene_data.h"

namespace warpath {

/// How one kind of light takes part in what a scene emits.
struct LightShare {
    double power = 0.0;         ///< W per unit of luminance
    float max_radiance = 0.0f;  ///< that its film must hold
};
struct LightShares {
    LightShare emitters, environment, sun, punctual;
};

/// Fills everything that light sampling needs: `emitters` and `emitter_alias` (and Triangle::light_id of every triangle
/// that can shine), `env_texels`, `env_alias`, `env_pdf` and the environment's constants, the sun's constants, the
/// probabilities select_* and max_radiance. All of it is overwritten, so that another environment can be put in later.
/// Needs:   triangles, positions, uvs, materials, textures, texels, srgb_table, lights and constants.bounds already
/// filled. Units:   an emitter is picked in proportion to area times the mean luminance of its emission, estimated at
/// 16 points of
///          the triangle, plus a floor as long as its texture holds any light at all.
/// Threads: runs on the caller's thread.
/// Returns: warnings, one sentence each: texels of the environment that had to be replaced. `shares`: if not null, what
///          the parts below need to replace one kind of light.
/// Errors:  BadInput when the number of the environment's texels does not match its size.
std::vector<std::string> build_light_tables(SceneColumns<HostColumn>& columns, SceneConstants& constants,
                                            const std::optional<Environment>& environment,
                                            const std::optional<Sun>& sun, LightShares* shares = nullptr);

/// The part of it that depends on emissive materials: emitters are triangles in world space, so light of shared meshes, which
/// only edited materials have, is left for rays to find. `triangles` are those that `scene` has, and may be the same memory.
LightShare build_emitters(const SceneView& scene, std::vector<Triangle>& triangles, std::vector<Emitter>& emitters,
                          std::vector<AliasEntry>& alias);
/// The part of it that depends on the environment: the env_ columns and constants.
LightShare build_sky(SceneColumns<HostColumn>& columns, SceneConstants& constants,
                     const std::optional<Environment>& environment, std::vector<std::string>& warnings);
/// The part that follows from the others: probabilities select_* and max_radiance.
void set_light_shares(SceneConstants& constants, const LightShares& lights);

}  // namespace warpath
