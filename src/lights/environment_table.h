#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scene/scene_data.h"

namespace warpath {

/// Fills env_texels, env_alias, env_pdf and the environment's constants, raises max_radiance, and returns the luminance
/// integrated over all directions (0 without an environment, or where it is black).
/// A texel's probability is the luminance of its neighbourhood (weights 1 2 1 in both directions) times its exact solid
/// angle. The neighbours are there because lookups are bilinear: half a texel around a bright one shines too. Errors:
/// BadInput when the number of texels does not match the size. A texel that is NaN, infinite or negative counts as 0
/// and
///          adds one warning.
double build_environment(SceneColumns<HostColumn>& columns, SceneConstants& constants,
                         const std::optional<Environment>& environment, std::vector<std::string>& warnings);

}  // namespace warpath
