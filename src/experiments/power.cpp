#include <algorithm>
#include <iterator>
#include <thread>

#include "experiments/list.h"
#include "experiments/rendered_cell.h"
#include "experiments/waiting_probe.h"
#include "warpath/error.h"

/// Watts and joules: what each scheduler's rays cost, and what a resident kernel costs that waits.
namespace warpath::experiments {
namespace {

using Clock = std::chrono::steady_clock;

/// The energy counter moves in steps of up to a tenth of a second: a window begins and ends with one.
constexpr double window_s = 0.6, settling_s = 0.2, longest_step_s = 0.5;
constexpr uint32_t windows = 3;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// When the energy counter last stepped, and to what.
struct EnergyStep {
    double joules = 0;
    Clock::time_point at;
};
/// Does something again and again until the counter steps; gives up after longest_step_s.
template <class Something>
EnergyStep wait_for_step(const ExperimentContext& context, const Something& something) {
    const double before = context.telemetry().energy_j().value_or(0);
    EnergyStep step{before, Clock::now()};
    for (const Clock::time_point start = step.at; step.joules == before && seconds_since(start) < longest_step_s && !context.stop_flag();) {
        something();
        step = {context.telemetry().energy_j().value_or(0), Clock::now()};
    }
    return step;
}

double rays_of(const FrameTiming& timing) {
    double rays = 0;
    for (const Counter id : {Counter::CameraRays, Counter::ExtensionRays, Counter::ShadowRays})
        rays += static_cast<double>(timing.counters[static_cast<size_t>(id)]);
    return rays;
}

/// Renders the frame again and again for a window's time; joules per million rays.
Sample energy_of(ExperimentContext& context, PreparedFrame& frame) {
    Sample sample;
    for (const Clock::time_point start = Clock::now(); seconds_since(start) < settling_s && !context.stop_flag();)
        frame.run(&context.stop_flag());
    double rays = 0;
    uint32_t frames = 0;
    const auto run = [&] {
        const FrameTiming timing = frame.run(&context.stop_flag());
        rays += rays_of(timing);
        ++frames;
        if (timing.aborted) sample.failure = "its watchdog gave up";
    };
    const EnergyStep first = wait_for_step(context, run);
    rays = 0, frames = 0;
    while (seconds_since(first.at) < window_s && !context.stop_flag()) run();
    const EnergyStep last = wait_for_step(context, run);
    const double seconds = std::chrono::duration<double>(last.at - first.at).count(), joules = last.joules - first.joules;
    if (context.stop_flag() || rays == 0) return sample;
    sample.value = 1e6 * joules / rays;
    sample.image = frame.film_checksum();
    sample.more = {{"watts", joules / seconds}, {"mrays_per_s", 1e-6 * rays / seconds}, {"frames", frames}};
    return sample;
}

void measure_schedulers(ExperimentContext& context, LoadedView& view) {
    RenderOptions options = context.plan().render_options();
    Cell cell;
    cell.key = {{"scene", view.name()},
                {"film", context.plan().films.front().text()},
                {"spp", options.spp},
                {"depth", options.max_depth}};
    cell.unit = "J/Mray";
    cell.repeats = windows;
    cell.warms_up = false;
    for (const RenderVariant& wanted : scheduler_variants(context.plan(), options)) {
        const auto frame =
            std::make_shared<PreparedFrame>(view.renderer(options.blocks_per_sm).prepare(wanted.options));
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

/// Mean power over a window in which the host does nothing. Power takes a moment to follow what the device does.
Sample waiting_power(const ExperimentContext& context) {
    Sample sample;
    const auto rest = [&](double seconds) {
        for (const Clock::time_point start = Clock::now(); seconds_since(start) < seconds && !context.stop_flag();)
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
    };
    const auto wait = [] { std::this_thread::sleep_for(std::chrono::milliseconds(1)); };
    rest(settling_s);
    const EnergyStep first = wait_for_step(context, wait);
    rest(window_s);
    const EnergyStep last = wait_for_step(context, wait);
    sample.value = (last.joules - first.joules) / std::chrono::duration<double>(last.at - first.at).count();
    return sample;
}

struct WaitingKernel {
    const char* name;
    Waiting waiting;
};
constexpr WaitingKernel waiting_kernels[] = {
    {"a warp a block, no back-off", {false, 0}},      {"a warp a block, up to 2 us", {false, 2000}},
    {"a warp a block, up to 64 us", {false, 64'000}}, {"every warp, no back-off", {true, 0}},
    {"every warp, up to 2 us", {true, 2000}},         {"every warp, up to 64 us", {true, 64'000}}};

Variant probed(const ExperimentContext& context, WaitingProbe& probe, const WaitingKernel& kernel) {
    Variant variant;
    variant.key = {{"kernel", kernel.name}};
    const auto looks_per_ms = std::make_shared<double>(0);
    variant.run = [&context, &probe, kernel, looks_per_ms] {
        probe.begin(kernel.waiting);
        const Clock::time_point start = Clock::now();
        const Sample sample = waiting_power(context);
        *looks_per_ms = 1e-3 * static_cast<double>(probe.end()) / seconds_since(start);
        return sample;
    };
    variant.details = [kernel, looks_per_ms]() -> Json {
        return {{"longest_pause_ns", kernel.waiting.longest_pause_ns},
                {"looks_per_ms", *looks_per_ms}};
    };
    return variant;
}

/// The renderer's own service, waiting for its next frame or sent away by one of `launch` with a single path. It ends
/// with its frame before the next variant's run.
Variant service(const ExperimentContext& context, LoadedView& view, bool parks) {
    Variant variant;
    variant.key = {{"kernel", parks ? "resident, parked" : "resident"}};
    variant.run = [&context, &view, parks] {
        RenderOptions options = context.plan().render_options(), one_path = options;
        options.scheduler = "resident", one_path.scheduler = "launch";
        one_path.width = one_path.height = one_path.spp = 1;
        PreparedFrame other = view.renderer(options.blocks_per_sm).prepare(one_path);
        other.run();
        PreparedFrame frame = view.renderer(options.blocks_per_sm).prepare(options);
        frame.run(&context.stop_flag());
        if (parks) other.run();
        return waiting_power(context);
    };
    return variant;
}

/// The device with nothing on it, and kernels that wait on all of it.
void measure_waiting(ExperimentContext& context, LoadedView& view, WaitingProbe& probe) {
    const std::vector<std::string>& schedulers = context.plan().schedulers;
    Cell cell;
    cell.key = {{"scene", view.name()}, {"state", "waiting"}};
    cell.unit = std::string("watts");
    cell.repeats = windows;
    cell.warms_up = false;
    cell.variants.push_back({.key = {{"kernel", "none"}}, .run = [&context] { return waiting_power(context); }});
    for (const WaitingKernel& kernel : waiting_kernels) cell.variants.push_back(probed(context, probe, kernel));
    if (std::count(schedulers.begin(), schedulers.end(), "resident"))
        for (const bool parks : {false, true}) cell.variants.push_back(service(context, view, parks));
    context.measure(cell);
}

std::unique_ptr<WaitingProbe> open_probe(const ExperimentContext& context) {
    try {
        return make_waiting_probe(static_cast<int>(context.plan().device));
    } catch (const Error& e) {
        if (e.code() != ErrorCode::Unavailable) throw;
        context.skip(e.what());
    }
}

void run(ExperimentContext& context) {
    context.need_cuda("energy by NVML");
    const Plan& plan = context.plan();
    if (!context.telemetry().available()) context.skip(context.telemetry().why_not());
    if (!context.telemetry().energy_j()) context.skip("this device keeps no count of energy");
    if (plan.scenes.empty()) context.skip("the plan names no scene");
    const auto probe = open_probe(context);
    context.expect_cells(
        {static_cast<double>(std::size(waiting_kernels) + 3), static_cast<double>(plan.schedulers.size())});
    LoadedView view(context, plan.scenes.front());
    measure_waiting(context, view, *probe);
    measure_schedulers(context, view);
}

}  // namespace

const Experiment power_experiment = {
    "power",
    "Energy per ray follows time per ray. A kernel that waits draws power above an idle device, the more the more "
    "warps look and the less they sleep; parked it draws none.",
    "A resident scheduler that is faster than the best one by launches and takes more joules per ray; or a kernel that "
    "looks without pause and draws as little as none.",
    1.8,
    run,
    {{.kind = "bar",
      .title = "Energy",
      .x = "variant.scheduler",
      .y = "median",
      .facet = "cell.film",
      .y_label = "joules per million rays"},
     {.kind = "bar",
      .title = "Power",
      .x = "variant.scheduler",
      .y = "data.watts",
      .facet = "cell.film",
      .y_label = "watts"},
     {.kind = "bar",
      .title = "Power while nothing is to be done",
      .x = "variant.kernel",
      .y = "median",
      .facet = "cell.state",
      .y_label = "watts"}}};

}  // namespace warpath::experiments
