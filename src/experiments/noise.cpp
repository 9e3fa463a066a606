#include "experiments/list.h"
#include "experiments/rendered_cell.h"

/// A scheduler against itself: what the protocol calls a difference where there is none.
namespace warpath::experiments {
namespace {

/// The two halves of an A/A pair; the labels are all that tells them apart.
std::vector<RenderVariant> copies(const RenderOptions& options, const std::string& scheduler) {
    std::vector<RenderVariant> variants;
    for (const char* copy : {"a", "b"}) {
        RenderVariant& variant = variants.emplace_back(RenderVariant{{{"copy", copy}}, options, {}});
        variant.options.scheduler = scheduler;
    }
    return variants;
}

void run(ExperimentContext& context) {
    const Plan& plan = context.plan();
    if (plan.scenes.empty()) context.skip("the plan names no scene");
    context.expect_cells(plan.schedulers.size());
    LoadedView view(context, plan.scenes.front());
    for (const std::string& scheduler : plan.schedulers) {
        const RenderOptions options = plan.render_options();
        const Json cell = {{"scene", view.name()}, {"film", plan.films.front().text()}, {"spp", options.spp}, {"depth", options.max_depth},
                           {"scheduler", scheduler}};
        const std::vector<Outcome> pair = measure_renders(context, view, cell, copies(options, scheduler));
        if (!pair[0].complete || !pair[1].complete) {
            context.leave_out(cell, "too few runs for an interval of the ratio");
            continue;
        }
        const Interval ratio = ratio_interval(pair[0].values, pair[1].values, context.seed(scheduler));
        context.record(cell, {{"copy", "a / b"}}, "ratio", {pair[0].median / pair[1].median},
                       {{"low", ratio.low}, {"high", ratio.high}, {"confidence", confidence}, {"differs", !ratio.contains(1)}});
    }
}

}  // namespace

const Experiment noise_experiment = {
    "noise",
    "A scheduler measured against itself shows no difference.",
    "More than about one in twenty of the 95 % intervals of the ratio of a scheduler to itself does not contain 1: then intervals elsewhere "
    "promise too much, and differences of the size seen here mean nothing.",
    0.4,
    run,
    {{.kind = "interval", .title = "A scheduler against itself: ratio and its 95 % interval", .x = "cell.scheduler", .y = "median", .y_label = "a / b"}}};

}  // namespace warpath::experiments
