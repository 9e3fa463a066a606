#include <algorithm>
#include <thread>

#include "experiments/list.h"
#include "experiments/rendered_cell.h"

/// Watts and joules: what each scheduler's rays cost, and what a resident kernel costs that waits.
namespace warpath::experiments {
namespace {

using Clock = std::chrono::steady_clock;

/// The energy counter moves in steps of some ten milliseconds, so a window must be much longer.
constexpr double window_s = 0.6;
constexpr uint32_t windows = 3;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

double rays_of(const FrameTiming& timing) {
    double rays = 0;
    for (const Counter id : {Counter::CameraRays, Counter::ExtensionRays, Counter::ShadowRays})
        rays += static_cast<double>(timing.counters[static_cast<size_t>(id)]);
    return rays;
}

/// Renders the frame again and again for a window's time; joules per million rays.
Sample energy_of(ExperimentContext& context, PreparedFrame& frame) {
    Sample sample;
    double rays = 0;
    uint32_t frames = 0;
    const double before_j = context.telemetry().energy_j().value_or(0);
    const Clock::time_point start = Clock::now();
    for (; seconds_since(start) < window_s && !context.stop_flag(); ++frames) {
        const FrameTiming timing = frame.run(&context.stop_flag());
        rays += rays_of(timing);
        if (timing.aborted) sample.failure = "its watchdog gave up";
    }
    const double seconds = seconds_since(start), joules = context.telemetry().energy_j().value_or(0) - before_j;
    if (context.stop_flag() || rays == 0) return sample;
    sample.value = 1e6 * joules / rays;
    sample.image = frame.film_checksum();
    sample.more = {{"watts", joules / seconds}, {"mrays_per_s", 1e-6 * rays / seconds}, {"frames", frames}};
    return sample;
}

void measure_schedulers(ExperimentContext& context, LoadedView& view) {
    RenderOptions options = context.plan().render_options();
    Cell cell;
    cell.key = {{"scene", view.name()}, {"film", context.plan().films.front().text()}, {"spp", options.spp}, {"depth", options.max_depth}};
    cell.unit = "J/Mray";
    cell.repeats = windows;
    for (const RenderVariant& wanted : scheduler_variants(context.plan(), options)) {
        const auto frame = std::make_shared<PreparedFrame>(view.renderer(options.blocks_per_sm).prepare(wanted.options));
        const auto last = std::make_shared<Json>();
        Variant variant;
        variant.key = wanted.key;
        variant.run = [&context, frame, last] {
            const Sample sample = energy_of(context, *frame);
            *last = sample.more;
            return sample;
        };
        variant.details = [last] { return *last; };
        cell.variants.push_back(variant);
    }
    context.measure(cell);
}

/// Mean power over a window in which the host does nothing.
Sample idle_power(const ExperimentContext& context) {
    Sample sample;
    const double before_j = context.telemetry().energy_j().value_or(0);
    const Clock::time_point start = Clock::now();
    while (seconds_since(start) < window_s && !context.stop_flag()) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    sample.value = (context.telemetry().energy_j().value_or(0) - before_j) / seconds_since(start);
    return sample;
}

/// The device with nothing on it against the resident kernel that polls for tasks. Its frame goes away, and the kernel with it, before the next run.
void measure_waiting(ExperimentContext& context, LoadedView& view) {
    RenderOptions options = context.plan().render_options();
    options.scheduler = std::string("resident");
    Cell cell;
    cell.key = {{"scene", view.name()}, {"state", "waiting"}};
    cell.unit = "W";
    cell.repeats = windows;
    cell.variants.push_back({.key = {{"kernel", "none"}}, .run = [&context] { return idle_power(context); }});
    cell.variants.push_back({.key = {{"kernel", "resident, polling"}}, .run = [&context, &view, options] {
                                 PreparedFrame frame = view.renderer(options.blocks_per_sm).prepare(options);
                                 frame.run(&context.stop_flag());
                                 return idle_power(context);
                             }});
    context.measure(cell);
}

void run(ExperimentContext& context) {
    context.need_cuda("energy by NVML");
    const Plan& plan = context.plan();
    if (!context.telemetry().available()) context.skip(context.telemetry().why_not());
    if (!context.telemetry().energy_j()) context.skip("this device keeps no count of energy");
    if (plan.scenes.empty()) context.skip("the plan names no scene");
    context.expect_cells(2);
    LoadedView view(context, plan.scenes.front());
    if (std::count(plan.schedulers.begin(), plan.schedulers.end(), "resident")) measure_waiting(context, view);
    measure_schedulers(context, view);
}

}  // namespace

const Experiment power_experiment = {
    "power",
    "Energy per ray follows time per ray: what polls while it waits draws less than what it saves.",
    "A resident scheduler that is faster than the best one by launches and takes more joules per ray.",
    1.0,
    run,
    {{.kind = "bar", .title = "Energy", .x = "variant.scheduler", .y = "median", .facet = "cell.film", .y_label = "joules per million rays"},
     {.kind = "bar", .title = "Power", .x = "variant.scheduler", .y = "data.watts", .facet = "cell.film", .y_label = "watts"},
     {.kind = "bar", .title = "Power while nothing is to be done", .x = "variant.kernel", .y = "median", .facet = "cell.state", .y_label = "watts"}}};

}  // namespace warpath::experiments
