#include <algorithm>
#include <map>

#include "backends/execute.h"
#include "bvh/bvh.h"
#include "experiments/list.h"
#include "experiments/rendered_cell.h"
#include "experiments/roofline_probe.h"
#include "warpath/error.h"

/// What limits each stage: what it counted, times what a unit of that takes, by its time, against what the device can do at most. Operations and bytes of a node
/// step and of a triangle test follow from their code and layout; what shading reads of textures and tables is not counted, so its shares are lower bounds.
namespace warpath::experiments {
namespace {

/// Instructions of the single-precision pipe: two boxes with six planes each, and the watertight triangle test (bvh/intersect_children.h, intersect_triangle.h).
constexpr double fp32_per_node_step = 34, fp32_per_triangle_test = 50;
constexpr double fetch_bytes = 64;

std::map<Ceiling, double> measure_ceilings(ExperimentContext& context, RooflineProbe& probe) {
    std::map<Ceiling, double> ceilings;
    for (const Ceiling ceiling : {Ceiling::Fma, Ceiling::L2Bytes, Ceiling::DramBytes, Ceiling::L2Fetches, Ceiling::DramFetches}) {
        Cell cell;
        cell.key = {{"ceiling", ceiling_names[static_cast<int>(ceiling)]}};
        cell.unit = ceiling_units[static_cast<int>(ceiling)];
        cell.more_is_better = true;
        Variant variant;
        variant.key = {{"device", "all lanes"}};
        variant.run = [&probe, ceiling] {
            Sample sample;
            sample.value = probe.measure(ceiling);
            return sample;
        };
        cell.variants.push_back(variant);
        ceilings[ceiling] = context.measure(cell).front().median;
    }
    return ceilings;
}

/// What one stage did in a frame.
struct StageWork {
    double fp32 = 0, bytes = 0, fetches = 0, busy_ns = 0;
};

/// The time of a stage: its share of the time of all batches, of the frame's.
std::map<std::string, StageWork> stages_of(const RenderResult& result) {
    const auto count = [&](Counter id) { return static_cast<double>(result.counters[static_cast<size_t>(id)]); };
    std::map<std::string, StageWork> stages;
    double all_ns = 0;
    for (const Timeline::Batch& batch : result.timeline->batches) {
        const std::string stage = batch.stage;
        if (stage == "idle") continue;
        const double ns = static_cast<double>(batch.end_ns - batch.begin_ns);
        stages[stage == "intersect" || stage == "occlude" ? "trace" : stage].busy_ns += ns;
        all_ns += ns;
    }
    for (auto& [name, stage] : stages) stage.busy_ns *= 1e6 * result.render_ms / std::max(1.0, all_ns);
    StageWork& trace = stages["trace"];
    const double nodes = count(Counter::NodeSteps), triangles = count(Counter::TriangleTests);
    trace.fp32 = nodes * fp32_per_node_step + triangles * fp32_per_triangle_test;
    trace.bytes = nodes * sizeof(BvhNode) + triangles * sizeof(BvhTriangle);
    trace.fetches = nodes * sizeof(BvhNode) / fetch_bytes + triangles * sizeof(BvhTriangle) / fetch_bytes;
    const double slot = static_cast<double>(slot_bytes());
    stages["shade"].bytes = 2 * slot * count(Counter::ShadeItems);
    stages["generate"].bytes = slot * count(Counter::GenerateItems);
    return stages;
}

void place_stages(ExperimentContext& context, const View& wanted, const std::map<Ceiling, double>& ceilings) {
    LoadedView view(context, wanted);
    RenderOptions options = context.plan().render_options();
    options.scheduler = "launch-async";
    PreparedFrame warm = view.renderer(options.blocks_per_sm).prepare(options);
    for (int i = 0; i < 2; ++i) warm.run();
    const double plain_ms = warm.run().time_ms;
    options.timeline = true;
    PreparedFrame frame = view.renderer(options.blocks_per_sm).prepare(options);
    frame.run();
    frame.run();
    RenderResult result = frame.result();
    result.render_ms = plain_ms;  // a timeline makes a frame slower, but hardly changes shares
    for (const auto& [name, stage] : stages_of(result)) {
        if (stage.busy_ns <= 0) continue;
        Json data = {{"ms", 1e-6 * stage.busy_ns}};
        const auto add = [&](const char* key, double amount, Ceiling ceiling) { data[key] = amount / stage.busy_ns / ceilings.at(ceiling); };
        add("fp32", stage.fp32, Ceiling::Fma), add("l2_bytes", stage.bytes, Ceiling::L2Bytes), add("dram_bytes", stage.bytes, Ceiling::DramBytes);
        add("l2_fetches", stage.fetches, Ceiling::L2Fetches), add("dram_fetches", stage.fetches, Ceiling::DramFetches);
        data["bytes"] = stage.bytes, data["fp32_operations"] = stage.fp32, data["dropped_batches"] = result.timeline->num_dropped_batches;
        context.record({{"scene", view.name()}, {"film", context.plan().films.front().text()}, {"depth", options.max_depth}}, {{"stage", name}}, "ms",
                       {1e-6 * stage.busy_ns}, data);
    }
}

void run(ExperimentContext& context) {
    context.need_cuda("measuring the ceilings of a device");
    std::unique_ptr<RooflineProbe> probe;
    try {
        probe = make_roofline_probe(static_cast<int>(context.plan().device));
    } catch (const Error& e) {
        if (e.code() != ErrorCode::Unavailable) throw;
        context.skip(e.what());
    }
    context.expect_cells(5 + context.plan().scenes.size());
    const std::map<Ceiling, double> ceilings = measure_ceilings(context, *probe);
    if (std::any_of(ceilings.begin(), ceilings.end(), [](const auto& c) { return c.second <= 0; })) context.skip("no time was left for the ceilings");
    probe.reset();
    for (const View& view : context.plan().scenes) {
        context.check_stop();
        place_stages(context, view, ceilings);
    }
}

}  // namespace

const Experiment roofline_experiment = {
    "roofline",
    "Tracing is limited by random fetches of nodes and triangles from L2, neither by arithmetic nor by the bandwidth of DRAM; shading moves slots about.",
    "A trace stage above half of the arithmetic ceiling, or of DRAM's bandwidth, or below a tenth of the rate of fetches from L2.",
    0.3,
    run,
    {{.kind = "bar", .title = "Share of the arithmetic ceiling", .x = "variant.stage", .y = "data.fp32", .facet = "cell.scene", .y_label = "share"},
     {.kind = "bar", .title = "Share of L2's bandwidth", .x = "variant.stage", .y = "data.l2_bytes", .facet = "cell.scene", .y_label = "share"},
     {.kind = "bar", .title = "Share of the fetches from L2", .x = "variant.stage", .y = "data.l2_fetches", .facet = "cell.scene", .y_label = "share"}}};

}  // namespace warpath::experiments
