#pragma once

#include "bvh/bvh.h"
#include "core/columns.h"
#include "core/math.h"
#include "render/stage_id.h"

namespace warpath {

/// State of the paths in flight, one entry per slot in every column.
/// Proof that queues cannot overflow: a slot is in exactly one queue or held by exactly one group, so no queue ever holds more
/// entries than the pool has slots.
template <template <class> class Column>
struct SlotColumns {
    Column<Vec3> origin;             ///< of the extension ray, world space, already offset from the surface
    Column<Vec3> direction;          ///< unit
    Column<Vec3> throughput;         ///< product of bsdf * cos / pdf so far
    Column<Vec3> radiance;           ///< summed in path order
    Column<float> bsdf_pdf;          ///< of `direction`, per solid angle; negative: camera ray or a delta lobe (no MIS)
    Column<uint32_t> pixel;          ///< y * width + x
    Column<uint32_t> sample;         ///< 0 .. spp-1
    Column<uint32_t> depth;          ///< scattering events so far, 0 for a camera ray
    Column<uint32_t> medium;         ///< material id whose absorption holds along `direction`, or invalid_id
    Column<uint32_t> cost;           ///< node steps + triangle tests so far
    Column<Hit> hit;                 ///< what Intersect found
    Column<Vec3> shadow_origin;      ///< of the shadow ray
    Column<Vec3> shadow_direction;   ///< unit
    Column<float> shadow_t_max;      ///< infinity for infinitely distant lights
    Column<Vec3> shadow_radiance;    ///< added to `radiance` when nothing is in the way
    Column<StageId> after_shadow;    ///< Intersect, or Generate when the path ends after its shadow ray

    template <class F, class... S>
    static void for_each_column(F&& f, S&... s) {
        f("origin", s.origin...), f("direction", s.direction...), f("throughput", s.throughput...), f("radiance", s.radiance...);
        f("bsdf_pdf", s.bsdf_pdf...), f("pixel", s.pixel...), f("sample", s.sample...), f("depth", s.depth...), f("medium", s.medium...);
        f("cost", s.cost...), f("hit", s.hit...), f("shadow_origin", s.shadow_origin...), f("shadow_direction", s.shadow_direction...);
        f("shadow_t_max", s.shadow_t_max...), f("shadow_radiance", s.shadow_radiance...), f("after_shadow", s.after_shadow...);
    }
};
using SlotsView = SlotColumns<PointerColumn>;

}  // namespace warpath
