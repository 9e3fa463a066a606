#pragma once

#include "schedulers/parts/bounce_steps.h"

/// `graph`: the bounce loop as a CUDA graph, whose nodes cost less to start than launches. Two forms: `graph-unrolled` has a node for every step of
/// every bounce up to the depth limit, joined by programmatic dependent launch; `graph-while` has the steps of one bounce in the body of a
/// conditional node. `graph` is the one that was faster for the depth.
namespace warpath {

namespace detail {

/// Launches the graph until the pool is finished, which takes one launch where every path has a slot.
template <class Backend>
ScheduleOutcome replay(Backend& backend, const ScheduleBuffers& buffers) {
    while (!backend.mail(all_done)) {
        backend.launch_graph();
        if (backend.wait(buffers.mailbox + paths_started) == StopLevel::Abort) return {backend.num_launches(), true};
    }
    return {backend.num_launches(), false};
}

}  // namespace detail

struct GraphUnrolledScheduler : BounceSchedule {
    static constexpr const char* name = "graph-unrolled";
    static constexpr const char* summary = "the bounce loop as a CUDA graph, unrolled to the depth limit";
    static constexpr const char* cuda_only = "CUDA graphs are a feature of CUDA devices; on the CPU, launch-async does the same steps";

    /// More bounces than this in one graph are not worth their nodes: few paths live so long, and the graph is launched again for them.
    static constexpr uint32_t max_bounces = 65;

    template <class Backend, class Stages>
    static ScheduleOutcome run(Backend& backend, const Stages& stages, const SchedulePlan& plan, const ScheduleBuffers& buffers) {
        const BouncePool pool(buffers, plan);
        const bool regenerates = plan.num_slots < stages.num_paths();
        const uint32_t bounces = plan.max_depth < max_bounces ? plan.max_depth + 1 : max_bounces;
        backend.record_graph([&] {
            for (uint32_t bounce = 0; bounce < bounces; ++bounce) enqueue_bounce(backend, stages, pool, bounce == 0 || regenerates);
        });
        return detail::replay(backend, buffers);
    }
};

struct GraphWhileScheduler : BounceSchedule {
    static constexpr const char* name = "graph-while";
    static constexpr const char* summary = "the bounce loop as a CUDA graph with a conditional WHILE node";
    static constexpr const char* cuda_only = GraphUnrolledScheduler::cuda_only;

    template <class Backend, class Stages>
    static ScheduleOutcome run(Backend& backend, const Stages& stages, const SchedulePlan& plan, const ScheduleBuffers& buffers) {
        const BouncePool pool(buffers, plan);
        const bool regenerates = plan.num_slots < stages.num_paths();
        backend.record_while_graph(
            [&] {
                if (!regenerates) backend.launch("generate", GenerateStep<Stages>{stages, pool});
            },
            [&] { enqueue_bounce(backend, stages, pool, regenerates); }, pool.control + pool_finished);
        return detail::replay(backend, buffers);
    }
};

/// The unrolled form pays for every bounce up to the depth limit, the loop for a node more in each bounce.
struct GraphScheduler : BounceSchedule {
    static constexpr const char* name = "graph";
    static constexpr const char* summary = "the bounce loop as a CUDA graph, unrolled or as a WHILE node, by depth";
    static constexpr const char* cuda_only = GraphUnrolledScheduler::cuda_only;
    static constexpr uint32_t deepest_unrolled = 24;

    template <class Backend, class Stages>
    static ScheduleOutcome run(Backend& backend, const Stages& stages, const SchedulePlan& plan, const ScheduleBuffers& buffers) {
        if (plan.max_depth <= deepest_unrolled) return GraphUnrolledScheduler::run(backend, stages, plan, buffers);
        return GraphWhileScheduler::run(backend, stages, plan, buffers);
    }
};

}  // namespace warpath
