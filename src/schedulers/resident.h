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

/// What one group of the first block does for all: takes tasks from the host's ring.
template <class Stages>
struct ServicePoller {
    const Stages& stages;
    ServiceView service;

    /// Takes the next task if there is one. All lanes of the group call together.
    template <class Ctx>
    WARPATH_HD void poll(Ctx& ctx) const {
        if (ctx.lane() == 0) take_one(ctx);
        ctx.sync_group();
    }
    /// Hands a task to all blocks. One lane.
    template <class Ctx>
    WARPATH_HD void publish(Ctx& ctx, ServiceTask kind, uint64_t sequence, uint64_t first, uint64_t count) const {
        const uint64_t index = service.state->published + 1;
        ServiceState::BlockTask& task = service.state->tasks[index % service_ring_size];
        task.kind = static_cast<uint64_t>(kind), task.sequence = sequence, task.first = first, task.count = count;
        task.publish_ns = ctx.clock_ns();
        ctx.template store<Scope::Device>(&service.state->published, index);
    }

  private:
    template <class Ctx>
    WARPATH_HD void take_one(Ctx& ctx) const {
        const uint64_t sequence = service.state->consumed + 1;
        ServiceMail::Task& slot = service.mail->tasks[sequence % service_ring_size];
        const uint64_t head = ctx.template load<Scope::System>(&slot.head);
        if (head >> 8 != sequence) return;
        const ServiceTask kind = static_cast<ServiceTask>(head & 0xff);
        const bool develops = kind == ServiceTask::Develop, works_on_film = develops || kind == ServiceTask::Clear;
        const bool for_blocks = works_on_film || kind == ServiceTask::Render || kind == ServiceTask::Terminate;
        const bool idle = ctx.template load<Scope::Device>(&service.state->finished) == service.state->published;
        if (works_on_film && !idle) return;  // blocks may still add samples, or read what the task before left
        if (develops) keep_payload(service.state->develop);
        if (for_blocks) {
            publish(ctx, kind, sequence, slot.args[0], slot.args[1]);
        } else {
            if (!idle) return;  // everything before it first
            if (kind == ServiceTask::Constants) {
                keep_payload(service.state->constants);
                service.state->has_constants = 1;
            }
            if (kind == ServiceTask::Material) stages.set_material(slot.args[0], service.mail->payload);
            ctx.template store<Scope::System>(&service.mail->completed, sequence);
        }
        service.state->consumed = sequence;
    }
    WARPATH_HD void keep_payload(uint64_t* words) const {
        for (uint32_t i = 0; i < service_payload_words; ++i) words[i] = service.mail->payload[i];
    }
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
        const ServicePoller<Stages> poller{stages, service};
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
    static constexpr uint32_t polls_between_beats = 256, shortest_pause_ns = 20, longest_pause_ns = 2000, polls_before_pausing = 2000;

    /// One group of each block: until task `index` is there. The first block's polls the host.
    template <class Ctx>
    WARPATH_HD void wait_for_task(Ctx& ctx, const ServicePoller<Stages>& poller, uint64_t index) const {
        const bool polls = ctx.block() == 0;
        uint64_t beat = 0, since = ctx.clock_ns();
        uint32_t pause_ns = shortest_pause_ns;
        for (uint32_t round = 0; group_load(ctx, &service.state->published) < index; ++round) {
            if (polls) {
                poller.poll(ctx);
                if (round % polls_between_beats == 0) watch_host(ctx, poller, beat, since);
            }
            if (round < polls_before_pausing) continue;
            ctx.pause(pause_ns);
            if (pause_ns < longest_pause_ns) pause_ns += pause_ns / 2;
        }
        if (ctx.lane() != 0) return;
        ctx.add(&service.state->handover_ns, ctx.clock_ns() - service.state->tasks[index % service_ring_size].publish_ns);
        ctx.add(&service.state->num_handovers, uint64_t{1});
        if (polls) ctx.template store<Scope::System>(&service.mail->started, service.state->tasks[index % service_ring_size].sequence);
    }
    /// A host that no longer lives cannot end the service: then it ends itself.
    template <class Ctx>
    WARPATH_HD void watch_host(Ctx& ctx, const ServicePoller<Stages>& poller, uint64_t& beat, uint64_t& since) const {
        const bool aborts = ctx.stop_level() == StopLevel::Abort;
        if (ctx.lane() != 0) return;
        const uint64_t now = ctx.clock_ns(), seen = ctx.template load<Scope::System>(&service.mail->heartbeat);
        if (seen != beat) beat = seen, since = now;
        const bool lost = now - since > wait_limit_ns;
        if (lost) ctx.report_stall(wait_for_host);
        if (lost || aborts) poller.publish(ctx, ServiceTask::Terminate, service.state->consumed, 0, 0);
    }
    /// False when the kernel is to leave.
    template <class Ctx>
    WARPATH_HD bool do_task(Ctx& ctx, const ServicePoller<Stages>& poller, uint64_t index) const {
        const uint64_t kind = service.state->tasks[index % service_ring_size].kind;
        if (kind == static_cast<uint64_t>(ServiceTask::Render)) return render(ctx, poller, index);
        const bool develops = kind == static_cast<uint64_t>(ServiceTask::Develop);
        if (!develops && kind != static_cast<uint64_t>(ServiceTask::Clear)) return false;
        const LiveStages& live = make_live(ctx, index);
        ctx.sync_block();
        develops ? live.develop(ctx, service.state->develop) : live.clear_film(ctx);
        return true;
    }
    /// The block's stages with the constants of now. One lane writes; to be read after a barrier of the block.
    template <class Ctx>
    WARPATH_HD LiveStages& make_live(Ctx& ctx, uint64_t index) const {
        const ServiceState::BlockTask& task = service.state->tasks[index % service_ring_size];
        LiveStages& live = *reinterpret_cast<LiveStages*>(ctx.block_storage());
        if (ctx.group_in_block() == 0 && ctx.lane() == 0) stages.make_live(live, service.state->has_constants ? service.state->constants : nullptr, task.first, task.count);
        return live;
    }
    /// False after an abort.
    template <class Ctx>
    WARPATH_HD bool render(Ctx& ctx, const ServicePoller<Stages>& poller, uint64_t index) const {
        ServiceState::BlockTask& task = service.state->tasks[index % service_ring_size];
        LiveStages& live = make_live(ctx, index);
        const BlockPool<Rings> pool(ctx.block_storage() + service_live_words, ctx.block() * slots_per_block, slots_per_block);
        pool.begin(ctx);
        typename Stages::CursorStack stack;
        LaneTracer<typename Stages::Cursor> tracer(live.trace_cursor(stack));
        uint64_t last_grab = 0;
        BlockWorker<Ctx, LiveStages, Rings> worker(ctx, live, pool, service_live_words, &task.next_path, refill_below, &last_grab, tracer, stack);
        return worker.run([&](Ctx& c) {
            if (c.block() == 0) poller.poll(c);  // tasks that come meanwhile reach the blocks that are through
        });
    }
    /// The last block through with a task says so.
    template <class Ctx>
    WARPATH_HD void leave_task(Ctx& ctx, uint64_t index) const {
        ServiceState::BlockTask& task = service.state->tasks[index % service_ring_size];
        if (ctx.lane() != 0) return;
        if (ctx.template add_ordered<Scope::Device>(&task.ticket, uint64_t{1}) + 1 != num_blocks) return;
        task.ticket = task.next_path = 0;
        ctx.template store<Scope::Device>(&service.state->finished, index);
        ctx.template store<Scope::System>(&service.mail->completed, task.sequence);
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
        backend.service().tell_constants(constants);
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
