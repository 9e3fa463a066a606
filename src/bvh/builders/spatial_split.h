#pragma once

#include <vector>

#include "bvh/builders/build_mesh.h"
#include "bvh/builders/reference.h"

/// Splits that cut references in two at a plane.
/// Source:  Stich, Friedrich, Dietrich, "Spatial Splits in Bounding Volume Hierarchies", HPG 2009, sections 3 and 4.
namespace warpath {

inline constexpr int num_spatial_bins = 16;

struct SpatialSplit {
    int axis = -1;  ///< -1: none found
    float position = 0.0f;
    float cost = infinity;  ///< sum over sides of half area times number of references
};

/// The two sides, each with references of its own.
struct SpatialParts {
    std::vector<BuildReference> references[2];
    BuildRange ranges[2];
};

/// Box of the part of triangle `reference.prim_id` between two planes, as far as it lies in the reference's box;
/// padded. Empty if there is none.
BuildBox clip(const BuildMesh& mesh, const BuildReference& reference, int axis, float from, float to);

/// Best of equally spaced planes in the range's box.
SpatialSplit find_spatial_split(const BuildMesh& mesh, const BuildRange& range);

/// Carries the split out, adding at most `budget` references. References whose cutting does not pay go to one side
/// whole.
SpatialParts split_spatially(const BuildMesh& mesh, const BuildRange& range, const SpatialSplit& split,
                             uint32_t budget);

}  // namespace warpath
