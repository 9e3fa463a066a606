#pragma once

#include "core/context.h"
#include "core/time_bins.h"
#include "render/stage_id.h"

/// How groups spend their time: a record per place, the number of busy groups over time, and, where a timeline was asked for, every batch.
/// A place is where a group runs, one at a time: a warp slot of an SM on CUDA, a thread on the CPU. So records are few, need no atomics, and mean
/// the same for resident groups, which stay at their place, and for the many short-lived groups of launched kernels, which follow each other.
namespace warpath {

/// Words of a place's record.
enum PlaceWord : uint32_t {
    first_work_ns,   ///< when the first group began here; 0: none did
    last_work_ns,    ///< when the last group here last had work
    busy_ns,         ///< in kernels, without idle_ns
    idle_ns,         ///< in kernels without work, or at a barrier
    num_runs,        ///< groups that ran here, counted once per kernel
    last_block,      ///< the block of the last group here
    num_place_words
};
/// Words that all groups share.
enum FrameWord : uint32_t {
    origin_ns,       ///< when the first group of the frame began; 0 before
    last_end_ns,     ///< when the last group so far left a kernel
    gap_ns,          ///< between kernels: from the end of one to the beginning of the next
    num_frame_words
};

/// What an event of a timeline is: a stage's batch, an idle spell, or the depth of a queue at a time.
enum EventKind : uint32_t { idle_event = num_stages, depth_event, num_event_kinds = depth_event + num_queue_ids };

struct TraceEvent {
    uint64_t begin_ns, end_ns;  ///< ctx.clock_ns()
    uint32_t kind;              ///< a StageId or EventKind; depth_event + a QueueId
    uint32_t items;             ///< of the batch; the depth of the queue
};

/// Where groups write; null pointers where nobody listens.
struct AccountView {
    uint64_t* frame = nullptr;         ///< num_frame_words
    uint64_t* places = nullptr;        ///< num_places * num_place_words
    uint32_t* changes = nullptr;       ///< num_change_copies * num_time_bins: groups that became busy minus groups that stopped, modulo 2^32
    TraceEvent* events = nullptr;      ///< num_places * events_per_place
    uint32_t* num_events = nullptr;    ///< by place, with those that found no room
    uint32_t num_places = 0, num_change_copies = 1, events_per_place = 0;
    bool by_task = false;              ///< of a kernel that stays: its groups account for the tasks that say so (open_task), not for the kernel

    /// For a kernel that stays. Its timeline is left out: other frames may come before anybody reads it.
    AccountView of_tasks() const {
        AccountView view = *this;
        view.events = nullptr, view.num_events = nullptr, view.events_per_place = 0, view.by_task = true;
        return view;
    }

