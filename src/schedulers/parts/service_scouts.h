#pragma once

#include "schedulers/parts/service_ring.h"

namespace warpath {

/// Groups of a service's first block that look at the host's memory for the group that takes tasks, while there is none.
/// A look takes a trip over the bus, and looks at one place are served one after the other (docs/measurements: 2 us each on an H200), so each group looks
/// at a place of its own and all of them by turns see a task sooner than one could. What they saw is passed on in the block's storage.
/// Ends: leave() ends it for all of them, each after the look that it is at.
class ServiceScouts {
  public:
    static constexpr uint32_t num_words = 2 * num_doorbells + 4;  ///< of block storage, aligned as a uint64_t

    /// None where the block has no groups to spare.
    template <class Ctx>
    WARPATH_HD ServiceScouts(const Ctx& ctx, uint32_t* storage) : storage_(storage), num_(ctx.block() == 0 ? ctx.groups_per_block() - 1 : 0) {
        if (num_ > num_doorbells) num_ = num_doorbells;
    }
    WARPATH_HD uint32_t num() const { return num_; }

    /// Before the first task. The groups of the block call together; a barrier must follow.
    template <class Ctx>
    WARPATH_HD void begin(const Ctx& ctx) const {
        if (num_ == 0 || ctx.group_in_block() != 0) return;
        for (uint32_t i = ctx.lane(); i < num_words; i += ctx.group_size()) storage_[i] = 0;
    }
    /// What the group does, if it is a scout, until the others leave for task `index`.
    template <class Ctx>
    WARPATH_HD void scout(Ctx& ctx, const ServiceMail& mail, uint64_t index) const {
        const uint32_t rank = ctx.group_in_block();
        if (rank == 0 || rank > num_) return;
        uint64_t seen = 0;
        while (ctx.lane() == 0 && ctx.template peek<Scope::Block>(left()) != static_cast<uint32_t>(index)) {
            const uint64_t head = ctx.template peek<Scope::System>(&mail.doorbells[rank - 1].head);
            if (head != seen) ctx.template put<Scope::Block>(sights() + rank - 1, seen = head);
            const uint32_t pause_ns = ctx.template peek<Scope::Block>(pause());
            if (pause_ns > 0) ctx.pause(pause_ns);
        }
        ctx.sync_group();
    }
    /// The head of the newest task that any of them saw. One lane of the group that takes tasks calls this and what follows.
    template <class Ctx>
    WARPATH_HD uint64_t newest(Ctx& ctx) const {
        uint64_t head = 0;
        for (uint32_t i = 0; i < num_; ++i) {
            const uint64_t seen = ctx.template peek<Scope::Block>(sights() + i);
            if (seen > head) head = seen;
        }
        return head;
    }
    /// Between two looks from now on; 0: none.
    template <class Ctx>
    WARPATH_HD void rest(Ctx& ctx, uint32_t pause_ns) const {
        if (num_ > 0) ctx.template put<Scope::Block>(pause(), pause_ns);
    }
    template <class Ctx>
    WARPATH_HD void leave(Ctx& ctx, uint64_t index) const {
        if (num_ > 0) ctx.template put<Scope::Block>(left(), static_cast<uint32_t>(index));
    }

  private:
    WARPATH_HD uint64_t* sights() const { return reinterpret_cast<uint64_t*>(storage_); }
    WARPATH_HD uint32_t* pause() const { return storage_ + 2 * num_doorbells; }
    WARPATH_HD uint32_t* left() const { return storage_ + 2 * num_doorbells + 1; }  ///< the task that was left for last

    uint32_t* storage_;
    uint32_t num_;
};

}  // namespace warpath
