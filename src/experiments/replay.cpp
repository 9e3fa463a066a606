#include "experiments/list.h"
#include "experiments/record_costs.h"
#include "experiments/rendered_cell.h"
#include "experiments/schedule_bound.h"
#include "experiments/synthetic_cell.h"

/// The rays of a real frame through every scheduler, without the scene: recorded on the CPU ray by ray (or read from a file), replayed as spins in proportion,
/// as they came and with the longest paths first. Beside the bound that no schedule beats stands what list scheduling makes of the costs when it
/// knows them all.
namespace warpath::experiments {
namespace {

/// Spins that a shading takes, by the steps of a ray: a guess that is the same for all classes but a miss.
constexpr uint32_t shade_steps = 24, miss_steps = 4;

CostStream stream_of_plan(ExperimentContext& context, Json& cell) {
    const auto file = context.option<std::string>("file", "");
    if (!file.empty()) {
        cell["scene"] = std::filesystem::path(file).filename().string();
        return read_stream(file);
    }
    if (context.plan().scenes.empty()) context.skip("the plan names no scene to record, and no file to replay (option \"file\")");
    const View& view = context.plan().scenes.front();
    RenderOptions options = context.plan().render_options();
    options.scheduler = "persistent", options.batch = options.pool = options.blocks_per_sm = options.block_size = options.refill_below = 0;
    context.say("recording " + view.name);
    CostStream stream = record_costs(context.scene(view), options);
    if (const auto save = context.option<std::string>("save", ""); !save.empty()) write_stream(save, stream);
    cell["scene"] = view.name, cell["film"] = context.plan().films.front().text(), cell["depth"] = options.max_depth;
    return stream;
}

void run(ExperimentContext& context) {
    Json cell = Json::object();
    const auto device = open_synthetic_device(context);  // may not be there: before anything is recorded
    const CostStream recorded = stream_of_plan(context, cell);
    const SpinRates rates = device->measure_spins();
    context.expect_cells(2);
    for (const bool longest_first : {false, true}) {
        context.check_stop();
        SyntheticWork work;
        work.stream = longest_first ? longest_paths_first(recorded) : recorded;
        work.spins_per_step = context.option<uint32_t>("spins_per_step", 4);
        work.shade_spins.fill(shade_steps * work.spins_per_step);
        work.shade_spins[miss_class] = miss_steps * work.spins_per_step;
        cell["order"] = longest_first ? "longest first" : "as recorded";
        const double lane_rate = rates.all_lanes / static_cast<double>(rates.num_lanes);
        const Json more = {{"rays", work.stream.rays.size()},
                           {"paths", work.stream.num_paths()},
                           {"longest_path_spins", work.longest_path_spins()},
                           {"mean_path_spins", static_cast<double>(work.total_spins()) / static_cast<double>(work.stream.num_paths())},
                           {"list_schedule_ms", static_cast<double>(list_makespan(path_spins(work), rates.num_lanes)) / lane_rate}};
        measure_synthetic(context, *device, cell, work, {rates, rates.least_ms(work)}, more);
    }
}

}  // namespace

const Experiment replay_experiment = {
    "replay",
    "The costs of a real frame alone, without its memory traffic, explain how schedulers rank on it; with the longest paths first, static shares come near the bound.",
    "Another order of the schedulers in a replay than in the render that it was recorded from: then memory, not balance, is what they differ in.",
    0.6,
    run,
    {{.kind = "bar", .title = "Replay of recorded costs", .x = "variant.scheduler", .y = "median", .facet = "cell.order", .y_label = "ms"},
     {.kind = "bar", .title = "The least that spins alone take, by the time", .x = "variant.scheduler", .y = "data.share_of_bound", .facet = "cell.order",
      .y_label = "share"}},
    {"file", "save", "spins_per_step"}};

}  // namespace warpath::experiments
