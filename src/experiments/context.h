#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "experiments/experiment.h"
#include "experiments/plan.h"
#include "experiments/rows.h"
#include "experiments/statistics.h"
#include "experiments/telemetry.h"
#include "warpath/scene.h"

namespace warpath::experiments {

/// One timed run of a variant.
struct Sample {
    double value = 0;               ///< in the cell's unit
    std::optional<uint64_t> image = {};  ///< checksum of what was rendered: equal for all runs of a cell, or the bench fails
    std::string failure = {};       ///< not empty: the run went wrong (the watchdog gave up, a bound was beaten); the bench fails, loudly
    Json more = nullptr;            ///< further numbers of this run alone, few: they stand in its row
};

/// One of the things that a cell compares.
struct Variant {
    Json key;                       ///< flat object, such as {"scheduler": "launch"}; with experiment and cell it names the measurement for ever
    std::function<Sample()> run;    ///< does the work once and times it
    std::function<Json()> details = nullptr;  ///< asked once after the last run; an object, the row's "data"
    std::string left_out = {};      ///< not empty: why this variant cannot be run
};

/// What is compared: the same work under several variants.
struct Cell {
    Json key;                       ///< flat object, such as {"scene": "cornell", "depth": 16}
    std::string unit = "ms";
    bool more_is_better = false;    ///< throughput; false for times
    std::vector<Variant> variants;
    bool warms_up = true;           ///< false: its runs are long, and begin with what warms them
    uint32_t repeats = 0;           ///< instead of the plan's, for runs that are long because each averages over many; 0: the plan's
};

/// What a variant's runs came to.
struct Outcome {
    Json variant;
    std::vector<double> values;
    double median = 0;
    Interval interval;              ///< of the median, at `confidence`
    bool complete = false;          ///< as many runs as the protocol asks for
    std::string left_out;
    Json data;                      ///< of its result row
};

/// Thrown by an experiment that cannot say anything here.
struct Skipped : std::runtime_error {
    using std::runtime_error::runtime_error;
};
/// Thrown out of an experiment after Ctrl-C; rows are safe.
struct Interrupted : std::runtime_error {
    Interrupted() : std::runtime_error("stopped by a signal") {}
};

/// All that the experiments of a run share.
struct Session {
    Plan plan;
    RowFile& rows;
    Telemetry telemetry;
    const std::atomic<bool>& stop;
    uint32_t num_failures = 0;
    std::map<std::string, LoadedScene> scenes = {};  ///< by view
};

/// What an experiment gets: the plan, the protocol, and the time it may take.
/// Threads: one.
class ExperimentContext {
  public:
    using Clock = std::chrono::steady_clock;
    ExperimentContext(Session& session, const Experiment& experiment, double budget_s);

    const Plan& plan() const { return session_.plan; }
    bool on_cuda() const { return plan().backend == "cuda"; }
    const Telemetry& telemetry() const { return session_.telemetry; }
    const std::atomic<bool>& stop_flag() const { return session_.stop; }
    const Experiment& experiment() const { return experiment_; }
    /// A number of the experiment's own in the plan ("options": {"imbalance": {...}}), or `fallback`.
    template <class T>
    T option(const char* name, T fallback) const {
        const auto own = plan().options.find(experiment_.name);
        return own == plan().options.end() ? fallback : own->value(name, fallback);
    }
    /// A seed that belongs to the plan's seed and to this text alone.
    uint64_t seed(const std::string& text) const;

    /// Ends the experiment with a reason, which is logged and stands in the rows.
    [[noreturn]] void skip(const std::string& reason) const { throw Skipped(reason); }
    /// Skips where the run is not on a CUDA device; `what` is what needs one.
    void need_cuda(const std::string& what) const;

    /// Seconds that this experiment has left; negative once it is over its time.
    double seconds_left() const;
    /// The same experiment with another limit of time, for a part of it.
    ExperimentContext with_budget(double budget_s) const { return {session_, experiment_, budget_s}; }
    /// How many cells will be measured from here on, so that each gets its share of the time. Without it each cell may take all that is left.
    void expect_cells(size_t num_cells) { expect_cells(std::vector<double>(num_cells, 1.0)); }
    /// The same for cells of unlike size: in their order, how much time each is worth.
    void expect_cells(std::vector<double> weights) { weights_left_.assign(weights.rbegin(), weights.rend()); }
    /// A view's scene, loaded once for all experiments.
    /// Errors:  those of LoadedScene; Interrupted.
    const LoadedScene& scene(const View& view) const;
    /// Errors:  Interrupted after Ctrl-C. Call it in long preparations.
    void check_stop() const;

    /// The protocol: warm-up, then rounds in which every variant runs once, in an order drawn anew for each round, until each has at least
    /// plan().repeats runs and an interval of the median under plan().interval, or plan().max_repeats runs, or the cell's share of the time is
    /// over. Each run becomes a row as it ends, each variant a result row. Runs during which the device was throttled are done again. Images
    /// are compared over all runs of the cell. Variants whose rows are complete are not run again; runs of an earlier session count.
    /// A cell for which no time is left at all gets a row that says so.
    /// Errors:  Interrupted; whatever a run throws.
    std::vector<Outcome> measure(const Cell& cell);

    /// For what is measured in one go, such as a distribution of 100,000 latencies: a complete result row without the protocol's rounds.
    /// `values` are the runs that stand behind `unit`; quantiles and the like go into `data`.
    void record(const Json& cell, const Json& variant, const std::string& unit, const std::vector<double>& values, Json data = Json::object(),
                bool more_is_better = false);
    /// Whether `measure` or `record` was done with by an earlier session: preparing it can be saved.
    bool is_complete(const Json& cell, const Json& variant) const;
    /// Writes that a cell was not measured, and why.
    void leave_out(const Json& cell, const std::string& reason);
    /// Writes and prints that something is wrong with the program, and makes the bench end with a failure.
    void fail(const Json& cell, const Json& variant, const std::string& what);
    /// A line of progress on stderr.
    void say(const std::string& text) const;

  private:
    RowKey key(const Json& cell, const Json& variant) const { return {experiment_.name, cell, variant}; }

    Session& session_;
    const Experiment& experiment_;
    Clock::time_point end_;
    std::vector<double> weights_left_;  ///< of cells to come, the next one last
};

}  // namespace warpath::experiments
