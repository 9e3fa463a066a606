#pragma once

#include <optional>

#include "scene/scene_data.h"

namespace warpath {

/// Fills everything that light sampling needs: `emitters` and `emitter_alias` (and Triangle::light_id of every triangle that can
/// shine), `env_texels`, `env_alias`, `env_pdf` and the environment's constants, the sun's constants, the probabilities select_*
/// and max_radiance. All of it is overwritten, so that another environment can be put in later.
/// Needs:   triangles, positions, uvs, materials, textures, texels, srgb_table, lights and constants.bounds already filled.
/// Units:   an emitter is picked in proportion to area times the mean luminance of its emission, estimated at 16 points of
///          the triangle, plus a floor as long as its texture holds any light at all.
/// Threads: runs on the caller's thread.
/// Errors:  BadInput when the environment's texels do not match its size, or one is NaN, infinite or negative.
void build_light_tables(SceneColumns<HostColumn>& columns, SceneConstants& constants,
                        const std::optional<Environment>& environment, const std::optional<Sun>& sun);

}  // namespace warpath
