#pragma once

#include <gtest/gtest.h>

#include "experiments/synthetic_device.h"
#include "experiments/work_dial.h"

namespace warpath::experiments {

/// Paths of 1 to 6 extension rays, some with shadow rays, with and without steps.
inline CostStream mixed_stream(uint64_t num_paths) {
    CostStream stream;
    for (uint64_t path = 0; path < num_paths; ++path) {
        const uint64_t bounces = 1 + path * 2654435761u % 6;
        for (uint64_t bounce = 0; bounce < bounces; ++bounce) {
            const uint32_t bits = static_cast<uint32_t>((path * 40503 + bounce * 9176) % 65536);
            stream.rays.push_back(pack_ray(false, bits % 16, bits % 23));
            if (bits % 3 == 0) stream.rays.push_back(pack_ray(true, 0, bits % 7));
        }
        stream.first_ray.push_back(static_cast<uint32_t>(stream.rays.size()));
    }
    return stream;
}

/// Every scheduler of a device runs the work, several times in the same frame: each path ends once, with the steps that the stream has.
inline void expect_each_path_once(SyntheticDevice& device, const SyntheticWork& work, const ScheduleOptions& options = {}) {
    for (const std::string& scheduler : device.schedulers()) {
        const auto frame = device.prepare(work, scheduler, options);
        for (int run = 0; run < 2; ++run) {
            const SyntheticOutcome outcome = frame->run();
            EXPECT_FALSE(outcome.aborted) << scheduler << ": " << outcome.stall_report;
            EXPECT_EQ(outcome.num_once, work.paths()) << scheduler;
            EXPECT_EQ(outcome.num_never + outcome.num_more, 0u) << scheduler;
            EXPECT_EQ(outcome.num_wrong_steps, 0u) << scheduler;
        }
    }
}

/// Every scheduler on every standard dial: each path once, and never faster than the device can spin.
inline void expect_bound_holds(SyntheticDevice& device, uint64_t num_paths, double mean_steps, uint32_t spins_per_step) {
    const SpinRates rates = device.measure_spins();
    for (const WorkDial& dial : standard_dials(num_paths, mean_steps)) {
        SyntheticWork work;
        work.stream = make_stream(dial);
        work.spins_per_step = spins_per_step;
        const double least_ms = rates.least_ms(work);
        for (const std::string& scheduler : device.schedulers()) {
            const SyntheticOutcome outcome = device.prepare(work, scheduler, {})->run();
            EXPECT_TRUE(outcome.correct(num_paths)) << scheduler << ", " << dial.name();
            EXPECT_FALSE(rates.beaten(outcome.time_ms, least_ms)) << scheduler << ", " << dial.name() << ": " << outcome.time_ms << " of " << least_ms << " ms";
        }
    }
}

}  // namespace warpath::experiments
