#pragma once

#include "render/stages/continue_path.h"
#include "render/stages/direct_light.h"
#include "render/stages/emission.h"

namespace warpath {

/// What happens where an extension ray ends: the light found there, the shadow ray of next-event estimation, and the
/// next extension ray. Goes to Occlude if there is a shadow ray, else to Intersect; a path that ends without one is
/// added to the film. Source:  Kajiya, "The Rendering Equation", SIGGRAPH 1986; Veach, "Robust Monte Carlo Methods for
/// Light Transport Simulation",
///          PhD thesis, Stanford 1997, chapters 9 and 10.
struct Shade {
    static constexpr StageId id = StageId::Shade;
    const FrameView& frame;

    template <class Ctx>
    WARPATH_HD StageId operator()(Ctx& ctx, uint32_t slot) const {
        const SlotsView& slots = frame.slots;
        const SlotHit at = load_wide(&slots.hit[slot]);
        const SlotSum sum = load_wide(&slots.sum[slot]);
        const uint32_t depth = path_depth(sum.progress);
        Vec3 radiance = sum.radiance;
        const bool missed = at.hit.prim_id == invalid_id;
        const StageId next = missed ? escape(ctx, slot, at.throughput, radiance) : scatter(ctx, slot, at, depth, radiance);
        if (next == StageId::Generate)
            frame.film.add_sample(ctx, at.pixel, radiance, sum.cost);
        else
            slots.sum[slot].radiance = radiance;
        return next;
    }

  private:
    /// The path leaves the scene. The film's sums over first hits count a miss as 0.
    template <class Ctx>
    WARPATH_HD StageId escape(Ctx& ctx, uint32_t slot, Vec3 throughput, Vec3& radiance) const {
        const SlotRay ray = load_wide(&frame.slots.ray[slot]);
        ctx.count(Counter::Misses, 1);
        radiance += throughput * escaped_radiance(frame, ray.direction, ray.bsdf_pdf);
        return StageId::Generate;
    }
    /// The path meets a surface. Returns where its slot goes; Generate if the path ends with `radiance`.
    template <class Ctx>
    WARPATH_HD StageId scatter(Ctx& ctx, uint32_t slot, const SlotHit& arrived, uint32_t depth, Vec3& radiance) const {
        const SlotsView& slots = frame.slots;
        ctx.count(Counter::ShadedHits, 1);
        const SlotRay ray = load_wide(&slots.ray[slot]);
        const Hit& hit = arrived.hit;
        const SurfacePoint at = make_surface_point(frame.scene, hit, -ray.direction);
        const MaterialParams params =
            resolve_material(frame.scene, frame.scene.materials[at.material_id], at.inputs, at.front_side);
        if (depth == 0) frame.film.add_first_hit(ctx, arrived.pixel, params.base_color, at.shading.normal, hit.t);

        const uint32_t medium = medium_before(frame.scene, at, ray.medium);
        Vec3 throughput = arrived.throughput * transmittance(frame.scene, medium, hit.t);
        const Vec3 emitted = surface_radiance(frame, at, params.emission, ray.direction, hit.t, ray.bsdf_pdf);
        radiance += throughput * emitted;
        if (depth >= frame.constants.max_depth) return StageId::Generate;

        const Sampler sampler(frame.constants.sampler, frame.constants.seed, arrived.pixel, slots.shadow[slot].sample);
        const DirectLight light = draw_light(frame, at, params, sampler, depth, medium);
        if (!is_zero(light.wi)) store_shadow_ray(slot, light);  // at once, so that no register holds it
        const Lobes lobes = make_lobes(frame.scene, params, at.wo);
        const SampleGroup random = sampler.get_group(bounce_dimension(depth) + dimension_bsdf_uv);
        BsdfSample next = draw_direction(at, lobes, random);
        const BsdfValue toward_light = evaluate_hit(at, lobes, light.wi, next);

        const Vec3 shadow_radiance = throughput * light.scattered(toward_light);
        const bool goes_on = continue_path(next, random, depth, throughput);
        if (goes_on) store_extension_ray(slot, at, next, throughput, medium);
        const StageId after = goes_on ? StageId::Intersect : StageId::Generate;
        slots.sum[slot].progress = path_progress(depth + 1, after);
        if (!is_zero(shadow_radiance)) {
            slots.sum[slot].shadow_radiance = shadow_radiance;
            return StageId::Occlude;
        }
        if (!goes_on && !is_finite(throughput)) radiance = throughput;  // the film reports the pixel
        return after;
    }
    WARPATH_HD void store_extension_ray(uint32_t slot, const SurfacePoint& at, const BsdfSample& next, Vec3 throughput,
                                        uint32_t medium) const {
        const uint32_t beyond = next.transmitted ? medium_beyond(frame.scene, at, medium) : medium;
        store_wide(&frame.slots.ray[slot], {at.origin(next.transmitted), next.delta ? -1.0f : next.pdf, next.wi, beyond});
        frame.slots.hit[slot].throughput = throughput;
    }
    WARPATH_HD void store_shadow_ray(uint32_t slot, const DirectLight& direct) const {
        SlotShadowRay& ray = frame.slots.shadow[slot];
        ray.origin = direct.origin;
        ray.t_max = direct.t_max;
        ray.direction = direct.direction;
    }
};

}  // namespace warpath
