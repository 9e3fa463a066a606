#pragma once

#include "experiments/json.h"
#include "warpath/statistics.h"

namespace warpath::experiments {

/// Where the time of a frame's places went, as shares of frame time x places that add up to 1:
///   launch      no group ran anywhere: before the first one, between kernels, after the last one
///   tail        a place without work after its last work
///   idle        a place without work before that: looking for it, waiting at a barrier, or between two groups
///   fetch       grabbing batches from work counters
///   divergence  the rest of the busy time, times the share of lanes that were not at work in traversal and shading
///   useful      what is left
/// An empty object where the scheduler keeps no record. `ns_per_tick`: of Counter::GrabTicks; 0 where that is not known, and then `fetch`
/// is part of the others.
Json time_shares(const Counters& counters, const FrameRecord& record, double ns_per_tick);

/// The part of places that were busy over time, {"time_ms": [...], "share": [...]}, at no more than `max_points` times.
Json busy_over_time(const FrameRecord& record, size_t max_points);

/// Busy time of the places by their mean, as quantiles: {"p": [...], "value": [...]}.
Json busy_quantiles(const FrameRecord& record);

/// `values` as at most 65 quantiles, {"p": [...], "value": [...]}, with the extremes and, of many values, the last thousandths.
Json quantiles(std::vector<double> values);

}  // namespace warpath::experiments
