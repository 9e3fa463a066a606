#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/cost_stream.h"

namespace warpath::experiments {

/// How the costs of paths are spread, at the same mean, and in which order they come.
enum class Spread { Constant, LogNormal, Bimodal, Pareto, Clustered };
enum class WorkOrder { AsDrawn, Ascending, LongestFirst };

/// Synthetic work with a dial. A path's cost follows from seed and path number alone.
struct WorkDial {
    Spread spread = Spread::Constant;
    double amount = 0;            ///< LogNormal: sigma; Bimodal and Clustered: share of heavy paths; Pareto: the exponent, above 1
    WorkOrder order = WorkOrder::AsDrawn;
    uint64_t num_paths = 1u << 20;
    uint32_t rays_per_path = 4;   ///< extension rays that share a path's cost evenly, one step each at least
    double mean_steps = 256;      ///< of a path
    uint64_t seed = 0;

    static constexpr double heavy_factor = 100;  ///< Bimodal and Clustered: what a heavy path costs, by a light one
    static constexpr double most = 1e4;          ///< a path costs no more than this by the mean

    /// Such as "log-normal 1.5, ascending".
    std::string name() const;
};

/// A path's cost by the mean of all, before it is rounded to steps. Clustered: path i is pixel i of a square film, row by row, and a square in its first corner
/// is heavy.
double draw_cost(const WorkDial& dial, uint64_t path);

/// Errors:  BadOption for a dial that makes no sense, naming the value.
CostStream make_stream(const WorkDial& dial);

/// The dial's positions that the experiment looks at: every spread, low to high, then the orders of one log-normal.
std::vector<WorkDial> standard_dials(uint64_t num_paths, double mean_steps);

}  // namespace warpath::experiments
