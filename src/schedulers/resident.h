#pragma once

#include <string>
#include <vector>

#include "schedulers/parts/service_ring.h"
#include "schedulers/persistent.h"

/// `resident`: the persistent kernel as a service. It is launched once and stays: the host posts tasks into a ring that one group polls, the group hands
/// them to all blocks, and the last block through with a task says so to the host. After the start there is no launch, no allocation and no
/// synchronising call. A block that is through with a task goes on to the next one, if it has been posted, without waiting for the others, so that
/// frames of the same view overlap where one ends in a tail.
/// Waits end: a group that waits for the host leaves when it is told to, or when the host's heartbeat has stood still for the watchdog's time; blocks
/// that wait for a task leave with it.
/// Source: Gupta, Stuart and Owens, "A Study of Persistent Threads Style GPU Programming for GPGPU Workloads", InPar 2012.
namespace warpath {

/// The service's memory as kernels see it.
struct ServiceView {
    ServiceMail* mail;
    ServiceState* state;
};

/// What one lane of the first block does for all: takes tasks from the host's ring.
template <class Stages>
class ServicePoller {
  public:
    /// `polls`: this is the lane that takes tasks. The others never ask theirs, and must not look at what that one writes.
    WARPATH_HD ServicePoller(const Stages& stages, ServiceView service, bool polls)
        : stages_(stages), service_(service), next_(polls ? service.state->consumed + 1 : 0), published_(polls ? service.state->published : 0) {}
    WARPATH_HD uint64_t published() const { return published_; }

    /// Takes the next task if there is one.
    template <class Ctx>
    WARPATH_HD void poll(Ctx& ctx) {
        const uint64_t head = ctx.template peek<Scope::System>(head_word());
        if (is_next(head)) take(ctx, head);
    }
    /// The same, for num_looks looks or until a task came. A look takes a trip over the bus, and nothing else is done between two of them. (Several on
    /// their way at a time, of one lane or of several groups, find a task no sooner: docs/measurements/2026-11-30-h200-schedulers.md.)
    template <class Ctx>
    WARPATH_HD void watch(Ctx& ctx, uint32_t num_looks) {
        if (!settled_) settle(ctx);
        const uint64_t* word = head_word();
        uint64_t head = 0;
        for (uint32_t i = 0; i < num_looks && !is_next(head); ++i) head = ctx.template peek<Scope::System>(word);
        if (is_next(head)) take(ctx, head);
    }
    /// Hands a task to all blocks.
    template <class Ctx>
    WARPATH_HD void publish(Ctx& ctx, ServiceTask kind, uint64_t sequence, uint64_t first, uint64_t count) {
        ServiceState::BlockTask& task = service_.state->tasks[++published_ % service_ring_size];
        task.kind = static_cast<uint64_t>(kind), task.sequence = sequence, task.first = first, task.count = count;
        task.publish_ns = ctx.clock_ns();
        ctx.template store<Scope::Device>(&service_.state->published, published_);
        settled_ = false;
    }
    WARPATH_HD uint64_t num_taken() const { return next_ - 1; }

  private:
    WARPATH_HD ServiceMail::Task& slot() const { return service_.mail->tasks[next_ % service_ring_size]; }
    WARPATH_HD const uint64_t* head_word() const { return &slot().head; }
    WARPATH_HD bool is_next(uint64_t head) const { return head >> 8 == next_; }

    /// Once the blocks are through with everything, what they did and what the host sees of it is released ahead of the next task, so that its answer
    /// is a store and no more. False while they are not.
    template <class Ctx>
    WARPATH_HD bool settle(Ctx& ctx) {
        if (ctx.template load<Scope::Device>(&service_.state->finished) != published_) return false;
        ctx.template release<Scope::System>();
        return settled_ = true;
    }
    template <class Ctx>
    WARPATH_HD void take(Ctx& ctx, uint64_t head) {
        const ServiceTask kind = static_cast<ServiceTask>(head & 0xff);
        const bool works_on_film = kind == ServiceTask::Develop || kind == ServiceTask::Clear;
        const bool for_blocks = works_on_film || kind == ServiceTask::Render || kind == ServiceTask::Terminate;
        const bool comes_after_all = works_on_film || !for_blocks;  // blocks may still add samples, or read what the task before left
        if (comes_after_all && !settled_ && !settle(ctx)) return;
        if (kind != ServiceTask::Fence) ctx.template acquire<Scope::System>(head_word());
        if (kind == ServiceTask::Develop) keep_payload(service_.state->develop, slot().args[1]);
        if (for_blocks) {
            publish(ctx, kind, next_, slot().args[0], slot().args[1]);
        } else {
            if (kind == ServiceTask::Constants) {
                keep_payload(service_.state->constants, slot().args[1]);
                service_.state->has_constants = 1;
            }
            if (kind == ServiceTask::Material) stages_.set_material(slot().args[0], service_.mail->payload);
            if (kind != ServiceTask::Fence) ctx.template release<Scope::System>();
            ctx.template put_released<Scope::System>(&service_.mail->completed, next_);
        }
        service_.state->consumed = next_++;
    }
    /// By chunks, whose loads are all on their way over the bus at once.
    WARPATH_HD void keep_payload(uint64_t* words, uint64_t num_words) const {
        constexpr uint32_t chunk = 8;
        static_assert(service_payload_words % chunk == 0);
        const uint64_t end = num_words == 0 || num_words > service_payload_words ? service_payload_words : num_words;
        for (uint64_t first = 0; first < end; first += chunk) {
            uint64_t read[chunk];
            for (uint32_t i = 0; i < chunk; ++i) read[i] = service_.mail->payload[first + i];
            for (uint32_t i = 0; i < chunk; ++i) words[first + i] = read[i];
        }
    }

