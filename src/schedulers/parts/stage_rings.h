#pragma once

#include "render/stage_id.h"
#include "schedulers/parts/slot_list.h"
#include "schedulers/parts/slot_ring.h"

namespace warpath {

/// Which ring a slot waits in. For shading there is one for each class of hits; who does not sort them uses the first.
enum RingId : uint32_t { trace_ring, shade_ring, free_ring = shade_ring + num_hit_classes, num_rings };
WARPATH_HD inline RingId shade_ring_of(uint32_t hit_class) { return static_cast<RingId>(shade_ring + hit_class); }

/// The rings of one pool of slots. Storage is the ends of each ring, then the places of each ring.
/// A slot has a number within the pool; `first_slot` is added where stages are called.
template <Scope scope, class Entry>
class StageRings {
  public:
    WARPATH_HD StageRings(uint32_t* storage, uint32_t num_slots)
        : ends_(storage), places_(reinterpret_cast<Entry*>(storage + num_end_words)), num_slots_(num_slots), capacity_(ring_capacity(num_slots)) {}

    static constexpr uint32_t num_ends = SlotRing<scope, Entry>::num_ends, num_end_words = num_ends * num_rings;
    /// The largest pool that so many groups may share.
    WARPATH_HD static constexpr uint32_t max_slots(uint32_t num_groups) { return SlotRing<scope, Entry>::max_slots(num_groups); }
    WARPATH_HD static uint32_t storage_words(uint32_t num_slots) {
        return num_end_words + (num_rings * ring_capacity(num_slots) * static_cast<uint32_t>(sizeof(Entry)) + 3) / 4;
    }

    WARPATH_HD uint32_t num_slots() const { return num_slots_; }
    WARPATH_HD SlotRing<scope, Entry> ring(RingId id) const {
        return {ends_ + num_ends * id, places_ + static_cast<size_t>(id) * capacity_, capacity_ - 1};
    }
    /// The lanes `rank` of `num_lanes` together make all slots free and all other places empty. A barrier must follow.
    WARPATH_HD void fill(uint32_t rank, uint32_t num_lanes) const {
        for (uint32_t i = rank; i < num_end_words; i += num_lanes)
            ends_[i] = i / num_ends == free_ring && i % num_ends != SlotRing<scope, Entry>::head ? num_slots_ : 0;
        for (uint32_t i = rank; i < num_rings * capacity_; i += num_lanes) {
            const uint32_t place = i % capacity_;
            const bool free = i / capacity_ == free_ring && place < num_slots_;
            places_[i] = free ? ring(free_ring).written(place, place) : ring(free_ring).unwritten(place);
        }
    }
    /// Changes whenever a path has been shaded or has ended: every path under way comes to that. All lanes of a group call together.
    template <class Ctx>
    WARPATH_HD uint32_t num_pushes(Ctx& ctx) const {
        uint32_t n = 0;
        if (ctx.lane() == 0) {
            n = ctx.template peek<scope>(tail_of(free_ring));
            for (uint32_t i = 0; i < num_hit_classes; ++i) n += ctx.template peek<scope>(tail_of(shade_ring_of(i)));
        }
        return ctx.broadcast(n, 0);
    }
    WARPATH_HD const uint32_t* ends() const { return ends_; }

  private:
    WARPATH_HD uint32_t* tail_of(RingId id) const { return ends_ + num_ends * id + SlotRing<scope, Entry>::tail; }

    uint32_t* ends_;
    Entry* places_;
    uint32_t num_slots_, capacity_;
};

}  // namespace warpath
