#include <algorithm>
#include <thread>

#include "experiments/context.h"
#include "experiments/contention_probe.h"
#include "experiments/list.h"
#include "warpath/error.h"

/// What taking work costs: items without work are handed out, by batches of several sizes, to few and to many groups, from one counter or from shares that
/// balance by stealing or by donation, by lanes, warps and blocks. Checked: every item is handed out exactly once.
namespace warpath::experiments {
namespace {

struct Policy {
    const char* name;
    GrabPolicy policy;
};
constexpr Policy cuda_policies[] = {
    {"lane, one counter", {GrabLevel::Lane, GrabSource::OneCounter}},    {"warp, one counter", {GrabLevel::Warp, GrabSource::OneCounter}},
    {"block, one counter", {GrabLevel::Block, GrabSource::OneCounter}},  {"lane, stealing from SMs", {GrabLevel::Lane, GrabSource::PerSm}},
    {"warp, stealing from SMs", {GrabLevel::Warp, GrabSource::PerSm}},   {"block, stealing from SMs", {GrabLevel::Block, GrabSource::PerSm}},
    {"block, donation", {GrabLevel::Block, GrabSource::Donation}},
};
constexpr Policy cpu_policies[] = {{"thread, one counter", {GrabLevel::Lane, GrabSource::OneCounter}},
                                   {"thread, stealing", {GrabLevel::Lane, GrabSource::PerSm}}};

Variant variant_of(ContentionProbe& probe, const Policy& policy, uint32_t batch, uint32_t workers, uint64_t num_items) {
    Variant variant;
    variant.key = {{"policy", policy.name}};
    const auto last = std::make_shared<GrabResult>();
    variant.run = [&probe, grab = policy.policy, batch, workers, num_items, last] {
        *last = probe.hand_out(grab, batch, workers, num_items);
        Sample sample;
        sample.value = static_cast<double>(last->num_grabs) / std::max(last->time_us, 1e-3);
        if (!last->correct(num_items)) sample.failure = "items were lost or handed out twice: " + std::to_string(last->num_items) + " of " + std::to_string(num_items);
        return sample;
    };
    variant.details = [last]() -> Json {
        return {{"ticks_per_grab", last->ticks_per_grab}, {"grabs", last->num_grabs}, {"items_per_us", static_cast<double>(last->num_items) / std::max(last->time_us, 1e-3)}};
    };
    return variant;
}

std::unique_ptr<ContentionProbe> open_probe(const ExperimentContext& context) {
    if (!context.on_cuda()) return make_cpu_contention_probe();
    try {
        return make_contention_probe(static_cast<int>(context.plan().device));
    } catch (const Error& e) {
        if (e.code() != ErrorCode::Unavailable) throw;
        context.skip(e.what());
    }
}

void run(ExperimentContext& context) {
    const auto probe = open_probe(context);
    const bool on_cuda = context.on_cuda();
    const uint32_t threads = context.plan().threads ? context.plan().threads : std::max(1u, std::thread::hardware_concurrency());
    std::vector<uint32_t> batches = {1, 4, 16, 64, 256, 1024}, workers = {1, 2, 4, 8, 16, 32};
    if (!on_cuda) workers.erase(std::remove_if(workers.begin(), workers.end(), [&](uint32_t n) { return n > threads; }), workers.end());
    const auto num_grabs = context.option<uint64_t>("grabs", on_cuda ? 1u << 20 : 100'000);
    context.expect_cells(batches.size() * workers.size());
    for (const uint32_t batch : batches)
        for (const uint32_t n : workers) {
            Cell cell;
            cell.key = {{"batch", batch}, {on_cuda ? "blocks" : "threads", n}};
            cell.unit = "Mgrabs/s";
            cell.more_is_better = true;
            const uint64_t num_items = std::min<uint64_t>(num_grabs * batch, 0xffffffffu);
            if (on_cuda)
                for (const Policy& policy : cuda_policies) cell.variants.push_back(variant_of(*probe, policy, batch, n, num_items));
            else
                for (const Policy& policy : cpu_policies) cell.variants.push_back(variant_of(*probe, policy, batch, n, num_items));
            context.measure(cell);
        }
}

}  // namespace

const Experiment contention_experiment = {
    "contention",
    "One counter serves as many grabs as the device's L2 adds at one address, so that warps that take batches of 32 never notice it; shares for each SM are needed "
    "only where lanes grab one by one.",
    "A grab from one counter by warps, in batches of 32 or more, that takes twice as long at 32 blocks an SM as one from shares.",
    0.5,
    run,
    {{.kind = "heat", .title = "Grabs", .x = "cell.batch", .y = "cell.blocks", .value = "median", .facet = "variant.policy", .x_label = "batch", .y_label = "blocks per SM"},
     {.kind = "line", .title = "From asking to having", .x = "cell.blocks", .y = "data.ticks_per_grab", .series = "variant.policy", .facet = "cell.batch",
      .x_label = "blocks per SM", .y_label = "cycles", .log_x = true, .log_y = true},
     {.kind = "heat", .title = "Grabs", .x = "cell.batch", .y = "cell.threads", .value = "median", .facet = "variant.policy", .x_label = "batch", .y_label = "threads"},
     {.kind = "line", .title = "From asking to having", .x = "cell.threads", .y = "data.ticks_per_grab", .series = "variant.policy", .facet = "cell.batch",
      .x_label = "threads", .y_label = "ns", .log_x = true, .log_y = true}},
    {"grabs"}};

}  // namespace warpath::experiments
