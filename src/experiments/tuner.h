#pragma once

#include "experiments/rendered_cell.h"

namespace warpath::experiments {

/// What a search came to.
struct Tuned {
    RenderOptions options;            ///< the fastest found; the defaults where nothing was faster beyond doubt
    Outcome defaults, tuned;          ///< measured against each other at the end; of `tuned` nothing where the defaults won the search
    Interval speed_up;                ///< of the tuned options over the defaults, at `confidence`; {1, 1} where they are the same
};

/// Searches batch, block size, blocks per SM, refill threshold and pool for one scheduler and frame, one coordinate after the other, twice. The values of a
/// coordinate race by successive halving: all of them run a few times, the slower half leaves, the others run twice as often. At the end the winner is
/// measured against the defaults by the whole protocol, and kept only if the interval of the ratio says that it is faster.
/// `cell`: what names the frame in the rows. Images are compared throughout. Ends early when the context's time is short.
/// Source:  Jamieson and Talwalkar, "Non-stochastic Best Arm Identification and Hyperparameter Optimization", AISTATS 2016: successive halving.
Tuned tune(ExperimentContext& context, LoadedView& view, const RenderOptions& defaults, const Json& cell);

/// "batch 64, pool 4096", or "default".
std::string schedule_text(const RenderOptions& options);
/// The same as numbers, 0 where the choice is left.
Json schedule_numbers(const RenderOptions& options);

}  // namespace warpath::experiments
