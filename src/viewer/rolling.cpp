#include "viewer/rolling.h"

#include <algorithm>
#include <cmath>

#include "experiments/statistics.h"

namespace warpath::viewer {
namespace {

/// The largest k with P(X < k) <= tail, where X counts heads in n tosses.
size_t lower_rank(size_t n, double tail) {
    double below = 0, log_chance = -static_cast<double>(n) * std::log(2.0);  // of exactly k heads
    for (size_t k = 0; k < n; ++k) {
        below += std::exp(log_chance);
        if (below > tail) return k;
        log_chance += std::log(static_cast<double>(n - k)) - std::log(static_cast<double>(k + 1));
    }
    return n;
}

}  // namespace

Band median_band(std::vector<double> values, double confidence) {
    Band band;
    band.num_values = values.size();
    if (values.empty()) return band;
    std::sort(values.begin(), values.end());
    band.median = experiments::median(values);
    const size_t rank = lower_rank(values.size(), (1 - confidence) / 2);
    band.has_interval = rank >= 1;
    band.lo = values[std::max<size_t>(rank, 1) - 1];
    band.hi = values[values.size() - std::max<size_t>(rank, 1)];
    return band;
}

AbComparison::Verdict AbComparison::verdict() const {
    const Band band = ratio();
    if (!band.has_interval) return Verdict::TooFew;
    if (band.lo > 1) return Verdict::AFaster;
    return band.hi < 1 ? Verdict::BFaster : Verdict::Same;
}

}  // namespace warpath::viewer
