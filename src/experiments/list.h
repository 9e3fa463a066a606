#pragma once

#include <vector>

#include "experiments/experiment.h"

namespace warpath::experiments {

// Each is defined in the file of its name.
extern const Experiment noise_experiment, scenes_experiment, bounces_experiment, crossover_experiment, configuration_experiment,
    batching_experiment, power_experiment;
extern const Experiment empty_stages_experiment, imbalance_experiment, replay_experiment;
extern const Experiment launch_cost_experiment, dispatch_latency_experiment, contention_experiment, transfer_experiment;
extern const Experiment starvation_experiment, roofline_experiment, fusion_experiment, traversal_experiment;

/// All experiments, in the order in which they run and are reported. A new one is one file and one line here.
inline std::vector<const Experiment*> list_experiments() {
    return {
        &noise_experiment,
        &scenes_experiment,
        &bounces_experiment,
        &crossover_experiment,
        &configuration_experiment,
        &batching_experiment,
        &empty_stages_experiment,
        &imbalance_experiment,
        &replay_experiment,
        &launch_cost_experiment,
        &dispatch_latency_experiment,
        &contention_experiment,
        &transfer_experiment,
        &starvation_experiment,
        &power_experiment,
        &roofline_experiment,
        &fusion_experiment,
        &traversal_experiment,
    };
}

}  // namespace warpath::experiments
