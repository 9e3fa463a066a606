#include <algorithm>
#include <iterator>

#include "experiments/background_render.h"
#include "experiments/list.h"
#include "experiments/starvation_probe.h"
#include "experiments/time_shares.h"
#include "warpath/error.h"

/// A second workload beside one that holds the device: a small kernel every millisecond, and how long it takes from
/// launch to end. First beside a kernel made to hold every multiprocessor, with each measure against that; then beside
/// the renderer itself, and what that loses.
namespace warpath::experiments {
namespace {

/// Long enough for hundreds of small kernels; less where the experiment has little time. Two in three seconds are those
/// of the kernels, the rest what it takes to make and send away what they run beside.
double seconds_each(const ExperimentContext& context, size_t num_to_come) {
    return std::clamp(context.seconds_left() / (1.5 * static_cast<double>(num_to_come)), 0.2, 1.0);
}

void record(ExperimentContext& context, const Json& cell, const std::string& beside, const SmallKernels& small,
            double rate) {
    const std::vector<double>& us = small.latency_us;
    if (us.empty()) return context.leave_out(cell, beside + ": no kernel was launched");
    context.record(cell, {{"beside", beside}}, "us", us,
                   {{"p50", percentile(us, 50)},
                    {"p99", percentile(us, 99)},
                    {"most", percentile(us, 100)},
                    {"kernels", us.size()},
                    {"unserved", small.num_unserved},
                    {"rate", rate},
                    {"latency", quantiles(us)}});
}

struct Neighbour {
    const char *name, *scheduler;
    bool reserves = false, parks = false, high_priority = false;
};
constexpr Neighbour neighbours[] = {{"launch-async", "launch-async"},
                                    {"launch-async, priority", "launch-async", false, false, true},
                                    {"persistent", "persistent"},
                                    {"persistent, priority", "persistent", false, false, true},
                                    {"persistent, multiprocessors reserved", "persistent", true},
                                    {"resident", "resident"},
                                    {"resident, multiprocessors reserved", "resident", true},
                                    {"resident, parked after each frame", "resident", false, true}};

void measure_beside_occupants(ExperimentContext& context, StarvationProbe& probe) {
    const Json cell = {{"first workload", "a kernel that stays"}};
    const double seconds = seconds_each(context, std::size(occupant_names) + std::size(neighbours));
    for (const Occupant occupant :
         {Occupant::None, Occupant::Full, Occupant::FewerBlocks, Occupant::GreenContext, Occupant::Parked}) {
        context.check_stop();
        const char* name = occupant_names[static_cast<int>(occupant)];
        if (occupant == Occupant::GreenContext && !probe.why_no_green_contexts().empty()) {
            context.leave_out(cell, std::string(name) + ": " + probe.why_no_green_contexts());
            continue;
        }
        const SmallKernels small = probe.beside_occupant(occupant, seconds);
        record(context, cell, name, small, small.occupant_rate);
        context.say(std::string("beside ") + name + ": median " + std::to_string(median(small.latency_us)) +
                    " us, unserved " + std::to_string(small.num_unserved));
    }
}

void measure_beside_renders(ExperimentContext& context, StarvationProbe& probe) {
    if (context.plan().scenes.empty())
        return context.leave_out({{"first workload", "rendering"}}, "the plan names no scene");
    LoadedView view(context, context.plan().scenes.front());
    const Json cell = {{"first workload", "rendering " + view.name()}};
    const double seconds = seconds_each(context, std::size(neighbours));
    for (const Neighbour& neighbour : neighbours) {
        context.check_stop();
        RenderOptions options = context.plan().render_options();
        options.scheduler = neighbour.scheduler;
        if (neighbour.reserves) options.reserve_sms = StarvationProbe::num_reserved_sms;
        BackgroundRender render(view.renderer(options.blocks_per_sm), options, neighbour.parks);
        const SmallKernels small = probe.beside_others(seconds, neighbour.high_priority);
        const double frames_per_s = render.stop();
        probe.settle();
        record(context, cell, neighbour.name, small, frames_per_s);
        context.say(std::string("beside ") + neighbour.name + ": median " + std::to_string(median(small.latency_us)) +
                    " us, unserved " + std::to_string(small.num_unserved) + ", " + std::to_string(frames_per_s) +
                    " frames per second");
    }
}

void run(ExperimentContext& context) {
    context.need_cuda("a second workload beside a resident kernel");
    std::unique_ptr<StarvationProbe> probe;
    try {
        probe = make_starvation_probe(static_cast<int>(context.plan().device));
    } catch (const Error& e) {
        if (e.code() != ErrorCode::Unavailable) throw;
        context.skip(e.what());
    }
    measure_beside_occupants(context, *probe);
    measure_beside_renders(context, *probe);
}

}  // namespace

const Experiment starvation_experiment = {
    "starvation",
    "A kernel that holds every multiprocessor starves others until it leaves; some blocks fewer, green contexts or "
    "parking bring small kernels back to some ten "
    "microseconds, for a loss in proportion to the multiprocessors given up.",
    "A small kernel served beside a resident one without any measure, or not served in time with one.",
    0.7,
    run,
    {{.kind = "cdf",
      .title = "Latency of a small kernel every millisecond",
      .y = "data.latency",
      .series = "variant.beside",
      .facet = "cell",
      .x_label = "us"},
     {.kind = "bar",
      .title = "What the first workload got done",
      .x = "variant.beside",
      .y = "data.rate",
      .facet = "cell",
      .y_label = "chunks per ms, or frames per second"}}};

}  // namespace warpath::experiments