    bool operator==(const AccountView&) const = default;
};

/// One group's account of the kernel, or the task, that it runs. Lane 0 alone uses it; on CUDA it lies in shared memory and so costs no registers.
struct GroupAccount {
    uint64_t origin_ns = 0;      ///< FrameWord origin_ns
    uint64_t begin_ns = 0;
    uint64_t idle_since_ns = 0;  ///< 0: the group has work
    uint64_t total_idle_ns = 0;
    uint64_t mark_ns = 0;        ///< where the next batch of the timeline begins
};

namespace account {

/// One lane writes, and only where somebody listens.
template <class Ctx>
WARPATH_HD bool writes(const Ctx& ctx, const AccountView& view) {
    return keeps_accounts && ctx.lane() == 0 && view.frame;
}

template <class Ctx>
WARPATH_HD uint32_t place(const Ctx& ctx, const AccountView& view) {
    return ctx.place() % view.num_places;
}

/// Copies keep groups that begin or end together from queueing for one word.
template <class Ctx>
WARPATH_HD void change_busy(Ctx& ctx, const AccountView& view, uint64_t origin, uint64_t now, uint32_t by) {
    uint32_t* copy = view.changes + static_cast<uint64_t>(ctx.group() % view.num_change_copies) * num_time_bins;
    ctx.template add<Scope::Device>(copy + time_bin(now > origin ? now - origin : 0), by);
}

template <class Ctx>
WARPATH_HD void record(Ctx& ctx, const AccountView& view, const TraceEvent& event) {
    const uint32_t at = place(ctx, view), n = view.num_events[at];
    TraceEvent* events = view.events + static_cast<uint64_t>(at) * view.events_per_place;
    // Groups of one lane run batches of one item; one event shows those that follow each other.
    if (ctx.group_size() == 1 && n > 0 && n <= view.events_per_place && events[n - 1].kind == event.kind && event.kind < idle_event &&
        events[n - 1].end_ns == event.begin_ns) {
        events[n - 1].end_ns = event.end_ns;
        events[n - 1].items += event.items;
        return;
    }
    if (n < view.events_per_place) events[n] = event;
    view.num_events[at] = n + 1;
}

/// The group begins a kernel. Group 0, which is started first, closes the gap since the kernel before.
template <class Ctx>
WARPATH_HD void open(Ctx& ctx, GroupAccount& own, const AccountView& view) {
    if (!writes(ctx, view) || view.by_task) return;
    const uint64_t now = ctx.clock_ns();
    uint64_t origin = ctx.template peek<Scope::Device>(view.frame + origin_ns);
    if (origin == 0 && ctx.template exchange_if<Scope::Device>(view.frame + origin_ns, origin, now)) origin = now;
    own = {origin, now, 0, 0, now};
    if (ctx.group() == 0) {
        const uint64_t last_end = ctx.template peek<Scope::Device>(view.frame + last_end_ns);
        if (last_end != 0 && now > last_end) ctx.template add<Scope::Device>(view.frame + gap_ns, now - last_end);
    }
    change_busy(ctx, view, origin, now, 1);
}

/// The group of a kernel that stays begins a task, which was handed out at `origin`. All groups of the task say the same.
template <class Ctx>
WARPATH_HD void open_task(Ctx& ctx, GroupAccount& own, const AccountView& view, uint64_t origin) {
    if (!writes(ctx, view) || !view.by_task) return;
    const uint64_t now = ctx.clock_ns();
    ctx.template put<Scope::Device>(view.frame + origin_ns, origin);
    own = {origin, now, 0, 0, now};
    change_busy(ctx, view, origin, now, 1);
}

/// The group has looked for work and found none. Does nothing when it knew already.
template <class Ctx>
WARPATH_HD void begin_idle(Ctx& ctx, GroupAccount& own, const AccountView& view) {
    if (!writes(ctx, view) || own.idle_since_ns != 0) return;
    own.idle_since_ns = ctx.clock_ns();
    change_busy(ctx, view, own.origin_ns, own.idle_since_ns, 0u - 1u);
}

template <class Ctx>
WARPATH_HD void end_idle(Ctx& ctx, GroupAccount& own, const AccountView& view) {
    if (!writes(ctx, view) || own.idle_since_ns == 0) return;
    const uint64_t now = ctx.clock_ns();
    own.total_idle_ns += now - own.idle_since_ns;
    change_busy(ctx, view, own.origin_ns, now, 1);
    if (view.events) record(ctx, view, {own.idle_since_ns, now, idle_event, 0});
    own.idle_since_ns = 0;
    own.mark_ns = now;
}

/// Around a barrier of a block, which lasts too short to be worth two atomic additions: its time is idle time, but the group goes on counting as busy.
template <class Ctx>
WARPATH_HD uint64_t begin_barrier(Ctx& ctx, const AccountView& view) {
    return writes(ctx, view) ? ctx.clock_ns() : 0;
}
/// since: what begin_barrier gave.
template <class Ctx>
WARPATH_HD void end_barrier(Ctx& ctx, GroupAccount& own, const AccountView& view, uint64_t since) {
    if (!writes(ctx, view) || own.idle_since_ns != 0) return;
    const uint64_t now = ctx.clock_ns();
    own.total_idle_ns += now - since;
    if (!view.events) return;
    record(ctx, view, {since, now, idle_event, 0});
    own.mark_ns = now;
}

/// What the group did is at an end. An idle spell up to here counts, but its beginning was the group's last work.
template <class Ctx>
WARPATH_HD void write_place(Ctx& ctx, GroupAccount& own, const AccountView& view) {
    const uint64_t now = ctx.clock_ns(), last_work = own.idle_since_ns ? own.idle_since_ns : now;
    if (own.idle_since_ns == 0) change_busy(ctx, view, own.origin_ns, now, 0u - 1u);
    own.total_idle_ns += now - last_work;
    uint64_t* words = view.places + static_cast<uint64_t>(place(ctx, view)) * num_place_words;
    if (words[first_work_ns] == 0) words[first_work_ns] = own.begin_ns;
    words[last_work_ns] = last_work;
    words[busy_ns] += now - own.begin_ns - own.total_idle_ns;
    words[idle_ns] += own.total_idle_ns;
    words[num_runs] += 1;
    words[last_block] = ctx.block();
    ctx.template put<Scope::Device>(view.frame + last_end_ns, now);
    if (view.events && now > last_work) record(ctx, view, {last_work, now, idle_event, 0});
}

/// The group leaves its kernel.
template <class Ctx>
WARPATH_HD void close(Ctx& ctx, GroupAccount& own, const AccountView& view) {
    if (writes(ctx, view) && !view.by_task) write_place(ctx, own, view);
}
/// It is through with its task.
template <class Ctx>
WARPATH_HD void close_task(Ctx& ctx, GroupAccount& own, const AccountView& view) {
    if (writes(ctx, view) && view.by_task) write_place(ctx, own, view);
}

/// A batch that ends now; it began where the group's last event ended. Lane 0 calls, where there is a timeline.
template <class Ctx>
WARPATH_HD void record_batch(Ctx& ctx, GroupAccount& own, const AccountView& view, StageId stage, uint32_t items) {
    const uint64_t now = ctx.clock_ns();
    record(ctx, view, {own.mark_ns, now, static_cast<uint32_t>(stage), items});
    own.mark_ns = now;
}

template <class Ctx>
WARPATH_HD void record_depth(Ctx& ctx, const AccountView& view, QueueId queue, uint32_t depth) {
    const uint64_t now = ctx.clock_ns();
    record(ctx, view, {now, now, depth_event + static_cast<uint32_t>(queue), depth});
}

}  // namespace account
}  // namespace warpath
