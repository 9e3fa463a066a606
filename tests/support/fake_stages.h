#pragma once

#include <atomic>
#include <vector>

#include "core/platform.h"
#include "render/stage_id.h"

namespace warpath::testing {

/// Stages that trace nothing: each path makes a number of bounces that follows from its index, some with a shadow ray, and leaves a count of its
/// visits. Finds out whether a scheduler runs each path once, whole and in order, and never lets two groups hold one slot.
struct FakeStages {
    struct State {
        explicit State(uint64_t num_paths, uint32_t num_slots) : finished(num_paths), path(num_slots), bounces_left(num_slots), expected(num_slots) {}
        std::vector<std::atomic<uint32_t>> finished;      ///< how often path i ended
        std::vector<uint64_t> path;                       ///< per slot; plain memory, so that a thread sanitizer sees a slot held twice
        std::vector<uint32_t> bounces_left;
        std::vector<StageId> expected;                    ///< the stage that must run next
        std::atomic<uint64_t> num_errors{0}, num_stage_runs{0}, num_clears{0};
    };
    State* state;
    uint64_t paths;
    uint32_t max_bounces;
    std::atomic<uint32_t>* stop_after = nullptr;          ///< set to 1 when half of the paths have started
    bool abort = false;
    uint64_t stop_at_run = ~uint64_t{0};                  ///< if stop_after is set: set it at this stage run instead
    uint64_t lost_path = ~uint64_t{0};                    ///< its Shade loses the slot: it goes nowhere
    uint64_t first_path = 0;                              ///< of a service's task; path_index counts from here
    std::atomic<uint64_t>* num_materials = nullptr;       ///< counts set_material

    /// For a service: see StageSet.
    using Live = FakeStages;
    template <class Ctx>
    void make_live(Ctx& ctx, Live& live, const uint64_t* constants, uint64_t first, uint64_t count) const {
        if (ctx.lane() != 0) return;
        live = *this;
        live.first_path = first, live.paths = count;
        if (constants) live.max_bounces = static_cast<uint32_t>(constants[0]);
    }
    void set_material(uint64_t, const uint64_t*) const { *num_materials += 1; }

    /// Each lane leaves a mark: words[0] is a pointer to one counter per lane of the launch.
    template <class Ctx>
    void develop(Ctx& ctx, const uint64_t* words) const {
        auto* marks = reinterpret_cast<std::atomic<uint32_t>*>(words[0]);
        marks[ctx.group() * ctx.group_size() + ctx.lane()].fetch_add(max_bounces, std::memory_order_relaxed);
    }

    template <class Ctx>
    void clear_film(Ctx&) const { state->num_clears.fetch_add(1, std::memory_order_relaxed); }

    uint64_t num_paths() const { return paths; }

    template <class Ctx>
    StageId generate(Ctx&, uint32_t slot, uint64_t path_index) const {
        check(slot, StageId::Generate);
        if (path_index >= paths) return error(slot);
        state->path[slot] = first_path + path_index;
        state->bounces_left[slot] = static_cast<uint32_t>(path_index * 2654435761u % (max_bounces + 1));
        if (stop_at_run == ~uint64_t{0} && path_index == paths / 2) stop();
        return go(slot, StageId::Intersect);
    }
    template <StageId stage, class Ctx>
    StageId run(Ctx&, uint32_t slot) const {
        check(slot, stage);
        if (stage == StageId::Shade && state->path[slot] == lost_path) {
            go(slot, StageId::Generate);  // what a lane with a slot of its own does next
            return StageId::Shade;
        }
        if (stage == StageId::Intersect) return go(slot, StageId::Shade);
        if (stage == StageId::Shade && (state->path[slot] + state->bounces_left[slot]) % 3 != 0) return go(slot, StageId::Occlude);
        if (state->bounces_left[slot] == 0) {
            state->finished[state->path[slot]].fetch_add(1, std::memory_order_relaxed);
            return go(slot, StageId::Generate);
        }
        state->bounces_left[slot] -= 1;
        return go(slot, StageId::Intersect);
    }

    /// Intersect and Occlude in pieces: as many steps as the slot's number says, none for some.
    struct CursorStack {};
    struct Cursor {
        const FakeStages* stages;
        uint32_t steps_left = 0, number = 0;
        void begin(uint32_t slot, StageId) { steps_left = slot % 5, number = slot; }
        bool done() const { return steps_left == 0; }
        void move_to(CursorStack&) {}
        HitClass hit_class() const { return static_cast<HitClass>(number % num_hit_classes); }
        void step(uint32_t, StageId) { --steps_left; }
        template <class Ctx>
        StageId finish(Ctx& ctx, uint32_t slot, StageId stage) const {
            return stage == StageId::Occlude ? stages->run<StageId::Occlude>(ctx, slot) : stages->run<StageId::Intersect>(ctx, slot);
        }
    };
    Cursor trace_cursor(CursorStack&) const { return {this}; }

  private:
    /// Relaxed, here and above: a count that ordered things would hide from a thread sanitizer what the protocol leaves unordered.
    void check(uint32_t slot, StageId stage) const {
        if (state->num_stage_runs.fetch_add(1, std::memory_order_relaxed) == stop_at_run) stop();
        if (state->expected[slot] != stage) state->num_errors.fetch_add(1, std::memory_order_relaxed);
    }
    void stop() const {
        if (stop_after) stop_after->store(abort ? 2 : 1, std::memory_order_relaxed);
    }
    StageId go(uint32_t slot, StageId next) const { return state->expected[slot] = next; }
    StageId error(uint32_t slot) const {
        state->num_errors.fetch_add(1, std::memory_order_relaxed);
        return go(slot, StageId::Generate);
    }
};

}  // namespace warpath::testing
