#pragma once

#include "core/sampling.h"
#include "render/filter.h"
#include "render/frame.h"
#include "render/sampler.h"

namespace warpath {

/// Starts path `path_index` in a free slot: its camera ray, and everything else a slot holds.
struct Generate {
    static constexpr StageId id = StageId::Generate;
    const FrameView& frame;

    template <class Ctx>
    WARPATH_HD StageId operator()(Ctx& ctx, uint32_t slot, uint64_t path_index) const {
        const FrameConstants& constants = frame.constants;
        const PathKey key = path_key(constants, path_index);
        const Sampler sampler(constants.sampler, constants.seed, key.pixel, key.sample);
        const Vec2 offset = sample_filter(constants.filter, sampler.get_2d(dimension_filter));
        const bool has_lens = !is_zero(constants.camera.lens_u);
        const Vec2 lens = has_lens ? sample_disc(sampler.get_2d(dimension_lens)) : Vec2(0.0f);
        const uint32_t x = key.pixel % constants.width, y = key.pixel / constants.width;
        const Ray ray = camera_ray(constants.camera, static_cast<float>(x) + 0.5f + offset.x,
                                   static_cast<float>(y) + 0.5f + offset.y, lens);

        const SlotsView& slots = frame.slots;
        store_wide(&slots.ray[slot], {ray.origin, -1.0f, ray.dir, invalid_id});
        slots.hit[slot].throughput = Vec3(1.0f);
        slots.hit[slot].pixel = key.pixel;
        slots.shadow[slot].sample = key.sample;
        store_wide(&slots.sum[slot], {Vec3(0.0f), 0, Vec3(0.0f), path_progress(0, StageId::Generate)});
        ctx.count(Counter::Paths, 1);
        return StageId::Intersect;
    }
};

}  // namespace warpath
