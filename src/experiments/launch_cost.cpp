#include <algorithm>
#include <cmath>

#include "experiments/context.h"
#include "experiments/launch_probe.h"
#include "experiments/list.h"
#include "experiments/time_shares.h"
#include "warpath/error.h"

/// What a launch costs, in the parts that are usually named: the call, its parameters, the configuration of the grid, streams, waiting, graph nodes, the first
/// launch of a kernel; and what share of an iteration it takes, by the length of the kernel. "If the total kernel launch latency per iteration is 10
/// microseconds and the compute time is 15 microseconds, overhead constitutes 40 % of the iteration" is the cell of 15 us.
namespace warpath::experiments {
namespace {

constexpr uint32_t calls_at_once = 64, iterations_at_once = 32;

Variant timed(Json key, std::function<double()> time_us, std::function<Json()> details = nullptr) {
    Variant variant;
    variant.key = std::move(key);
    variant.run = [time_us] {
        Sample sample;
        sample.value = time_us();
        return sample;
    };
    variant.details = std::move(details);
    return variant;
}

Cell cell_of(const char* part) {
    Cell cell;
    cell.key = {{"part", part}};
    cell.unit = "us";
    return cell;
}

Cell calls(LaunchProbe& probe) {
    Cell cell = cell_of("launching call, by bytes of parameters");
    for (const uint32_t bytes : LaunchProbe::parameter_sizes)
        cell.variants.push_back(timed({{"parameter_bytes", bytes}}, [&probe, bytes] { return probe.call_us(bytes, calls_at_once); }));
    return cell;
}

Cell configurations(LaunchProbe& probe) {
    Cell cell = cell_of("launch and wait, by grid and block");
    for (const uint32_t blocks : {1u, 132u, 1056u, 16896u, 270336u})
        for (const uint32_t threads : {32u, 128u, 1024u})
            cell.variants.push_back(timed({{"grid", std::to_string(blocks) + "x" + std::to_string(threads)}, {"blocks", blocks}, {"block_size", threads}},
                                          [&probe, blocks, threads] { return probe.round_trip_us(blocks, threads, HostWait::Stream); }));
    return cell;
}

Cell waits(LaunchProbe& probe) {
    Cell cell = cell_of("launch and wait, by how the host waits");
    for (const HostWait wait : {HostWait::Stream, HostWait::Event, HostWait::BlockingEvent, HostWait::Device, HostWait::Query})
        cell.variants.push_back(
            timed({{"wait", host_wait_names[static_cast<int>(wait)]}}, [&probe, wait] { return probe.round_trip_us(1, 32, wait); }));
    return cell;
}

Cell streams(LaunchProbe& probe) {
    Cell cell = cell_of("64 kernels of 20 us, by streams");
    for (const uint32_t streams : {1u, 2u, 4u, 8u, 16u, 32u})
        cell.variants.push_back(timed({{"streams", streams}}, [&probe, streams] { return probe.streams_us(streams, 64, 20); }));
    return cell;
}

Cell stream_creation(LaunchProbe& probe) {
    Cell cell = cell_of("making and destroying a stream");
    cell.variants.push_back(timed({{"by", "calls"}}, [&probe] { return probe.stream_us(); }));
    return cell;
}

Cell chains(LaunchProbe& probe, uint32_t num_kernels) {
    Cell cell = cell_of("empty kernels in a row");
    cell.key["kernels"] = num_kernels;
    for (const bool one_by_one : {true, false})
        cell.variants.push_back(timed({{"by", one_by_one ? "launches" : "graph"}}, [&probe, num_kernels, one_by_one] { return probe.chain_us(num_kernels, one_by_one); }));
    return cell;
}

Cell lengths(LaunchProbe& probe, double kernel_us) {
    Cell cell = cell_of("iteration, by kernel length");
    cell.key["kernel_us"] = kernel_us;
    for (const LaunchStyle style : {LaunchStyle::WaitForEach, LaunchStyle::GraphForEach, LaunchStyle::Ahead, LaunchStyle::Graph, LaunchStyle::Fused}) {
        const auto times = std::make_shared<std::vector<double>>();
        cell.variants.push_back(timed(
            {{"style", launch_style_names[static_cast<int>(style)]}},
            [&probe, style, kernel_us, times] {
                times->push_back(probe.iteration_us(style, kernel_us, iterations_at_once));
                return times->back();
            },
            [kernel_us, times]() -> Json {
                const double us = median(*times);
                return {{"overhead_us", us - kernel_us}, {"overhead_share", us > 0 ? std::max(0.0, 1 - kernel_us / us) : 0}};
            }));
    }
    return cell;
}

void record_first_launches(ExperimentContext& context, LaunchProbe& probe) {
    const Json cell = {{"part", "first launch of a kernel"}};
    if (context.is_complete(cell, {{"launch", "first"}})) return;
    std::vector<double> second_us;
    const std::vector<double> first_us = probe.first_launches_us(second_us);
    context.record(cell, {{"launch", "first"}}, "us", first_us, {{"latency", quantiles(first_us)}});
    context.record(cell, {{"launch", "second"}}, "us", second_us, {{"latency", quantiles(second_us)}});
}

void run(ExperimentContext& context) {
    context.need_cuda("the cost of launches");
    std::unique_ptr<LaunchProbe> probe;
    try {
        probe = make_launch_probe(static_cast<int>(context.plan().device));
    } catch (const Error& e) {
        if (e.code() != ErrorCode::Unavailable) throw;
        context.skip(e.what());
    }
    record_first_launches(context, *probe);
    std::vector<Cell> cells = {calls(*probe), configurations(*probe), waits(*probe), streams(*probe), stream_creation(*probe)};
    for (const uint32_t kernels : {1u, 4u, 16u, 64u, 256u}) cells.push_back(chains(*probe, kernels));
    for (const double us : {1.0, 2.0, 5.0, 10.0, 15.0, 25.0, 50.0, 100.0, 1000.0}) cells.push_back(lengths(*probe, us));
    context.expect_cells(cells.size());
    for (const Cell& cell : cells) context.measure(cell);
}

}  // namespace

const Experiment launch_cost_experiment = {
    "launch-cost",
    "Launching and waiting costs some microseconds, whatever the parameters; kernels of 15 us so lose a large share of an iteration, until launches are "
    "enqueued ahead, recorded in a graph or fused.",
    "A share under 10 % for kernels of 15 us that are waited for one by one, or one that stays the same when they are enqueued ahead.",
    0.3,
    run,
    {{.kind = "line", .title = "Share of an iteration that is not the kernel", .x = "cell.kernel_us", .y = "data.overhead_share", .series = "variant.style",
      .x_label = "kernel, us", .y_label = "share", .log_x = true},
     {.kind = "line", .title = "Empty kernels in a row, and a wait", .x = "cell.kernels", .y = "median", .series = "variant.by", .x_label = "kernels",
      .y_label = "us", .log_x = true, .log_y = true},
     {.kind = "line", .title = "The launching call", .x = "variant.parameter_bytes", .y = "median", .x_label = "bytes of parameters", .y_label = "us"},
     {.kind = "bar", .title = "Launch and wait, by how the host waits", .x = "variant.wait", .y = "median", .y_label = "us"},
     {.kind = "cdf", .title = "First and second launch of a kernel", .y = "data.latency", .series = "variant.launch", .x_label = "us"}}};

}  // namespace warpath::experiments
