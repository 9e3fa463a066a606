#include "experiments/list.h"
#include "experiments/rendered_cell.h"

/// Paths in flight against throughput: how much work there has to be until launches cost nothing.
namespace warpath::experiments {
namespace {

struct Size {
    Film film;
    uint32_t spp = 1;
    uint64_t paths() const { return uint64_t{film.width} * film.height * spp; }
};

/// 1 K paths, times four each, up to `most`. From 4 M on samples grow instead of the film.
std::vector<Size> sizes_up_to(uint64_t most) {
    std::vector<Size> sizes;
    for (uint32_t side = 32, spp = 1;; side < 2048 ? side *= 2 : spp *= 4) {
        const Size size{{side, side}, spp};
        if (size.paths() > most) return sizes;
        sizes.push_back(size);
    }
}

/// Paths that take about as long as a frame costs beside its paths, with its repeats.
double paths_of_fixed_cost(bool on_cuda) { return on_cuda ? 4e6 : 4e3; }

void run(ExperimentContext& context) {
    const Plan& plan = context.plan();
    if (plan.scenes.empty()) context.skip("the plan names no scene");
    const uint64_t most = context.option("most_paths", context.on_cuda() ? uint64_t{1} << 26 : uint64_t{1} << 16);
    const std::vector<Size> sizes = sizes_up_to(most);
    if (sizes.empty()) context.skip("option most_paths is below the smallest frame, 1024");
    std::vector<double> weights;  // frames of few paths cost what they cost once
    for (const Size& size : sizes) weights.push_back(static_cast<double>(size.paths()) + paths_of_fixed_cost(context.on_cuda()));
    context.expect_cells(weights);
    LoadedView view(context, plan.scenes.front());
    for (const Size& size : sizes) {
        RenderOptions options = plan.render_options();
        options.width = size.film.width, options.height = size.film.height, options.spp = size.spp;
        measure_renders(context, view,
                        {{"scene", view.name()}, {"paths", size.paths()}, {"film", size.film.text()}, {"spp", size.spp}, {"depth", options.max_depth}},
                        scheduler_variants(plan, options));
    }
}

}  // namespace

const Experiment crossover_experiment = {
    "crossover",
    "With enough paths in flight a launch per bounce catches up with resident warps; below, launches and tails rule.",
    "A launch-based schedule as fast with 1 K paths, or resident warps still well ahead with 64 M.",
    3.0,
    run,
    {{.kind = "line", .title = "Throughput by paths in flight", .x = "cell.paths", .y = "data.mpaths_per_s", .series = "variant.scheduler",
      .x_label = "paths", .y_label = "Mpaths/s", .log_x = true, .log_y = true},
     {.kind = "line", .title = "Speed-up over launch", .x = "cell.paths", .y = "median", .series = "variant.scheduler", .relative_to = "launch",
      .x_label = "paths", .y_label = "times as fast as launch", .log_x = true}},
    {"most_paths"}};

}  // namespace warpath::experiments
