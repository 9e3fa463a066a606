#pragma once

#include "core/type_list.h"
#include "render/stages/generate.h"
#include "render/stages/intersect.h"
#include "render/stages/occlude.h"
#include "render/stages/shade.h"

namespace warpath {

/// All stages, in the order of StageId.
using Stages = TypeList<Generate, Intersect, Shade, Occlude>;

}  // namespace warpath
