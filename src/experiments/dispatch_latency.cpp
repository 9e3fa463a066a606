#include "experiments/background_render.h"
#include "experiments/dispatch_probe.h"
#include "experiments/list.h"
#include "experiments/time_shares.h"
#include "warpath/error.h"

/// How long work takes to get to a warp: a launch that is waited for, a graph, a word in the host's memory that resident warps poll, a word in the device's; by
/// the number of pollers and by how long they pause; while the device is idle and while it renders.
namespace warpath::experiments {
namespace {

using Pollers = DispatchProbe::Pollers;

void record(ExperimentContext& context, const Json& cell, const Json& variant, const char* unit, const std::vector<double>& times, uint32_t num_asked) {
    if (times.empty()) return context.leave_out(cell, variant.dump() + ": nobody answered within the time limit");
    const Json data = {{"p50", percentile(times, 50)}, {"p99", percentile(times, 99)}, {"p999", percentile(times, 99.9)}, {"most", percentile(times, 100)},
                 {"asked", num_asked}, {"measured", times.size()}, {"latency", quantiles(times)}};
    // A row keeps a sample of the times; what is said of all of them is in its data.
    std::vector<double> some;
    for (size_t i = 0; i < times.size(); i += 1 + times.size() / 200) some.push_back(times[i]);
    context.record(cell, variant, unit, some, data);
}

/// All ways to hand work over, while something goes on in the background or nothing does.
class Measurement {
  public:
    Measurement(ExperimentContext& context, DispatchProbe& probe) : context_(context), probe_(probe) {}

    void launches(const std::string& meanwhile) {
        for (const bool graph : {false, true}) {
            context_.check_stop();
            record(context_, cell_of(meanwhile), {{"way", graph ? "graph and wait" : "launch and wait"}}, "us", probe_.launches_us(graph, num_times, limit_s), num_times);
        }
    }
    void host_queue(const std::string& meanwhile, const Pollers& pollers) {
        context_.check_stop();
        Json cell = cell_of(meanwhile);
        record(context_, cell, variant_of("host to warp and back", pollers), "us", probe_.host_queue_us(pollers, num_times, limit_s), num_times);
    }
    void device_queue(const Pollers& pollers) {
        context_.check_stop();
        record(context_, {{"meanwhile", "idle"}, {"queue", "device"}}, variant_of("warp to warp", pollers), "ns", probe_.device_queue_ns(pollers, num_times), num_times);
    }

  private:
    static constexpr uint32_t num_times = 20'000;
    static constexpr double limit_s = 1.0;

    static Json cell_of(const std::string& meanwhile) { return {{"meanwhile", meanwhile}, {"queue", "host"}}; }
    static Json variant_of(const char* way, const Pollers& pollers) {
        return {{"way", std::string(way) + ", " + std::to_string(pollers.num) + " pollers, " + (pollers.own_lines ? "a line each, " : "") + std::to_string(pollers.pause_ns) + " ns"},
                {"pollers", pollers.num}, {"pause_ns", pollers.pause_ns}, {"own_lines", pollers.own_lines}};
    }

    ExperimentContext& context_;
    DispatchProbe& probe_;
};

void measure_beside_rendering(ExperimentContext& context, Measurement& measurement) {
    if (context.plan().scenes.empty()) return context.leave_out({{"meanwhile", "rendering"}}, "the plan names no scene");
    LoadedView view(context, context.plan().scenes.front());
    RenderOptions options = context.plan().render_options();
    for (const char* scheduler : {"launch-async", "persistent"}) {
        options.scheduler = scheduler;
        BackgroundRender render(view.renderer(options.blocks_per_sm), options);
        const std::string meanwhile = std::string("rendering, ") + scheduler;
        measurement.launches(meanwhile);
        measurement.host_queue(meanwhile, {1, 0});
        context.say(meanwhile + ": " + std::to_string(render.stop()) + " frames per second went on");
    }
}

void run(ExperimentContext& context) {
    context.need_cuda("dispatch to warps");
    std::unique_ptr<DispatchProbe> probe;
    try {
        probe = make_dispatch_probe(static_cast<int>(context.plan().device));
    } catch (const Error& e) {
        if (e.code() != ErrorCode::Unavailable) throw;
        context.skip(e.what());
    }
    Measurement measurement(context, *probe);
    measurement.launches("idle");
    for (const uint32_t pollers : {1u, 8u, 132u, 1056u}) measurement.host_queue("idle", {pollers, 0});
    for (const uint32_t pollers : {2u, 4u, 8u, 32u}) measurement.host_queue("idle", {pollers, 0, true});
    for (const uint32_t pause_ns : {20u, 200u, 2000u, 20000u}) measurement.host_queue("idle", {1, pause_ns});
    for (const uint32_t pollers : {1u, 8u, 131u, 1055u}) measurement.device_queue({pollers, 0});
    for (const uint32_t pause_ns : {20u, 200u, 2000u, 20000u}) measurement.device_queue({1, pause_ns});
    measure_beside_rendering(context, measurement);
}

}  // namespace

const Experiment dispatch_latency_experiment = {
    "dispatch-latency",
    "A resident warp answers the host several times sooner than a launch is waited for, and another warp in well under a microsecond; many pollers and long pauses "
    "cost some of that.",
    "A median from host to warp and back above half of that of a launch that is waited for, on an idle device.",
    0.4,
    run,
    {{.kind = "cdf", .title = "From host to device and back", .y = "data.latency", .series = "variant.way", .facet = "cell", .x_label = "us, or ns from warp to warp"},
     {.kind = "line", .title = "Median by pollers", .x = "variant.pollers", .y = "data.p50", .series = "variant.pause_ns", .facet = "cell", .x_label = "pollers",
      .y_label = "us, or ns from warp to warp", .log_x = true},
     {.kind = "line", .title = "99.9th percentile by pause", .x = "variant.pause_ns", .y = "data.p999", .series = "variant.pollers", .facet = "cell",
      .x_label = "pause, ns", .y_label = "us, or ns from warp to warp"}}};

}  // namespace warpath::experiments
