#include <algorithm>

#include "experiments/fusion_probe.h"
#include "experiments/list.h"
#include "experiments/rendered_cell.h"
#include "warpath/error.h"

/// The same frame with the stages of a bounce in kernels of their own, in pairs, and all in one: registers, occupancy, launches, and the bytes that lists take.
/// The film is the same bits.
namespace warpath::experiments {
namespace {

Variant variant_of(const std::shared_ptr<FusedFrame>& frame, Fusion fusion) {
    Variant variant;
    variant.key = {{"fusion", fusion_names[static_cast<int>(fusion)]}};
    const auto last = std::make_shared<FusedRun>();
    variant.run = [frame, last] {
        *last = frame->run();
        Sample sample;
        sample.value = last->time_ms;
        if (last->aborted) sample.failure = "its watchdog gave up";
        sample.image = last->film;
        return sample;
    };
    variant.details = [frame, last]() -> Json {
        Json kernels = Json::array();
        int most = 0;
        for (const FusedKernel& kernel : frame->kernels()) {
            kernels.push_back({{"stages", kernel.stages}, {"registers", kernel.registers}, {"local_bytes", kernel.local_bytes}, {"blocks_per_sm", kernel.blocks_per_sm},
                               {"warps_per_sm", 4 * kernel.blocks_per_sm}});
            most = std::max(most, kernel.registers);
        }
        return {{"kernels", kernels}, {"most_registers", most}, {"launches_per_bounce", frame->launches_per_bounce()}, {"rays", last->num_rays},
                {"list_bytes_per_ray", frame->list_bytes_per_ray()}, {"mrays_per_s", last->time_ms > 0 ? 1e-3 * static_cast<double>(last->num_rays) / last->time_ms : 0}};
    };
    return variant;
}

void run(ExperimentContext& context) {
    const Plan& plan = context.plan();
    context.need_cuda("fusing kernels");
    if (plan.scenes.empty()) context.skip("the plan names no scene");
    if (uint64_t{plan.films.front().width} * plan.films.front().height * plan.spp.front() > FusionProbe::most_paths || plan.depths.front() > FusionProbe::most_depth)
        context.skip("it has a slot for every path and a list for every bounce: at most 2^23 paths and 64 bounces");
    context.expect_cells(plan.scenes.size());
    for (const View& view : plan.scenes) {
        std::unique_ptr<FusionProbe> probe;
        try {
            probe = make_fusion_probe(static_cast<int>(plan.device), context.scene(view));
        } catch (const Error& e) {
            if (e.code() != ErrorCode::Unavailable) throw;
            context.skip(e.what());
        }
        const RenderOptions options = [&] {
            RenderOptions chosen = plan.render_options();
            chosen.scheduler = "launch";
            return chosen;
        }();
        Cell cell;
        cell.key = {{"scene", view.name}, {"film", plan.films.front().text()}, {"spp", options.spp}, {"depth", options.max_depth}};
        for (const Fusion fusion : {Fusion::Split, Fusion::ShadeOcclude, Fusion::IntersectShade, Fusion::All})
            cell.variants.push_back(variant_of(probe->prepare(options, fusion), fusion));
        context.measure(cell);
        cell.variants.clear();  // frames go before their device
    }
}

}  // namespace

const Experiment fusion_experiment = {
    "fusion",
    "Fusing a bounce's stages saves launches and lists, but takes the registers of the greediest stage for all, so that tracing loses the warps it hides latency with: "
    "on real scenes split kernels win at large films.",
    "One kernel for all stages as fast as split ones at two million paths, or with as many warps resident.",
    0.4,
    run,
    {{.kind = "bar", .title = "Time of a frame", .x = "variant.fusion", .y = "median", .facet = "cell", .y_label = "ms"},
     {.kind = "bar", .title = "Most registers of a thread", .x = "variant.fusion", .y = "data.most_registers", .facet = "cell.scene", .y_label = "registers"}}};

}  // namespace warpath::experiments
