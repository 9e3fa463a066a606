#pragma once

#include "render/stage_id.h"
#include "schedulers/parts/lanes.h"

namespace warpath {

/// One ring of slot numbers per stage, private to a group: who waits for which stage among the group's own slots.
///
/// Storage: num_stages * capacity words of group storage. Heads and sizes are the same in every lane and live in registers; only the entries
/// are in memory, written and read by lanes of the one group, with sync_group() between.
/// Bounds:  a slot is in one ring or held by a lane, so a ring never holds more than `capacity` slots, the group's pool size.
class GroupRings {
  public:
    WARPATH_HD GroupRings(uint32_t* storage, uint32_t capacity) : storage_(storage), capacity_(capacity) {}
    WARPATH_HD static uint32_t storage_words(uint32_t capacity) { return num_stages * capacity; }

    WARPATH_HD uint32_t size(StageId stage) const { return ring(stage).size; }

    /// All lanes call together; those with `active` append their slot.
    template <class Ctx>
    WARPATH_HD void push(Ctx& ctx, StageId stage, uint32_t slot, bool active) {
        const uint32_t votes = ctx.ballot(active);
        Ring r = ring(stage);
        if (active) storage_[place(stage, r.head + r.size + rank_of_lane(votes, ctx.lane()))] = slot;
        r.size += count_lanes(votes);
        set_ring(stage, r);
    }

    /// Takes the `n` oldest entries, n <= size and n <= group_size: the lane with rank i < n gets the i-th. Ranks are distinct; lanes that get
    /// nothing have a rank of n or more. sync_group() must lie between the pushes and this.
    WARPATH_HD uint32_t pop(StageId stage, uint32_t n, uint32_t rank) {
        Ring r = ring(stage);
        const uint32_t slot = rank < n ? storage_[place(stage, r.head + rank)] : 0u;
        r.head = r.head + n < capacity_ ? r.head + n : r.head + n - capacity_;
        r.size -= n;
        set_ring(stage, r);
        return slot;
    }

  private:
    struct Ring {
        uint32_t head, size;
    };
    /// The rings are picked by comparison, not by index, so that they stay in registers.
    WARPATH_HD Ring ring(StageId stage) const {
        Ring r = rings_[0];
        for (int i = 1; i < num_stages; ++i)
            if (i == static_cast<int>(stage)) r = rings_[i];
        return r;
    }
    WARPATH_HD void set_ring(StageId stage, Ring r) {
        for (int i = 0; i < num_stages; ++i)
            if (i == static_cast<int>(stage)) rings_[i] = r;
    }
    /// head < capacity, and a position counts at most `capacity` entries from it, so one subtraction wraps.
    WARPATH_HD uint32_t place(StageId stage, uint32_t i) const {
        return static_cast<uint32_t>(stage) * capacity_ + (i < capacity_ ? i : i - capacity_);
    }

    uint32_t* storage_;
    uint32_t capacity_;
    Ring rings_[num_stages] = {};
};

}  // namespace warpath
