#pragma once

#include "bvh/bvh.h"
#include "scene/scene_data.h"
#include "warpath/scene.h"

namespace warpath {

/// What a LoadedScene holds.
struct SceneImpl {
    SceneData data;
    Bvh bvh;
    SceneInfo info;
};

}  // namespace warpath
