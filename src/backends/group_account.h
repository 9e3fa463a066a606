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
    before_first_work_ns,  ///< the complement of when the first group began here (see first_work_ns()); 0: none did
    last_work_ns,    ///< when the last group here last had work
    busy_ns,         ///< in kernels, without idle_ns
    idle_ns,         ///< in kernels without work, or at a barrier
    num_runs,        ///< groups that ran here, counted once per kernel
    last_block,      ///< the block of the last group here
    num_place_words
};
/// The word only grows, so that groups need not wait to see it.
inline uint64_t first_work_ns(const uint64_t* place) { return ~place[before_first_work_ns]; }
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

/// One group's account of the kernel, or the task, that it runs. Lane 0 alone uses it until it is written; on CUDA it lies in shared memory and so
/// costs no registers.
struct GroupAccount {
    uint64_t origin_ns = 0;      ///< FrameWord origin_ns; 0: not looked up yet
    uint64_t begin_ns = 0, end_ns = 0;
    uint64_t idle_since_ns = 0;  ///< 0: the group has work
    uint64_t total_idle_ns = 0;
    uint64_t mark_ns = 0;        ///< where the next batch of the timeline begins
    uint64_t place = 0;
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

/// When the frame's first group began. Whoever asks first in a frame gives the time it began at; who began even earlier counts from there.
template <class Ctx>
WARPATH_HD uint64_t origin(Ctx& ctx, GroupAccount& own, const AccountView& view) {
    if (own.origin_ns == 0) {
        own.origin_ns = ctx.template peek<Scope::Device>(view.frame + origin_ns);
        if (own.origin_ns == 0 && ctx.template exchange_if<Scope::Device>(view.frame + origin_ns, own.origin_ns, own.begin_ns)) own.origin_ns = own.begin_ns;
    }
    return own.origin_ns;
}

/// Copies keep blocks that begin or end together from queueing for one word, and the groups of a block that are written together add once.
template <class Ctx>
WARPATH_HD void change_busy(Ctx& ctx, GroupAccount& own, const AccountView& view, uint64_t now, uint32_t by) {
    const uint64_t since = origin(ctx, own, view);
    uint32_t* copy = view.changes + static_cast<uint64_t>(ctx.block() % view.num_change_copies) * num_time_bins;
    ctx.template add_alike<Scope::Device>(copy + time_bin(now > since ? now - since : 0), by);
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

/// The group begins a kernel. It touches nothing that all groups share, as they begin together: thousands of accesses to one word take microseconds.
/// Only group 0, which is started first, closes the gap since the kernel before.
template <class Ctx>
WARPATH_HD void open(Ctx& ctx, GroupAccount& own, const AccountView& view) {
    if (!writes(ctx, view) || view.by_task) return;
    const uint64_t now = ctx.clock_ns();
    own = {};
    own.begin_ns = own.mark_ns = now;
    if (ctx.group() != 0) return;
    const uint64_t last_end = ctx.template peek<Scope::Device>(view.frame + last_end_ns);
    if (last_end != 0 && now > last_end) ctx.template add<Scope::Device>(view.frame + gap_ns, now - last_end);
}

/// The group of a kernel that stays begins a task, which was handed out at `origin`. All groups of the task say the same.
template <class Ctx>
WARPATH_HD void open_task(Ctx& ctx, GroupAccount& own, const AccountView& view, uint64_t origin) {
    if (!writes(ctx, view) || !view.by_task) return;
    ctx.template put<Scope::Device>(view.frame + origin_ns, origin);
    own = {};
    own.origin_ns = origin;
    own.begin_ns = own.mark_ns = ctx.clock_ns();
}

/// The group has looked for work and found none. Does nothing when it knew already.
template <class Ctx>
WARPATH_HD void begin_idle(Ctx& ctx, GroupAccount& own, const AccountView& view) {
    if (!writes(ctx, view) || own.idle_since_ns != 0) return;
    own.idle_since_ns = ctx.clock_ns();
    change_busy(ctx, own, view, own.idle_since_ns, 0u - 1u);
}

template <class Ctx>
WARPATH_HD void end_idle(Ctx& ctx, GroupAccount& own, const AccountView& view) {
    if (!writes(ctx, view) || own.idle_since_ns == 0) return;
    const uint64_t now = ctx.clock_ns();
    own.total_idle_ns += now - own.idle_since_ns;
    change_busy(ctx, own, view, now, 1);
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

/// What the group did is at an end; write() passes it on.
template <class Ctx>
WARPATH_HD void end(Ctx& ctx, GroupAccount& own, const AccountView& view) {
    own.end_ns = ctx.clock_ns();
    own.place = place(ctx, view);
    if (!view.events) return;
    const uint64_t last_work = own.idle_since_ns ? own.idle_since_ns : own.end_ns;
    if (own.end_ns > last_work) record(ctx, view, {last_work, own.end_ns, idle_event, 0});
}

/// Adds an account that has ended to its place and to the number of busy groups over time. An idle spell up to the end counts, but its beginning was the
/// group's last work. Waits for nothing but the origin. Lanes may call side by side, each for another group of the block.
template <class Ctx>
WARPATH_HD void write(Ctx& ctx, GroupAccount& own, const AccountView& view) {
    const uint64_t last_work = own.idle_since_ns ? own.idle_since_ns : own.end_ns, idle = own.total_idle_ns + (own.end_ns - last_work);
    change_busy(ctx, own, view, own.begin_ns, 1);
    if (own.idle_since_ns == 0) change_busy(ctx, own, view, own.end_ns, 0u - 1u);
    uint64_t* words = view.places + own.place * num_place_words;
    ctx.template raise<Scope::Device>(words + before_first_work_ns, ~own.begin_ns);
    ctx.template put<Scope::Device>(words + last_work_ns, last_work);
    ctx.template add<Scope::Device>(words + busy_ns, own.end_ns - own.begin_ns - idle);
    ctx.template add<Scope::Device>(words + idle_ns, idle);
    ctx.template add<Scope::Device>(words + num_runs, uint64_t{1});
    ctx.template put<Scope::Device>(words + last_block, uint64_t{ctx.block()});
}

/// Both at once, where every group writes for itself.
template <class Ctx>
WARPATH_HD void end_and_write(Ctx& ctx, GroupAccount& own, const AccountView& view) {
    end(ctx, own, view);
    write(ctx, own, view);
    ctx.template put<Scope::Device>(view.frame + last_end_ns, own.end_ns);
}
/// The group leaves its kernel.
template <class Ctx>
WARPATH_HD void close(Ctx& ctx, GroupAccount& own, const AccountView& view) {
    if (writes(ctx, view) && !view.by_task) end_and_write(ctx, own, view);
}
/// It is through with its task.
template <class Ctx>
WARPATH_HD void close_task(Ctx& ctx, GroupAccount& own, const AccountView& view) {
    if (writes(ctx, view) && view.by_task) end_and_write(ctx, own, view);
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
