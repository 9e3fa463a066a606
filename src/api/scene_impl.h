#pragma once

#include <optional>

#include "bvh/bvh.h"
#include "lights/light_tables.h"
#include "scene/scene_data.h"
#include "warpath/scene.h"

namespace warpath {

/// What a LoadedScene holds.
struct SceneImpl {
    SceneData data;
    Bvh bvh;
    SceneInfo info;
    LightShares lights;
    std::optional<Environment> environment;    ///< without its texels where data's are the same
    std::vector<uint8_t> asks_alpha;           ///< by material: rays ask it at every triangle that has it
};

}  // namespace warpath
