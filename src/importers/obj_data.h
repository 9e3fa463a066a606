#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/math.h"
#include "scene/load_watch.h"

namespace warpath {

/// One corner of an OBJ face: indices from 0 into ObjData's arrays; uv and normal may be absent (invalid_id).
struct ObjCorner {
    uint32_t position, uv, normal;
};

struct ObjFace {
    uint32_t first_corner;  ///< its corners end where the next face's begin
    uint32_t material;      ///< index into ObjData::material_names, or invalid_id before any usemtl
    uint32_t smoothing;     ///< group number; 0: flat
};

/// What an OBJ file says, before polygons are cut and normals made.
struct ObjData {
    std::vector<Vec3> positions;
    std::vector<Vec4> colors;   ///< empty, or one per position: the linear RGB that some tools write after xyz
    std::vector<Vec2> uvs;      ///< as in the file: v = 0 is the bottom row
    std::vector<Vec3> normals;  ///< unit, or (0,0,0) where the file's cannot be normalised
    std::vector<ObjCorner> corners;
    std::vector<ObjFace> faces;
    std::vector<std::string> material_names;  ///< in order of first use
    std::vector<std::string> libraries;       ///< the words after each mtllib, in order
    bool has_smoothing = false;               ///< any `s` statement

    size_t corner_end(size_t face) const {
        return face + 1 < faces.size() ? faces[face + 1].first_corner : corners.size();
    }
};

/// Reads the statements v, vt, vn, f, s, usemtl and mtllib; o and g change nothing; lines, points and curves are left
/// out with one warning. `text` is changed (see join_lines). Errors:  BadInput with file and line: a number that is
/// none, an index that is 0 or out of range, binary data; Stopped.
ObjData parse_obj(std::string& text, const std::filesystem::path& path, std::vector<std::string>& warnings,
                  const LoadWatch& watch = {});

/// Gives corners without vn their normals: faces of a smoothing group share them, group 0 stays flat (no normal). A
/// file with neither vn nor any `s` is smoothed where faces meet at less than 30 degrees. Appends to `data.normals`.
/// Source: Thuermer and Wuethrich, "Computing Vertex Normals from Polygonal Facets", JGT 3(1), 1998: weights by angle.
void make_obj_normals(ObjData& data);

}  // namespace warpath
