#pragma once

#include <string>
#include <vector>

#include "core/math.h"

namespace warpath::experiments {

/// Triangles to trace rays through, in world space, and from where. No indices, no alpha, no instances: what every ray tracer takes.
struct TraversalScene {
    std::string name;
    std::vector<Vec3> soup;  ///< three vertices a triangle
    Vec3 eye{0.0f}, target{0.0f, 0.0f, -1.0f}, up{0.0f, 1.0f, 0.0f};
    float vfov_deg = 60;
    /// Shadow rays end on this parallelogram, which is no geometry.
    Vec3 light_corner{0.0f}, light_edges[2] = {Vec3{0.0f}, Vec3{0.0f}};

    uint32_t num_triangles() const { return static_cast<uint32_t>(soup.size() / 3); }
    Bounds bounds() const;
};

/// A scene made from fixed seeds: the same triangles everywhere.
struct GeneratedScene {
    const char* name;
    /// `scale` in (0, 1]: about this share of the triangles (atrium: always all).
    TraversalScene (*make)(float scale);
};

/// atrium (282,920 triangles), a closed colonnaded hall: large walls beside dense columns, cloth and leaves; terrain (1,620,000), a ridged height field;
/// hairball (3,000,000), thin tubes on random walks in a ball; rocks10M (10,005,250), hills with finely displaced rocks.
const std::vector<GeneratedScene>& generated_scenes();

}  // namespace warpath::experiments