    const Stages& stages_;
    ServiceView service_;
    uint64_t next_, published_;  ///< the task to take; tasks handed out
    bool settled_ = false;
};

/// Block storage for the block's copy of the stages, whose constants change from task to task.
inline constexpr uint32_t service_live_words = 512;

template <class Stages>
struct ResidentKernel {
    using Rings = StageRings<Scope::Block, uint32_t>;
    using LiveStages = typename Stages::Live;
    static_assert(sizeof(LiveStages) <= 4 * service_live_words);
    Stages stages;
    ServiceView service;
    uint64_t wait_limit_ns;   ///< for the host's heartbeat
    uint32_t num_blocks, slots_per_block, refill_below;

    template <class Ctx>
    WARPATH_HD void operator()(Ctx& ctx) const {
        ServicePoller<Stages> poller(stages, service, ctx.block() == 0 && ctx.group_in_block() == 0 && ctx.lane() == 0);
        uint64_t index = service.state->finished + 1;
        for (bool stays = true; stays; ++index) {
            if (ctx.group_in_block() == 0) wait_for_task(ctx, poller, index);
            ctx.sync_block();
            stays = do_task(ctx, poller, index);
            ctx.flush();
            ctx.sync_block();
            if (ctx.group_in_block() == 0) leave_task(ctx, index);
        }
        if (ctx.block() == 0 && ctx.group_in_block() == 0 && ctx.lane() == 0) ctx.template store<Scope::System>(&service.mail->ended, uint64_t{1});
    }

  private:
    static constexpr uint32_t rounds_between_beats = 4, shortest_pause_ns = 20, longest_pause_ns = 2000, rounds_before_pausing = 32, looks_a_round = 256;

