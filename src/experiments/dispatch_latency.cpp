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

/// What goes on while hand-overs are measured, and how much of them can be.
struct Meanwhile {
    std::string name;
    double limit_s;         ///< of one measurement
    bool every_way = true;  ///< false: fewer numbers of pollers and fewer pauses, since each takes all the time it may
};

/// All ways to hand work over, while something goes on in the background or nothing does.
class Measurement {
  public:
    Measurement(ExperimentContext& context, DispatchProbe& probe, Meanwhile meanwhile) : context_(context), probe_(probe), meanwhile_(std::move(meanwhile)) {}

    void run() {
        launches();
        for (const bool on_device : {false, true}) {
            by_pollers(on_device);
            by_pauses(on_device);
        }
    }

  private:
    static constexpr uint32_t num_times = 20'000;

    void launches() {
        for (const bool graph : {false, true}) {
            context_.check_stop();
            record(context_, {{"meanwhile", meanwhile_.name}, {"queue", "host"}, {"by", "launches"}}, {{"way", graph ? "graph and wait" : "launch and wait"}}, "us",
                   probe_.launches_us(graph, num_times, meanwhile_.limit_s), num_times);
        }
    }
    /// On the device, whoever asks is a block too: one for each multiprocessor, and eight, with the pollers.
    void by_pollers(bool on_device) {
        const std::vector<uint32_t> of_one_word = meanwhile_.every_way ? std::vector<uint32_t>{1, 8, 132, 1056} : std::vector<uint32_t>{1, 8, 132};
        for (const uint32_t num : of_one_word) measure_pollers(on_device, {.num = on_device && num > 100 ? num - 1 : num});
        if (on_device) return;
        const std::vector<uint32_t> of_own_lines = meanwhile_.every_way ? std::vector<uint32_t>{2, 4, 8, 32} : std::vector<uint32_t>{8};
        for (const uint32_t num : of_own_lines) measure_pollers(on_device, {.num = num, .own_lines = true});
    }
    void measure_pollers(bool on_device, const Pollers& pollers) {
        measure(on_device, "pollers", pollers,
                {{"way", std::to_string(pollers.num) + " pollers" + (pollers.own_lines ? ", a line each" : "")}, {"pollers", pollers.num}, {"word", pollers.own_lines ? "a line each" : "one word"}});
    }
    /// Pauses of one poller: constant, and growing, which is what a resident kernel does; asked at once, and after a rest in which they have grown.
    void by_pauses(bool on_device) {
        const std::vector<uint32_t> pauses_ns = meanwhile_.every_way ? std::vector<uint32_t>{20, 200, 2000, 20000} : std::vector<uint32_t>{200, 20000};
        measure_pause(on_device, {.num = 1});
        for (const uint32_t pause_ns : pauses_ns) measure_pause(on_device, {.num = 1, .pause_ns = pause_ns});
        for (const uint32_t pause_ns : pauses_ns)
            if (pause_ns > DispatchProbe::shortest_pause_ns) measure_pause(on_device, {.num = 1, .pause_ns = pause_ns, .backs_off = true});
        measure_pause(on_device, {.num = 1, .rest_us = 100});
        for (const uint32_t pause_ns : pauses_ns)
            if (pause_ns > DispatchProbe::shortest_pause_ns) measure_pause(on_device, {.num = 1, .pause_ns = pause_ns, .backs_off = true, .rest_us = 100});
    }
    void measure_pause(bool on_device, const Pollers& pollers) {
        std::string kind = pollers.backs_off ? "growing" : "constant";
        if (pollers.rest_us > 0) kind = "growing, asked every " + std::to_string(pollers.rest_us) + " us";
        const std::string way = pollers.pause_ns > 0 ? (pollers.backs_off ? "up to " : "") + std::to_string(pollers.pause_ns) + " ns" : "no pause";
        measure(on_device, "pauses", pollers, {{"way", way + (pollers.rest_us > 0 ? ", after a rest" : "")}, {"pause", kind}, {"pause_ns", pollers.pause_ns}});
    }
    void measure(bool on_device, const char* by, const Pollers& pollers, const Json& variant) {
        context_.check_stop();
        const Json cell = {{"meanwhile", meanwhile_.name}, {"queue", on_device ? "device" : "host"}, {"by", by}};
        if (on_device)
            record(context_, cell, variant, "ns", probe_.device_queue_ns(pollers, num_times, meanwhile_.limit_s), num_times);
        else
            record(context_, cell, variant, "us", probe_.host_queue_us(pollers, num_times, meanwhile_.limit_s), num_times);
    }

    ExperimentContext& context_;
    DispatchProbe& probe_;
    Meanwhile meanwhile_;
};

void measure_beside_rendering(ExperimentContext& context, DispatchProbe& probe) {
    if (context.plan().scenes.empty()) return context.leave_out({{"meanwhile", "rendering"}}, "the plan names no scene");
    LoadedView view(context, context.plan().scenes.front());
    RenderOptions options = context.plan().render_options();
    for (const char* scheduler : {"launch-async", "persistent"}) {
        options.scheduler = scheduler;
        BackgroundRender render(view.renderer(options.blocks_per_sm), options);
        const std::string meanwhile = std::string("rendering, ") + scheduler;
        Measurement(context, probe, {.name = meanwhile, .limit_s = 0.4, .every_way = false}).run();
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
    Measurement(context, *probe, {.name = "idle", .limit_s = 1.0}).run();
    measure_beside_rendering(context, *probe);
}

}  // namespace

const Experiment dispatch_latency_experiment = {
    "dispatch-latency",
    "A resident warp answers the host several times sooner than a launch is waited for, and another warp in well under a microsecond; many pollers and long pauses "
    "cost some of that; pauses that grow cost nothing while requests keep coming.",
    "A median from host to warp and back above half of that of a launch that is waited for, on an idle device.",
    0.4,
    run,
    {{.kind = "cdf", .title = "From host to device and back", .y = "data.latency", .series = "variant.way", .facet = "cell", .x_label = "us, or ns from warp to warp", .log_x = true},
     {.kind = "line", .title = "Median by pollers", .x = "variant.pollers", .y = "data.p50", .series = "variant.word", .facet = "cell", .x_label = "pollers",
      .y_label = "us, or ns from warp to warp", .log_x = true},
     {.kind = "line", .title = "Median by pause", .x = "variant.pause_ns", .y = "data.p50", .series = "variant.pause", .facet = "cell", .x_label = "longest pause, ns",
      .y_label = "us, or ns from warp to warp", .log_x = true}}};

}  // namespace warpath::experiments
