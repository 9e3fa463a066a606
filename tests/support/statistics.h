#pragma once

#include <cmath>
#include <vector>

namespace warpath {

/// Pearson's statistic of counts against expected counts. Neighbouring cells that expect fewer than 5 are pooled.
struct ChiSquare {
    double statistic = 0.0;
    int degrees_of_freedom = -1;

    void add(double observed, double expected) {
        observed_ += observed, expected_ += expected;
        if (expected_ < 5.0) return;
        statistic += (observed_ - expected_) * (observed_ - expected_) / expected_;
        ++degrees_of_freedom;
        observed_ = expected_ = 0.0;
    }
    /// How many standard deviations above its mean the statistic lies (Wilson and Hilferty's cube-root approximation);
    /// a value above 4 has a probability of 3e-5 if the counts follow the expectation.
    double deviations() const {
        const double k = degrees_of_freedom, scale = 2.0 / (9.0 * k);
        return (std::cbrt(statistic / k) - (1.0 - scale)) / std::sqrt(scale);
    }

  private:
    double observed_ = 0.0, expected_ = 0.0;
};

}  // namespace warpath
