#pragma once

#include "bvh/bvh.h"
#include "core/columns.h"
#include "core/math.h"
#include "render/stage_id.h"

namespace warpath {

/// The state of a path in flight is four records of 32 bytes, the grain of a GPU's memory: a scheduler that runs paths in any order touches no
/// byte for nothing, and what one step of a path reads lies together.
///
/// The extension ray, world space; its origin is already offset from the surface.
struct alignas(32) SlotRay {
    Vec3 origin;
    float bsdf_pdf;           ///< of `direction`, per solid angle; negative: camera ray or a delta lobe (no MIS)
    Vec3 direction;           ///< unit
    uint32_t medium;          ///< material id whose absorption holds along `direction`, or invalid_id
};
/// What Intersect found, and what the path carries there.
struct alignas(32) SlotHit {
    Hit hit;
    Vec3 throughput;          ///< product of bsdf * cos / pdf so far
    uint32_t pixel;           ///< y * width + x
};
/// The shadow ray, world space.
struct alignas(32) SlotShadowRay {
    Vec3 origin;
    float t_max;              ///< infinity for infinitely distant lights
    Vec3 direction;           ///< unit
    uint32_t sample;          ///< of the path, not the shadow ray: 0 .. spp-1
};
/// What the path has gathered.
struct alignas(32) SlotSum {
    Vec3 radiance;            ///< summed in path order
    uint32_t cost;            ///< of the path's rays so far: FilmConstants::ray_cost()
    Vec3 shadow_radiance;     ///< added to `radiance` when nothing is in the way of the shadow ray
    uint32_t progress;        ///< path_progress()
};

/// Scattering events so far, 0 for a camera ray, at most 2^30 - 1; and where the path goes after its shadow ray: Intersect, or Generate when it ends there.
WARPATH_HD inline uint32_t path_progress(uint32_t depth, StageId after_shadow) { return depth << 2 | static_cast<uint32_t>(after_shadow); }
WARPATH_HD inline uint32_t path_depth(uint32_t progress) { return progress >> 2; }
WARPATH_HD inline StageId after_shadow_ray(uint32_t progress) { return static_cast<StageId>(progress & 3u); }

/// The paths in flight, one entry per slot in every column.
/// Proof that queues cannot overflow: a slot is in exactly one queue or held by exactly one group, so no queue ever holds more
/// entries than the pool has slots.
template <template <class> class Column>
struct SlotColumns {
    Column<SlotRay> ray;
    Column<SlotHit> hit;
    Column<SlotShadowRay> shadow;
    Column<SlotSum> sum;

    template <class F, class... S>
    static void for_each_column(F&& f, S&... s) {
        f("extension rays", s.ray...), f("hits", s.hit...), f("shadow rays", s.shadow...), f("sums", s.sum...);
    }
};
using SlotsView = SlotColumns<PointerColumn>;

}  // namespace warpath
