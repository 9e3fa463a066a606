#include <algorithm>

#include "backends/cuda/carve_out.h"
#include "experiments/list.h"
#include "experiments/tuner.h"

/// Block size against blocks per multiprocessor and against the share of shared memory, batch against pool, and what
/// the tuner makes of them.
namespace warpath::experiments {
namespace {

/// The schedulers whose launch is most their own; others take the same numbers or none.
const std::vector<std::string> shown_on_cuda = {"persistent", "megakernel-persistent", "launch-async"},
                               shown_on_cpu = {"persistent", "launch"};
const std::vector<std::string> carved = {"persistent", "launch-async"};

constexpr uint32_t map_repeats = 5;

/// Values of an axis: the plan's, if it gives several, else these.
std::vector<uint32_t> values_or(const std::vector<uint32_t>& planned, std::vector<uint32_t> otherwise) {
    return planned.size() > 1 ? planned : std::move(otherwise);
}

/// Two axes of one map.
std::vector<RenderVariant> maps(const Plan& plan, const RenderOptions& base, bool on_cuda) {
    const std::vector<uint32_t> across =
        on_cuda ? values_or(plan.block_sizes, {64, 128, 256, 512, 1024}) : values_or(plan.batches, {1, 8, 64, 512});
    const std::vector<uint32_t> up =
        on_cuda ? values_or(plan.blocks, {1, 2, 4, 8, 16}) : values_or(plan.pools, {64, 512, 4096});
    std::vector<RenderVariant> variants;
    for (const uint32_t x : across)
        for (const uint32_t y : up) {
            RenderVariant& variant = variants.emplace_back(RenderVariant{nullptr, base, {}});
            (on_cuda ? variant.options.block_size : variant.options.batch) = x;
            (on_cuda ? variant.options.blocks_per_sm : variant.options.pool) = y;
            if (on_cuda)
                variant.key = {{"block_size", x}, {"blocks", y}};
            else
                variant.key = {{"batch", x}, {"pool", y}};
        }
    return variants;
}

/// Every shape of a launch with every share of shared memory.
std::vector<RenderVariant> carve_outs(const RenderOptions& base) {
    std::vector<RenderVariant> variants;
    for (const uint32_t block_size : {128u, 256u, 512u})
        for (const uint32_t blocks : {1u, 2u, 4u})
            for (const int percent : {CarveOut::driver_chooses, 0, 25, 50, 100}) {
                RenderVariant& variant = variants.emplace_back(RenderVariant{nullptr, base, percent});
                variant.options.block_size = block_size, variant.options.blocks_per_sm = blocks;
                variant.key = {{"shape", std::to_string(block_size) + " x " + std::to_string(blocks)}};
                variant.key["carve_out"] = percent == CarveOut::driver_chooses ? Json("driver's") : Json(percent);
            }
    return variants;
}

/// What follows finds kernels as they were.
void leave_no_carve_out(LoadedView& view, const RenderOptions& options) {
    {
        const CarveOut preference(CarveOut::driver_chooses);
        view.renderer(options.blocks_per_sm).prepare(options).run();
    }
    CarveOut::forget();
}

void measure_scheduler(ExperimentContext& context, LoadedView& view, const std::string& scheduler) {
    const Plan& plan = context.plan();
    RenderOptions options = plan.render_options();
    options.scheduler = scheduler;
    const Json cell = {{"scene", view.name()},
                       {"film", plan.films.front().text()},
                       {"spp", options.spp},
                       {"depth", options.max_depth},
                       {"scheduler", scheduler}};
    measure_renders(context, view, cell, maps(plan, options, context.on_cuda()), map_repeats);
    if (!context.on_cuda() || std::count(carved.begin(), carved.end(), scheduler) == 0) return;
    Json second = cell;
    second["axis"] = "carve-out";
    measure_renders(context, view, second, carve_outs(options), map_repeats);
    leave_no_carve_out(view, options);
}

void tune_scheduler(ExperimentContext& context, LoadedView& view, const std::string& scheduler, double share_s) {
    const Plan& plan = context.plan();
    RenderOptions options = plan.render_options();
    options.scheduler = scheduler;
    ExperimentContext own = context.with_budget(share_s);
    const Json cell = {{"scene", view.name()},   {"film", plan.films.front().text()},
                       {"spp", options.spp},     {"depth", options.max_depth},
                       {"scheduler", scheduler}, {"tuner", "final"}};
    const Tuned tuned = tune(own, view, options, cell);
    if (tuned.defaults.values.empty()) return;
    Json data = schedule_numbers(tuned.options);
    data["chosen"] = schedule_text(tuned.options);
    data["low"] = tuned.speed_up.low, data["high"] = tuned.speed_up.high;
    const double ratio = tuned.tuned.values.empty() ? 1 : tuned.defaults.median / tuned.tuned.median;
    context.record(cell, {{"configuration", "default / tuned"}}, "ratio", {ratio}, data);
}

void run(ExperimentContext& context) {
    const Plan& plan = context.plan();
    if (plan.scenes.empty()) context.skip("the plan names no scene");
    std::vector<std::string> schedulers;
    for (const std::string& name : context.on_cuda() ? shown_on_cuda : shown_on_cpu)
        if (std::count(plan.schedulers.begin(), plan.schedulers.end(), name)) schedulers.push_back(name);
    if (schedulers.empty()) context.skip("the plan names none of the schedulers that this experiment knows");
    LoadedView view(context, plan.scenes.front());
    for (size_t i = 0; i < schedulers.size(); ++i) {
        const double share_s = context.seconds_left() / static_cast<double>(schedulers.size() - i);
        std::vector<double> weights(context.on_cuda() ? 2 : 1, 1.0);
        weights.push_back(static_cast<double>(weights.size()) +
                          2 * static_cast<double>(weights.size()) * static_cast<double>(schedulers.size() - i - 1));
        context.expect_cells(weights);  // the last of them is the tuner's and what comes after
        measure_scheduler(context, view, schedulers[i]);
        tune_scheduler(context, view, schedulers[i], std::min(context.seconds_left(), 0.5 * share_s));
    }
}

}  // namespace

const Experiment configuration_experiment = {
    "configuration",
    "The defaults are near the best configuration, and more occupancy is not more speed: traversal is bound by latency "
    "and cache, not by warps.",
    "A tuned configuration faster than the defaults by more than the noise, or a speed that grows with occupancy "
    "throughout.",
    2.0,
    run,
    {{.kind = "heat",
      .title = "Time by block size and blocks per multiprocessor",
      .x = "variant.block_size",
      .y = "variant.blocks",
      .value = "median",
      .facet = "cell.scheduler",
      .x_label = "threads per block",
      .y_label = "blocks per multiprocessor"},
     {.kind = "heat",
      .title = "Time by batch and pool",
      .x = "variant.batch",
      .y = "variant.pool",
      .value = "median",
      .facet = "cell.scheduler",
      .x_label = "paths per grab",
      .y_label = "path slots"},
     {.kind = "heat",
      .title = "Time by share of shared memory, and by threads in a block x blocks per multiprocessor",
      .x = "variant.carve_out",
      .y = "variant.shape",
      .value = "median",
      .facet = "cell.scheduler",
      .x_label = "preferred share of shared memory, %",
      .y_label = "threads x blocks"},
     {.kind = "line",
      .title = "Time by resident groups, by share of shared memory",
      .x = "data.groups",
      .y = "median",
      .series = "variant.carve_out",
      .facet = "cell.scheduler",
      .x_label = "resident groups",
      .y_label = "ms",
      .log_x = true},
     {.kind = "line",
      .title = "Time by resident groups (occupancy)",
      .x = "data.groups",
      .y = "median",
      .series = "variant.block_size",
      .facet = "cell.scheduler",
      .x_label = "resident groups",
      .y_label = "ms",
      .log_x = true},
     {.kind = "interval",
      .title = "Gain of the tuner's choice over the defaults",
      .x = "cell.scheduler",
      .y = "median",
      .y_label = "default / tuned"}}};

}  // namespace warpath::experiments
