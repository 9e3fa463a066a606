#include <algorithm>

#include "experiments/list.h"
#include "experiments/rendered_cell.h"

/// Rays per second by bounce: what one more bounce adds in rays, by what it adds in time.
namespace warpath::experiments {
namespace {

/// Depth limits whose differences are the bounces, or groups of them.
const std::vector<uint32_t> limits = {0, 1, 2, 3, 4, 6, 8, 12, 16};

double num_rays(const Outcome& outcome) {
    double rays = 0;
    for (const char* counter : {"CameraRays", "ExtensionRays", "ShadowRays"}) rays += outcome.data["counters"].value(counter, 0.0);
    return rays;
}

/// Writes what lies between two depth limits of each scheduler. A path is the same under both up to the smaller one, so the differences are those
/// of the bounces between.
void record_difference(ExperimentContext& context, const Json& cell, uint32_t bounce, const std::vector<Outcome>& shorter,
                       const std::vector<Outcome>& longer) {
    for (size_t i = 0; i < longer.size(); ++i) {
        if (!shorter[i].left_out.empty() || !longer[i].left_out.empty()) continue;
        const double rays = num_rays(longer[i]) - num_rays(shorter[i]), ms = longer[i].median - shorter[i].median;
        Json variant = longer[i].variant;
        variant["bounce"] = bounce;
        std::vector<double> rates;
        for (size_t run = 0; run < std::min(longer[i].values.size(), shorter[i].values.size()); ++run) {
            const double difference_ms = longer[i].values[run] - shorter[i].values[run];
            if (difference_ms > 0) rates.push_back(1e-3 * rays / difference_ms);
        }
        if (ms > 0 && !rates.empty())
            context.record(cell, variant, "Mrays/s", rates, {{"rays", rays}, {"added_ms", ms}}, true);
        else
            context.leave_out(cell, variant.dump() + ": the time it adds is below the noise");
    }
}

void measure_view(ExperimentContext& context, const View& wanted) {
    const Plan& plan = context.plan();
    LoadedView view(context, wanted);
    RenderOptions options = plan.render_options();
    const Json cell = {{"scene", view.name()}, {"film", plan.films.front().text()}, {"spp", options.spp}};
    std::vector<Outcome> shorter;
    for (const uint32_t limit : limits) {
        options.max_depth = limit;
        Json key = cell;
        key["depth"] = limit;
        const std::vector<Outcome> longer = measure_renders(context, view, key, scheduler_variants(plan, options));
        if (!shorter.empty()) record_difference(context, cell, limit, shorter, longer);
        shorter = longer;
    }
}

void run(ExperimentContext& context) {
    const Plan& plan = context.plan();
    if (plan.scenes.empty()) context.skip("the plan names no scene");
    context.expect_cells(plan.scenes.size() * limits.size());
    for (const View& view : plan.scenes) measure_view(context, view);
}

}  // namespace

const Experiment bounces_experiment = {
    "bounces",
    "Later bounces run slower per ray, under launches more so: fewer and more scattered rays must pay for a whole launch and its tail.",
    "A rate that stays the same from bounce to bounce, or falls for resident warps as it does for launches.",
    2.5,
    run,
    {{.kind = "line", .title = "Rate by bounce", .x = "variant.bounce", .y = "median", .series = "variant.scheduler", .facet = "cell.scene",
      .x_label = "bounce", .y_label = "Mrays/s"}}};

}  // namespace warpath::experiments
