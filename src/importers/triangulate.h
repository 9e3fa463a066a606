#pragma once

#include <glm/vec3.hpp>
#include <span>
#include <vector>

#include "core/math.h"

namespace warpath {

/// Newell's normal of a polygon: its length is twice the area, its direction follows the winding. Zero when all corners
/// lie on a line. Source: Sutherland, Sproull and Schumacker, "A Characterization of Ten Hidden-Surface Algorithms",
/// 1974, section on planes.
glm::dvec3 newell_normal(std::span<const Vec3> polygon);

/// Appends n - 2 triangles (indices into `polygon`, which has n >= 3 corners) that keep its winding.
/// A simple polygon, concave or not and in any plane, is covered exactly. One that is self-intersecting, folded or
/// without area still gives n - 2 triangles, some of which may have no area or overlap. Source: Meisters, "Polygons
/// have ears", 1975; Eberly, "Triangulation by Ear Clipping", 2002, for the lists. Unlike there, corners on a line with
/// their neighbours block ears too, so that no triangle without area is cut while another ear is left.
void triangulate(std::span<const Vec3> polygon, std::vector<UVec3>& triangles);

}  // namespace warpath
