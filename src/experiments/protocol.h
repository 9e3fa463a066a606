#pragma once

#include "experiments/context.h"

namespace warpath::experiments {

/// A row of kind "result".
struct ResultRow {
    RowKey key;
    std::string unit;
    bool more_is_better = false;
    std::vector<double> values;
    std::string stopped_by = "plan";  ///< why there are not more values: "interval", "repeats", "time", or "plan" where the experiment said how many
    bool complete = true;
    uint32_t num_redone = 0, num_throttled = 0;
    std::optional<uint64_t> image;
    Json device_state = nullptr, data = Json::object();

    Json json() const;
};

/// One cell under the protocol that ExperimentContext::measure describes.
class Protocol {
  public:
    /// `share_s`: after so long no round begins but the first: slow cells must not take the time of those after them.
    Protocol(Session& session, ExperimentContext& context, const Cell& cell, double share_s);
    std::vector<Outcome> run();

  private:
    struct Runner {
        const Variant* variant = nullptr;
        RowKey key;
        std::vector<double> values;
        uint32_t num_redone = 0, num_throttled = 0;
        bool done_before = false, done = false, broken = false;
        std::string left_out, stopped_by;
        Json device_state = nullptr;
        bool active() const { return !done && !done_before && left_out.empty() && !broken; }
    };
    using Clock = std::chrono::steady_clock;

    void take_up_earlier_runs(Runner& runner);
    bool any_active() const;
    void warm_up();
    void leave_out_if_late();
    void leave_out_rest(const std::string& reason);
    void round(uint32_t number);
    void run_once(Runner& runner, uint32_t round);
    void keep(Runner& runner, uint32_t round, const Sample& sample, const std::optional<DeviceState>& state, bool throttled);
    void compare_image(Runner& runner, const Sample& sample);
    uint32_t repeats() const { return cell_.repeats > 0 ? cell_.repeats : session_.plan.repeats; }
    bool is_settled(Runner& runner) const;
    bool time_is_up(uint32_t rounds) const;
    void finish(Runner& runner, const char* stopped_by);
    Outcome outcome(const Runner& runner) const;
    void report(const std::vector<Outcome>& outcomes) const;
    double seconds_since_start() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

    Session& session_;
    ExperimentContext& context_;
    const Cell& cell_;
    double share_s_, warm_up_round_s_ = 0, longest_round_s_ = 0;
    Clock::time_point start_;
    std::vector<Runner> runners_;
    std::optional<uint64_t> image_;
};

}  // namespace warpath::experiments
