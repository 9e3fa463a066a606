#include "experiments/context.h"
#include "experiments/list.h"
#include "experiments/transfer_probe.h"
#include "warpath/error.h"

/// Copies over the bus, by size and by the kind of host memory, and how much of a copy hides behind a kernel.
namespace warpath::experiments {
namespace {

Cell copies(TransferProbe& probe, size_t bytes, bool to_device) {
    Cell cell;
    cell.key = {{"bytes", bytes}, {"direction", to_device ? "to device" : "to host"}};
    cell.unit = "GB/s";
    cell.more_is_better = true;
    for (const TransferWay way : {TransferWay::Pageable, TransferWay::Pinned, TransferWay::Mapped, TransferWay::Pieces}) {
        Variant variant;
        variant.key = {{"way", transfer_way_names[static_cast<int>(way)]}};
        const auto times = std::make_shared<std::vector<double>>();
        variant.run = [&probe, way, to_device, bytes, times] {
            times->push_back(probe.copy_us(way, to_device, bytes));
            Sample sample;
            sample.value = 1e-3 * static_cast<double>(bytes) / times->back();
            return sample;
        };
        variant.details = [times]() -> Json { return {{"us", median(*times)}}; };
        cell.variants.push_back(variant);
    }
    return cell;
}

Cell overlaps(TransferProbe& probe) {
    Cell cell;
    cell.key = {{"what", "copy beside a kernel of the same time"}};
    cell.unit = "share hidden";
    cell.more_is_better = true;
    for (const size_t bytes : {size_t{1} << 16, size_t{1} << 20, size_t{1} << 24, TransferProbe::max_bytes}) {
        Variant variant;
        variant.key = {{"bytes", bytes}};
        const auto last = std::make_shared<Overlap>();
        variant.run = [&probe, bytes, last] {
            *last = probe.overlap(bytes);
            Sample sample;
            sample.value = last->hidden();
            return sample;
        };
        variant.details = [last]() -> Json { return {{"copy_us", last->copy_us}, {"kernel_us", last->kernel_us}, {"both_us", last->both_us}}; };
        cell.variants.push_back(variant);
    }
    return cell;
}

void run(ExperimentContext& context) {
    context.need_cuda("copying over the bus");
    std::unique_ptr<TransferProbe> probe;
    try {
        probe = make_transfer_probe(static_cast<int>(context.plan().device));
    } catch (const Error& e) {
        if (e.code() != ErrorCode::Unavailable) throw;
        context.skip(e.what());
    }
    std::vector<Cell> cells = {overlaps(*probe)};
    for (size_t bytes = 1 << 16; bytes <= TransferProbe::max_bytes; bytes *= 16)
        for (const bool to_device : {true, false}) cells.push_back(copies(*probe, bytes, to_device));
    context.expect_cells(cells.size());
    for (const Cell& cell : cells) context.measure(cell);
}

}  // namespace

const Experiment transfer_experiment = {
    "transfer",
    "Pinned memory moves large blocks at the speed of the bus, about twice as fast as pageable memory; small pieces cost a call each; a copy of its own stream hides "
    "behind a kernel.",
    "Pageable copies as fast as pinned ones at 16 MiB and more, or less than half of a copy hidden.",
    0.3,
    run,
    {{.kind = "line", .title = "Rate of copies", .x = "cell.bytes", .y = "median", .series = "variant.way", .facet = "cell.direction", .x_label = "bytes",
      .y_label = "GB/s", .log_x = true},
     {.kind = "bar", .title = "Share of a copy that hides behind a kernel", .x = "variant.bytes", .y = "median", .y_label = "share"}}};

}  // namespace warpath::experiments
