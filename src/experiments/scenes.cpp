#include "experiments/list.h"
#include "experiments/rendered_cell.h"

/// The renderer itself: every scheduler on every scene, film, number of samples and depth limit of the plan.
namespace warpath::experiments {
namespace {

void measure_view(ExperimentContext& context, const View& wanted) {
    const Plan& plan = context.plan();
    LoadedView view(context, wanted);
    for (const Film& film : plan.films)
        for (const uint32_t spp : plan.spp)
            for (const uint32_t depth : plan.depths) {
                RenderOptions options = plan.render_options();
                options.width = film.width, options.height = film.height, options.spp = spp, options.max_depth = depth;
                measure_renders(context, view, {{"scene", view.name()}, {"film", film.text()}, {"spp", spp}, {"depth", depth}},
                                scheduler_variants(plan, options));
            }
}

void run(ExperimentContext& context) {
    const Plan& plan = context.plan();
    if (plan.scenes.empty()) context.skip("the plan names no scene");
    context.expect_cells(plan.scenes.size() * plan.films.size() * plan.spp.size() * plan.depths.size());
    for (const View& view : plan.scenes) measure_view(context, view);
}

}  // namespace

const Experiment scenes_experiment = {
    "scenes",
    "Resident warps beat the best schedule by launches where a frame has many bounces with few rays: there, tails and launches cost most.",
    "A launch-based scheduler as fast as the persistent ones at the largest depth limit, or the advantage not growing with depth.",
    3.0,
    run,
    {{.kind = "bar", .title = "Time of a frame", .x = "variant.scheduler", .y = "median", .facet = "cell", .y_label = "ms"},
     {.kind = "bar", .title = "Rate", .x = "variant.scheduler", .y = "data.mrays_per_s", .facet = "cell", .y_label = "Mrays/s"},
     {.kind = "stack", .title = "Where the time went", .x = "variant.scheduler", .y = "data.shares", .facet = "cell", .y_label = "share of the frame"},
     {.kind = "steps", .title = "Active groups over time", .y = "data.busy", .series = "variant.scheduler", .facet = "cell", .x_label = "ms",
      .y_label = "share of places busy"},
     {.kind = "cdf", .title = "Busy time of places, by the mean", .y = "data.busy_time", .series = "variant.scheduler", .facet = "cell",
      .x_label = "busy time by the mean"}}};

}  // namespace warpath::experiments
