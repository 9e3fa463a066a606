#pragma once

#include "importers/obj_data.h"
#include "scene/scene.h"

namespace warpath {

/// One mesh of triangles: polygons cut, corners that agree in position, uv and normal made one vertex, v flipped so
/// that 0 is the image's first row. Triangle t has the material `material_ids[face's name]`, or `no_material` where the
/// file names none. Consumes `data` to save memory.
Mesh build_obj_mesh(ObjData&& data, const std::vector<uint32_t>& material_ids, uint32_t no_material);

}  // namespace warpath
