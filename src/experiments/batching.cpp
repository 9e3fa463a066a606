#include "experiments/list.h"
#include "experiments/rendered_cell.h"

/// Samples per frame: latency against throughput, for frames one by one and for progressive passes.
namespace warpath::experiments {
namespace {

const std::vector<uint32_t> samples_per_frame = {1, 2, 4, 8, 16, 32};
constexpr uint32_t num_passes = 8;

Json cell_of(const LoadedView& view, const RenderOptions& options) {
    return {{"scene", view.name()}, {"film", Film{options.width, options.height}.text()}, {"spp", options.spp}, {"depth", options.max_depth}};
}

/// A frame of `num_passes` samples as so many passes; a sample of it is the time of a pass.
Variant progressive(LoadedView& view, const RenderOptions& options) {
    Variant variant;
    variant.key = {{"scheduler", options.scheduler}};
    const auto frame = std::make_shared<PreparedFrame>(view.renderer(options.blocks_per_sm).prepare(options));
    variant.run = [frame] {
        Sample sample;
        sample.value = frame->run_passes(num_passes) / num_passes;
        sample.image = frame->film_checksum();
        return sample;
    };
    return variant;
}

void measure_passes(ExperimentContext& context, LoadedView& view) {
    RenderOptions options = context.plan().render_options();
    options.spp = num_passes;
    Cell cell;
    cell.key = cell_of(view, options);
    cell.key.erase("spp");  // no frame of so many samples
    cell.key["passes"] = num_passes;
    cell.unit = "ms per pass";
    for (const std::string& scheduler : context.plan().schedulers) {
        options.scheduler = scheduler;
        cell.variants.push_back(progressive(view, options));
    }
    context.measure(cell);
}

void run(ExperimentContext& context) {
    const Plan& plan = context.plan();
    if (plan.scenes.empty()) context.skip("the plan names no scene");
    std::vector<double> weights{num_passes};
    for (const uint32_t spp : samples_per_frame) weights.push_back(4.0 + spp);
    context.expect_cells(weights);
    LoadedView view(context, plan.scenes.front());
    measure_passes(context, view);
    for (const uint32_t spp : samples_per_frame) {
        RenderOptions options = plan.render_options();
        options.spp = spp;
        measure_renders(context, view, cell_of(view, options), scheduler_variants(plan, options));
    }
}

}  // namespace

const Experiment batching_experiment = {
    "batching",
    "More samples in a frame buy throughput with latency; resident warps need fewer of them, and a service that takes passes ahead needs none.",
    "Throughput that does not grow with the samples in a frame, or grows alike for all schedulers.",
    2.0,
    run,
    {{.kind = "line", .title = "Throughput by samples in a frame", .x = "cell.spp", .y = "data.mpaths_per_s", .series = "variant.scheduler",
      .x_label = "samples per pixel in a frame", .y_label = "Mpaths/s", .log_x = true},
     {.kind = "line", .title = "Time of a frame, 95th percentile", .x = "cell.spp", .y = "p95", .series = "variant.scheduler",
      .x_label = "samples per pixel in a frame", .y_label = "ms", .log_x = true, .log_y = true},
     {.kind = "bar", .title = "Time of a progressive pass of one sample", .x = "variant.scheduler", .y = "median", .facet = "cell.passes",
      .y_label = "ms per pass"}}};

}  // namespace warpath::experiments