    /// One group of each block: until task `index` is there. The first block's looks at the host's ring.
    template <class Ctx>
    WARPATH_HD void wait_for_task(Ctx& ctx, ServicePoller<Stages>& poller, uint64_t index) const {
        const bool polls = ctx.block() == 0;
        uint64_t beat = 0, since = ctx.clock_ns();
        uint32_t pause_ns = shortest_pause_ns;
        for (uint32_t round = 0; !is_published(ctx, poller, index); ++round) {
            const bool rests = round >= rounds_before_pausing * (polls ? 1 : looks_a_round);
            if (polls && ctx.lane() == 0) poller.watch(ctx, rests ? 1 : looks_a_round);
            if (polls && round % rounds_between_beats == 0) watch_host(ctx, poller, beat, since);
            if (!rests) continue;
            ctx.pause(pause_ns);
            if (pause_ns < longest_pause_ns) pause_ns += pause_ns / 2;
        }
        if (ctx.lane() != 0) return;
        const ServiceState::BlockTask& task = service.state->tasks[index % service_ring_size];
        if (polls) ctx.template put<Scope::System>(&service.mail->started, task.sequence);
        ctx.add(&service.state->handover_ns, ctx.clock_ns() - task.publish_ns);
        ctx.add(&service.state->num_handovers, uint64_t{1});
    }
    /// The group that takes the tasks knows; the others look.
    template <class Ctx>
    WARPATH_HD bool is_published(Ctx& ctx, const ServicePoller<Stages>& poller, uint64_t index) const {
        uint64_t published = 0;
        if (ctx.lane() == 0) published = ctx.block() == 0 ? poller.published() : ctx.template load<Scope::Device>(&service.state->published);
        return ctx.broadcast(published, 0) >= index;
    }
    /// A host that no longer lives cannot end the service: then it ends itself.
    template <class Ctx>
    WARPATH_HD void watch_host(Ctx& ctx, ServicePoller<Stages>& poller, uint64_t& beat, uint64_t& since) const {
        const bool aborts = ctx.stop_level() == StopLevel::Abort;
        if (ctx.lane() != 0) return;
        const uint64_t now = ctx.clock_ns(), seen = ctx.template load<Scope::System>(&service.mail->heartbeat);
        if (seen != beat) beat = seen, since = now;
        const bool lost = now - since > wait_limit_ns;
        if (lost) ctx.report_stall(wait_for_host);
        if (lost || aborts) poller.publish(ctx, ServiceTask::Terminate, poller.num_taken(), 0, 0);
    }
    /// False when the kernel is to leave.
    template <class Ctx>
    WARPATH_HD bool do_task(Ctx& ctx, ServicePoller<Stages>& poller, uint64_t index) const {
        const uint64_t kind = service.state->tasks[index % service_ring_size].kind;
        if (kind == static_cast<uint64_t>(ServiceTask::Render)) return render(ctx, poller, index);
        const bool develops = kind == static_cast<uint64_t>(ServiceTask::Develop);
        if (!develops && kind != static_cast<uint64_t>(ServiceTask::Clear)) return false;
        const LiveStages& live = make_live(ctx, index);
        ctx.sync_block();
        develops ? live.develop(ctx, service.state->develop) : live.clear_film(ctx);
        return true;
    }
    /// The block's stages with the constants of now. One group writes; to be read after a barrier of the block.
    template <class Ctx>
    WARPATH_HD LiveStages& make_live(Ctx& ctx, uint64_t index) const {
        const ServiceState::BlockTask& task = service.state->tasks[index % service_ring_size];
        LiveStages& live = *reinterpret_cast<LiveStages*>(ctx.block_storage());
        if (ctx.group_in_block() == 0) stages.make_live(ctx, live, service.state->has_constants ? service.state->constants : nullptr, task.first, task.count);
        return live;
    }
    /// False after an abort.
    template <class Ctx>
    WARPATH_HD bool render(Ctx& ctx, ServicePoller<Stages>& poller, uint64_t index) const {
        ServiceState::BlockTask& task = service.state->tasks[index % service_ring_size];
        ctx.open_task(task.publish_ns);
        LiveStages& live = make_live(ctx, index);
        const BlockPool<Rings> pool(ctx.block_storage() + service_live_words, ctx.block() * slots_per_block, slots_per_block);
        pool.begin(ctx);
        typename Stages::CursorStack stack;
        LaneTracer<typename Stages::Cursor> tracer(live.trace_cursor(stack));
        uint64_t last_grab = 0;
        BlockWorker<Ctx, LiveStages, Rings> worker(ctx, live, pool, service_live_words, &task.next_path, refill_below, &last_grab, tracer, stack);
        const bool ended = worker.run([&](Ctx& c) {
            if (c.block() == 0 && c.lane() == 0) poller.poll(c);  // tasks that come meanwhile reach the blocks that are through
        });
        ctx.close_task();
        return ended;
    }
    /// The last block through with a task says so.
    template <class Ctx>
    WARPATH_HD void leave_task(Ctx& ctx, uint64_t index) const {
        ServiceState::BlockTask& task = service.state->tasks[index % service_ring_size];
        if (ctx.lane() != 0) return;
        if (ctx.template add_ordered<Scope::Device>(&task.ticket, uint64_t{1}) + 1 != num_blocks) return;
        task.ticket = task.next_path = 0;
        // In this order: whoever sees the task finished may report a later one completed, and that word must not go back.
        ctx.template store<Scope::System>(&service.mail->completed, task.sequence);
        ctx.template store<Scope::Device>(&service.state->finished, index);
    }
};

struct ResidentScheduler {
    static constexpr const char* name = "resident";
    static constexpr const char* summary = "a persistent kernel that stays and takes frames from the host through a ring";

    template <class Stages>
    using Kernel = ResidentKernel<Stages>;

    static SchedulePlan plan(const DeviceLimits& limits, const ScheduleOptions& options, uint64_t num_paths) {
        SchedulePlan plan = PersistentScheduler::plan(limits, options, num_paths);
        plan.block_storage_words += service_live_words;
        plan.num_control_words = 0;  // the service's state is its own
        return plan;
    }
    static uint32_t storage_words(const DeviceLimits& limits) { return PersistentScheduler::storage_words(limits) + service_live_words; }
    static std::string describe_stall(const SchedulePlan&, const std::vector<uint64_t>&) { return "the resident kernel has left"; }

    /// Starts the service if it does not run, posts the frame and waits for it. The service stays for the next frame.
    template <class Backend, class Stages>
    static ScheduleOutcome run(Backend& backend, const Stages& stages, const SchedulePlan& plan, const ScheduleBuffers&) {
        start(backend, stages, plan);
        ServicePayload constants{};
        stages.put_constants(constants.data());
        backend.service().tell_constants(constants, Stages::num_constant_words);
        const auto range = stages.range();
        const uint64_t sequence = backend.service().post(ServiceTask::Render, range.first, stages.num_paths());
        return {backend.num_launches(), backend.wait_for_service(sequence) == StopLevel::Abort};
    }
    template <class Backend, class Stages>
    static void start(Backend& backend, const Stages& stages, const SchedulePlan& plan) {
        const uint32_t blocks = plan.num_groups / plan.groups_per_block;
        backend.start_service(name, plan.num_groups, plan.block_storage_words, [&](ServiceView view, uint64_t wait_limit_ns) {
            return ResidentKernel<Stages>{stages, view, wait_limit_ns, blocks, plan.num_slots / blocks, plan.refill_below};
        });
    }
};

}  // namespace warpath
