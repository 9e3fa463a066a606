#pragma once

#include <memory>

#include "experiments/context.h"
#include "experiments/synthetic_device.h"

namespace warpath::experiments {

/// The plan's device for synthetic work. Skips the experiment where it cannot be used.
std::unique_ptr<SyntheticDevice> open_synthetic_device(const ExperimentContext& context);

/// What no run of some work may beat; least_ms 0: nothing is known.
struct SpinBound {
    SpinRates rates;
    double least_ms = 0;
};

/// Measures the plan's schedulers, and `static`, against each other on the same work, in milliseconds. A run that lets a path end twice or never, makes other
/// steps than the work has, or is faster than the bound fails. `resident` runs the frame twice each time, and the second one counts: the first one starts the
/// service that the other schedulers' turns have sent away.
/// The rows' data hold `bound_ms` and `share_of_bound` (where there is a bound), `paths_per_ms`, `us_per_bounce`, `launches`, `slots`, `groups`, and what `more` has.
/// Shapes:  one outcome for each variant, the first of which is `static`.
std::vector<Outcome> measure_synthetic(ExperimentContext& context, SyntheticDevice& device, const Json& cell, const SyntheticWork& work, const SpinBound& bound,
                                       const Json& more = Json::object());

}  // namespace warpath::experiments
