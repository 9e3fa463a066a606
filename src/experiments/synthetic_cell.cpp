#include "experiments/synthetic_cell.h"

#include <algorithm>
#include <cstdio>

#include "schedulers/resident.h"
#include "warpath/error.h"

namespace warpath::experiments {
namespace {

ScheduleOptions schedule_options(const Plan& plan) {
    ScheduleOptions options;
    options.num_slots = plan.pools.front(), options.batch = plan.batches.front(), options.num_threads = plan.threads;
    options.blocks_per_sm = plan.blocks.front(), options.block_size = plan.block_sizes.front(), options.refill_below = plan.refills.front();
    return options;
}

/// A scheduler's frame, and its last run.
struct SyntheticVariant {
    std::unique_ptr<SyntheticFrame> frame;
    const SyntheticWork* work = nullptr;
    SpinBound bound;
    bool runs_twice = false;
    SyntheticOutcome last;
    std::vector<double> times_ms;

    Sample run() {
        if (runs_twice) frame->run();
        last = frame->run();
        times_ms.push_back(last.time_ms);
        Sample sample;
        sample.value = last.time_ms;
        sample.failure = what_is_wrong();
        return sample;
    }
    std::string what_is_wrong() const {
        if (last.aborted) return "it was aborted: " + last.stall_report;
        if (!last.correct(work->paths()))
            return std::to_string(last.num_never) + " paths never ended, " + std::to_string(last.num_more) + " more than once, and " +
                   std::to_string(last.num_wrong_steps) + " made other steps than the work has";
        if (!bound.rates.beaten(last.time_ms, bound.least_ms)) return {};
        char text[96];
        std::snprintf(text, sizeof text, "the bound was beaten: %.4f ms, where spins alone take %.4f", last.time_ms, bound.least_ms);
        return text;
    }
    Json details(const Json& more) const {
        Json data = more;
        const double ms = median(times_ms);
        if (bound.least_ms > 0) data["bound_ms"] = bound.least_ms, data["share_of_bound"] = ms > 0 ? bound.least_ms / ms : 0;
        if (ms > 0) data["paths_per_ms"] = static_cast<double>(work->paths()) / ms;
        data["us_per_bounce"] = 1e3 * ms / work->bounces();
        data["launches"] = last.num_launches;
        data["slots"] = frame->plan().num_slots;
        data["groups"] = frame->plan().num_groups;
        return data;
    }
};

Variant make_variant(const ExperimentContext& context, SyntheticDevice& device, const std::string& scheduler, const SyntheticWork& work, const SpinBound& bound,
                     const Json& more) {
    Variant variant;
    variant.key = {{"scheduler", scheduler}};
    const auto own = std::make_shared<SyntheticVariant>();
    try {
        own->frame = device.prepare(work, scheduler, schedule_options(context.plan()));
    } catch (const Error& e) {
        if (e.code() != ErrorCode::OutOfMemory && e.code() != ErrorCode::Unavailable) throw;
        variant.left_out = e.what();
        return variant;
    }
    own->work = &work, own->bound = bound;
    own->runs_twice = scheduler == ResidentScheduler::name;
    variant.run = [own] { return own->run(); };
    variant.details = [own, more] { return own->details(more); };
    return variant;
}

}  // namespace

std::unique_ptr<SyntheticDevice> open_synthetic_device(const ExperimentContext& context) {
    const Plan& plan = context.plan();
    if (!context.on_cuda()) return make_cpu_synthetic_device(plan.threads);
    try {
        return make_cuda_synthetic_device(static_cast<int>(plan.device));
    } catch (const Error& e) {
        if (e.code() != ErrorCode::Unavailable) throw;
        context.skip(e.what());
    }
}

std::vector<Outcome> measure_synthetic(ExperimentContext& context, SyntheticDevice& device, const Json& key, const SyntheticWork& work, const SpinBound& bound,
                                       const Json& more) {
    Cell cell;
    cell.key = key;
    const std::vector<std::string>& asked = context.plan().schedulers;
    for (const std::string& scheduler : device.schedulers())
        if (scheduler == device.schedulers().front() || std::count(asked.begin(), asked.end(), scheduler))
            cell.variants.push_back(make_variant(context, device, scheduler, work, bound, more));
    return context.measure(cell);
}

}  // namespace warpath::experiments
