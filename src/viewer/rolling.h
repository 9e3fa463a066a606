#pragma once

#include <cstddef>
#include <deque>
#include <vector>

namespace warpath::viewer {

/// A median and where the true one lies.
struct Band {
    double median = 0, lo = 0, hi = 0;
    size_t num_values = 0;
    bool has_interval = false;  ///< false where there are too few values; lo and hi are then the smallest and the largest
};

/// The median with an interval that holds the true median with at least that confidence, whatever the distribution, if the values are independent.
/// Source:  David and Nagaraja, "Order Statistics", 3rd edition, 2003, section 7.1: the ranks are quantiles of a binomial distribution.
Band median_band(std::vector<double> values, double confidence = 0.95);

/// The last values of something that goes on.
class RollingSeries {
  public:
    explicit RollingSeries(size_t capacity = 240) : capacity_(capacity) {}
    void add(double value) {
        if (values_.size() == capacity_) values_.pop_front();
        values_.push_back(value);
    }
    void clear() { values_.clear(); }
    bool empty() const { return values_.empty(); }
    const std::deque<double>& values() const { return values_; }  ///< oldest first
    std::vector<double> list() const { return {values_.begin(), values_.end()}; }
    Band band() const { return median_band(list()); }

  private:
    size_t capacity_;
    std::deque<double> values_;
};

/// Two schedulers on the same frames in turn.
class AbComparison {
  public:
    enum class Verdict { TooFew, Same, AFaster, BFaster };

    /// Times of two frames that followed each other.
    void add(double a_ms, double b_ms) {
        a_.add(a_ms), b_.add(b_ms);
        if (a_ms > 0 && b_ms > 0) ratio_.add(b_ms / a_ms);
    }
    void clear() { a_.clear(), b_.clear(), ratio_.clear(); }
    const RollingSeries& a() const { return a_; }
    const RollingSeries& b() const { return b_; }
    Band ratio() const { return ratio_.band(); }  ///< time of B by that of A, pair by pair
    /// Who is faster, as far as the interval says so.
    Verdict verdict() const;

  private:
    RollingSeries a_{1000}, b_{1000}, ratio_{1000};
};

}  // namespace warpath::viewer
