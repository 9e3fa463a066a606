#pragma once

#include <cmath>

#include "core/context.h"
#include "core/platform.h"
#include "experiments/ray_cost.h"
#include "render/frame.h"
#include "render/stage_id.h"
#include "warpath/counters.h"

namespace warpath::experiments {

/// One spin, the unit of synthetic work: 8 dependent fused multiply-adds, which the compiler can neither shorten nor drop. Converges to 1, so that it
/// never overflows however long it runs.
WARPATH_HD inline float spin(float x, uint32_t num_spins) {
    WARPATH_ROLLED for (uint32_t i = 0; i < num_spins; ++i) {
        x = fmaf(x, 0.5f, 0.5f), x = fmaf(x, 0.5f, 0.5f), x = fmaf(x, 0.5f, 0.5f), x = fmaf(x, 0.5f, 0.5f);
        x = fmaf(x, 0.5f, 0.5f), x = fmaf(x, 0.5f, 0.5f), x = fmaf(x, 0.5f, 0.5f), x = fmaf(x, 0.5f, 0.5f);
    }
    return x;
}

/// What the synthetic stages read and write: device memory, all pointers.
struct SyntheticView {
    const uint32_t* first_ray = nullptr;  ///< num_paths + 1: where each path's rays begin; null: each path has rays_per_path extension rays without steps
    const uint32_t* rays = nullptr;       ///< pack_ray(); the first of a path and every one after a shadow ray is an extension ray
    uint32_t* ended = nullptr;            ///< [num_paths], how often each path ended; cleared before a frame
    uint32_t* steps = nullptr;            ///< [num_paths], steps that each path made; null where none have any
    uint32_t* slot_path = nullptr;        ///< the columns of a slot from here on, [num_slots] each
    uint32_t *slot_next = nullptr, *slot_end = nullptr;  ///< its next ray, and where its path's rays end
    uint32_t* slot_steps = nullptr;       ///< so far
    float* slot_value = nullptr;          ///< what the spins compute
    uint64_t* slot_state = nullptr;       ///< state_words columns that every shading reads and writes, as real ones do their slot
    uint64_t num_paths = 0;
    uint32_t num_slots = 0, state_words = 0;
    uint32_t rays_per_path = 1;
    uint32_t spins_per_step = 1, steps_per_round = 1;  ///< steps that a ray goes in one cursor step
    uint32_t shade_spins[num_shading_classes] = {};
};

/// Stages that trace nothing. Each path makes the rays of a cost stream in its order, a ray of n steps spins n times as long as one of one step, and
/// shading spins by its class: what remains is what a scheduler does, and any imbalance that one asks for. The order of stages is that of the
/// renderer's: Intersect, Shade, then Occlude where a shadow ray follows, then Intersect again, or Generate when the path is over.
struct SyntheticStages {
    SyntheticView view;
    PathRange paths;  ///< of the frame; path_index counts from its first

    WARPATH_HD uint64_t num_paths() const {
        const uint64_t left = view.num_paths > paths.first ? view.num_paths - paths.first : 0;
        return left < paths.count ? left : paths.count;
    }
    WARPATH_HD PathRange range() const { return paths; }

    template <class Ctx>
    WARPATH_HD StageId generate(Ctx& ctx, uint32_t slot, uint64_t path_index) const {
        const uint32_t path = static_cast<uint32_t>(paths.first + path_index);
        view.slot_path[slot] = path;
        view.slot_next[slot] = view.first_ray ? view.first_ray[path] : 0;
        view.slot_end[slot] = view.first_ray ? view.first_ray[path + 1] : view.rays_per_path;
        if (view.steps) view.slot_steps[slot] = 0;
        view.slot_value[slot] = 2.0f;
        ctx.count(Counter::Paths, 1);
        return StageId::Intersect;
    }
    template <StageId stage, class Ctx>
    WARPATH_HD StageId run(Ctx& ctx, uint32_t slot) const {
        static_assert(stage == StageId::Shade, "rays are traced by a cursor");
        const uint32_t next = view.slot_next[slot];
        const uint32_t spins = view.shade_spins[view.rays ? class_of_ray(view.rays[next - 1]) : 0];
        if (spins > 0) view.slot_value[slot] = spin(view.slot_value[slot], spins);
        for (uint32_t i = 0; i < view.state_words; ++i) view.slot_state[static_cast<uint64_t>(i) * view.num_slots + slot] += next + i;
        if (next == view.slot_end[slot]) return end_path(ctx, slot);
        return view.rays && is_shadow_ray(view.rays[next]) ? StageId::Occlude : StageId::Intersect;
    }

    /// A ray under way; see render/stages/trace.h for the order of calls.
    struct CursorStack {};
    struct Cursor {
        const SyntheticView* view;
        float value = 0;
        uint32_t steps_left = 0, steps = 0;

        WARPATH_HD void begin(uint32_t slot, StageId) {
            steps = steps_left = view->rays ? steps_of_ray(view->rays[view->slot_next[slot]]) : 0;
            value = view->slot_value[slot];
        }
        WARPATH_HD bool done() const { return steps_left == 0; }
        WARPATH_HD void move_to(CursorStack&) {}
        WARPATH_HD HitClass hit_class() const { return HitClass::Surface; }
        WARPATH_HD void step(uint32_t, StageId) {
            const uint32_t n = steps_left < view->steps_per_round ? steps_left : view->steps_per_round;
            value = spin(value, n * view->spins_per_step);
            steps_left -= n;
        }
        template <class Ctx>
        WARPATH_HD StageId finish(Ctx& ctx, uint32_t slot, StageId stage) const {
            const uint32_t next = view->slot_next[slot] + 1;
            view->slot_next[slot] = next;
            if (view->steps) {
                view->slot_value[slot] = value;
                view->slot_steps[slot] += steps;
            }
            if (stage != StageId::Occlude) return StageId::Shade;
            return next == view->slot_end[slot] ? end_path(ctx, *view, slot) : StageId::Intersect;
        }
    };
    WARPATH_HD Cursor trace_cursor(CursorStack&) const { return {&view}; }

    /// For a service, see StageSet. There are no constants, no materials and no film.
    using Live = SyntheticStages;
    static constexpr uint32_t num_constant_words = 0;
    void put_constants(uint64_t*) const {}
    template <class Ctx>
    WARPATH_HD void make_live(Ctx& ctx, Live& live, const uint64_t*, uint64_t first, uint64_t count) const {
        if (ctx.lane() != 0) return;
        live = *this;
        live.paths = {first, count};
    }
    template <class Ctx>
    WARPATH_HD void develop(Ctx&, const uint64_t*) const {}
    template <class Ctx>
    WARPATH_HD void clear_film(Ctx&) const {}
    WARPATH_HD void set_material(uint64_t, const uint64_t*) const {}

  private:
    template <class Ctx>
    WARPATH_HD StageId end_path(Ctx& ctx, uint32_t slot) const {
        return end_path(ctx, view, slot);
    }
    template <class Ctx>
    WARPATH_HD static StageId end_path(Ctx& ctx, const SyntheticView& view, uint32_t slot) {
        const uint32_t path = view.slot_path[slot];
        ctx.template add<Scope::Device>(view.ended + path, 1u);
        if (view.steps) view.steps[path] = view.slot_steps[slot];
        ctx.count(Counter::FinishedPaths, 1);
        return StageId::Generate;
    }
};

}  // namespace warpath::experiments
