#include <algorithm>
#include <iterator>

#include "experiments/background_render.h"
#include "experiments/list.h"
#include "experiments/starvation_probe.h"
#include "experiments/time_shares.h"
#include "warpath/error.h"

/// A second workload beside one that holds the device: a small kernel, tone mapping or copies every millisecond, and how long each takes from
/// launch to end. First beside a kernel made to hold every multiprocessor, with each measure against that; then beside
/// the renderer itself, and what that loses.
namespace warpath::experiments {
namespace {

/// Long enough for hundreds of requests; less where the experiment has little time. Two in three seconds are those
/// of the requests, the rest what it takes to make and send away what they run beside.
double seconds_each(const ExperimentContext& context, size_t num_to_come) {
    return std::clamp(context.seconds_left() / (1.5 * static_cast<double>(num_to_come)), 0.2, 1.0);
}

constexpr SecondWorkload second_workloads[] = {SecondWorkload::SmallKernel, SecondWorkload::ToneMapping, SecondWorkload::Copies};

void record(ExperimentContext& context, const std::string& first, SecondWorkload second, const std::string& beside, const Requests& requests, double rate) {
    const char* name = second_workload_names[static_cast<int>(second)];
    const Json cell = {{"first workload", first}, {"second workload", name}};
    const std::vector<double>& us = requests.latency_us;
    context.say(std::string(name) + " beside " + beside + ": median " + std::to_string(median(us)) + " us, unserved " + std::to_string(requests.num_unserved) + ", rate " +
                std::to_string(rate));
    if (us.empty()) return context.leave_out(cell, beside + ": nothing was asked for");
    context.record(cell, {{"beside", beside}}, "us", us,
                   {{"p50", percentile(us, 50)},
                    {"p99", percentile(us, 99)},
                    {"most", percentile(us, 100)},
                    {"requests", us.size()},
                    {"unserved", requests.num_unserved},
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
    const char* first = "a kernel that stays";
    const double seconds = seconds_each(context, std::size(second_workloads) * (std::size(occupant_names) + std::size(neighbours)));
    for (const Occupant occupant :
         {Occupant::None, Occupant::Full, Occupant::FewerBlocks, Occupant::GreenContext, Occupant::Parked}) {
        const char* name = occupant_names[static_cast<int>(occupant)];
        if (occupant == Occupant::GreenContext && !probe.why_no_green_contexts().empty()) {
            context.leave_out({{"first workload", first}}, std::string(name) + ": " + probe.why_no_green_contexts());
            continue;
        }
        for (const SecondWorkload second : second_workloads) {
            context.check_stop();
            const Requests requests = probe.beside_occupant(occupant, second, seconds);
            record(context, first, second, name, requests, requests.occupant_rate);
        }
    }
}

void measure_beside_renders(ExperimentContext& context, StarvationProbe& probe) {
    if (context.plan().scenes.empty())
        return context.leave_out({{"first workload", "rendering"}}, "the plan names no scene");
    LoadedView view(context, context.plan().scenes.front());
    const std::string first = "rendering " + view.name();
    const double seconds = seconds_each(context, std::size(second_workloads) * std::size(neighbours));
    for (const Neighbour& neighbour : neighbours) {
        RenderOptions options = context.plan().render_options();
        options.scheduler = neighbour.scheduler;
        if (neighbour.reserves) options.reserve_sms = StarvationProbe::num_reserved_sms;
        for (const SecondWorkload second : second_workloads) {
            context.check_stop();
            BackgroundRender render(view.renderer(options.blocks_per_sm), options, neighbour.parks);
            const Requests requests = probe.beside_others(second, seconds, neighbour.high_priority);
            const double frames_per_s = render.stop();
            probe.settle();
            record(context, first, second, neighbour.name, requests, frames_per_s);
        }
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
    "A kernel that holds every multiprocessor starves other kernels until it leaves, but no copies; some blocks fewer, green contexts or "
    "parking bring small kernels back to some ten "
    "microseconds, for a loss in proportion to the multiprocessors given up.",
    "A small kernel served beside a resident one without any measure, or not served in time with one; copies that wait for a kernel.",
    0.7,
    run,
    {{.kind = "cdf",
      .title = "Latency of what is asked for every millisecond",
      .y = "data.latency",
      .series = "variant.beside",
      .facet = "cell",
      .x_label = "us",
      .log_x = true},
     {.kind = "bar",
      .title = "What the first workload got done",
      .x = "variant.beside",
      .y = "data.rate",
      .facet = "cell",
      .y_label = "chunks per ms, or frames per second"}}};

}  // namespace warpath::experiments
