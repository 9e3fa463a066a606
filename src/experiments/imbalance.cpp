#include "experiments/list.h"
#include "experiments/synthetic_cell.h"
#include "experiments/work_dial.h"

/// Synthetic work with a dial through every scheduler: costs of paths that are alike, log-normal, bimodal, Pareto, heavy in a corner, in order, reversed.
/// The mean is the same everywhere, so that time shows balance alone. No time can be below the bound: all spins by the rate of all lanes, or the longest
/// path's by the rate of one.
namespace warpath::experiments {
namespace {

const char* spread_name(Spread spread) {
    switch (spread) {
        case Spread::LogNormal: return "log-normal";
        case Spread::Bimodal: return "bimodal";
        case Spread::Pareto: return "pareto";
        case Spread::Clustered: return "clustered";
        case Spread::Constant: break;
    }
    return "constant";
}
const char* order_name(WorkOrder order) {
    return order == WorkOrder::Ascending ? "ascending" : order == WorkOrder::LongestFirst ? "longest first" : "random";
}

/// Plots have a line by spread; what is constant is the log-normal's zero.
Json cell_of(const WorkDial& dial) {
    const bool constant = dial.spread == Spread::Constant;
    return {{"distribution", spread_name(constant ? Spread::LogNormal : dial.spread)},
            {"amount", dial.amount},
            {"order", order_name(dial.order)},
            {"paths", dial.num_paths},
            {"mean_steps", dial.mean_steps}};
}

void run(ExperimentContext& context) {
    const auto device = open_synthetic_device(context);
    const SpinRates rates = device->measure_spins();
    const auto num_paths = context.option<uint64_t>("paths", context.on_cuda() ? 1u << 20 : 2000);
    std::vector<WorkDial> dials = standard_dials(num_paths, context.option<double>("mean_steps", context.on_cuda() ? 256 : 64));
    context.expect_cells(dials.size());
    for (WorkDial& dial : dials) {
        dial.seed = context.seed("work");
        SyntheticWork work;
        work.stream = make_stream(dial);
        work.spins_per_step = context.option<uint32_t>("spins_per_step", 16);
        const Json more = {{"spins_per_ms", rates.all_lanes}, {"spins_per_ms_of_a_lane", rates.one_lane}, {"longest_path_steps", work.stream.longest_path_steps()}};
        measure_synthetic(context, *device, cell_of(dial), work, {rates, rates.least_ms(work)}, more);
    }
}

}  // namespace

const Experiment imbalance_experiment = {
    "imbalance",
    "Where costs are alike, dynamic schedules lose a few percent to static shares; the more they spread, the more they gain, up to the bound that the longest path sets.",
    "A static schedule that keeps up with dynamic ones at high spread, or a dynamic one far from the bound while the longest path is not what limits it.",
    1.0,
    run,
    {{.kind = "line", .title = "Time by spread of costs, and the least that spins alone take", .x = "cell.amount", .y = "median", .series = "variant.scheduler",
      .facet = "cell.distribution", .bound = "data.bound_ms", .x_label = "sigma, share or exponent", .y_label = "ms", .log_y = true},
     {.kind = "line", .title = "Speed-up over static shares", .x = "cell.amount", .y = "median", .series = "variant.scheduler", .facet = "cell.distribution",
      .relative_to = "static", .x_label = "sigma, share or exponent", .y_label = "static / scheduler"}},
    {"paths", "mean_steps", "spins_per_step"}};

}  // namespace warpath::experiments
