#include "experiments/list.h"
#include "experiments/synthetic_cell.h"

/// What schedulers cost by themselves: frames whose stages do nothing. Every path makes so many bounces, each an extension ray without a step and a shading
/// that reads and writes `state_words` 64-bit words of its slot (0: none; 16: about what the renderer's does).
namespace warpath::experiments {
namespace {

struct EmptyFrame {
    uint64_t num_paths;
    uint32_t bounces, state_words;
    double bar_us;  ///< what `persistent` is meant to stay below; 0: nobody said
};

/// A frame with fewer paths than lanes shows latency, the other one how fast paths are moved about; in the deep ones what a frame costs once hardly shows.
std::vector<EmptyFrame> frames(bool on_cuda) {
    const uint64_t few = on_cuda ? 32 : 4, many = on_cuda ? 1920 * 1080 : 20'000;
    const double few_bar = on_cuda ? 40 : 0, many_bar = on_cuda ? 600 : 0;
    return {{few, 8, 0, few_bar}, {many, 8, 0, many_bar}, {few, 64, 0, 0}, {many, 64, 0, 0}, {few, 8, 16, few_bar}, {many, 8, 16, many_bar}};
}

Json cell_of(const EmptyFrame& frame) { return {{"paths", frame.num_paths}, {"bounces", frame.bounces}, {"state_words", frame.state_words}}; }

void run(ExperimentContext& context) {
    const auto device = open_synthetic_device(context);
    const std::vector<EmptyFrame> all = frames(context.on_cuda());
    context.expect_cells(all.size());
    for (const EmptyFrame& frame : all) {
        SyntheticWork work;
        work.num_paths = frame.num_paths, work.rays_per_path = frame.bounces, work.state_words = frame.state_words;
        Json more = Json::object();
        if (frame.bar_us > 0) more["bar_ms"] = 1e-3 * frame.bar_us;
        measure_synthetic(context, *device, cell_of(frame), work, {}, more);
    }
}

}  // namespace

const Experiment empty_stages_experiment = {
    "empty-stages",
    "Resident warps cost less for a bounce than launches: no launch, no barrier over the device, no list in device memory between its stages.",
    "A launch-based scheduler that moves paths through empty stages as fast as `persistent`, for few paths or for many.",
    0.5,
    run,
    {{.kind = "bar", .title = "Time of a frame of empty stages", .x = "variant.scheduler", .y = "median", .facet = "cell", .y_label = "ms"},
     {.kind = "bar", .title = "Time of a bounce of empty stages", .x = "variant.scheduler", .y = "data.us_per_bounce", .facet = "cell", .y_label = "us"}}};

}  // namespace warpath::experiments
