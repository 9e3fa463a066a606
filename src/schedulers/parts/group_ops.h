#pragma once

#include "schedulers/parts/lanes.h"
#include "core/context.h"

/// Operations of a whole group on shared words. All lanes call together and get the same answer.
namespace warpath {

template <Scope scope = Scope::Device, class Ctx, class T>
WARPATH_HD T group_add(Ctx& ctx, T* p, T n) {
    T old = 0;
    if (ctx.lane() == 0) old = ctx.template add<scope>(p, n);
    return ctx.broadcast(old, 0);
}

template <Scope scope = Scope::Device, class Ctx, class T>
WARPATH_HD T group_load(Ctx& ctx, const T* p) {
    T value = 0;
    if (ctx.lane() == 0) value = ctx.template load<scope>(p);
    return ctx.broadcast(value, 0);
}

/// Counts the blocks that are through with a step; true for one group of the last block, which sees all that the others wrote before. It
/// clears the ticket, so that the next step may use it. All groups of all blocks call. Blocks wait for their groups first, as a ticket for each
/// group would be thousands of additions to one word.
template <class Ctx>
WARPATH_HD bool last_block_out(Ctx& ctx, uint64_t* ticket) {
    ctx.sync_block();
    if (ctx.group_in_block() != 0) return false;
    const uint64_t num_blocks = (ctx.num_groups() + ctx.groups_per_block() - 1) / ctx.groups_per_block();
    uint64_t order = 0;
    if (ctx.lane() == 0) {
        order = ctx.template add_ordered<Scope::Device>(ticket, uint64_t{1});
        if (order + 1 == num_blocks) ctx.template store<Scope::Device>(ticket, uint64_t{0});
    }
    const bool last = ctx.broadcast(order, 0) + 1 == num_blocks;
    ctx.sync_group();
    return last;
}

}  // namespace warpath
