#include "experiments/protocol.h"

#include <algorithm>
#include <cstdio>
#include <random>
#include <thread>

#include "experiments/result_table.h"

namespace warpath::experiments {
namespace {

constexpr uint32_t max_redone = 3;
constexpr std::chrono::milliseconds rest_when_throttled{200};

std::string shown(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", value);
    return text;
}

}  // namespace

Json ResultRow::json() const {
    const Interval interval = median_interval(values, hash_of(key.variant.dump()));
    Json row = {{"kind", "result"},
                {"experiment", key.experiment},
                {"cell", key.cell},
                {"variant", key.variant},
                {"unit", unit},
                {"better", more_is_better ? "more" : "less"},
                {"median", median(values)},
                {"low", interval.low},
                {"high", interval.high},
                {"p95", percentile(values, 95)},
                {"p99", percentile(values, 99)},
                {"repeats", values.size()},
                {"complete", complete},
                {"stopped_by", stopped_by}};
    if (num_redone > 0) row["redone"] = num_redone;
    if (num_throttled > 0) row["throttled"] = num_throttled;
    if (image) row["image"] = hexadecimal(*image);
    if (!device_state.is_null()) row["device"] = device_state;
    row["values"] = values;
    row["data"] = data;
    return row;
}

Protocol::Protocol(Session& session, ExperimentContext& context, const Cell& cell, double share_s)
    : session_(session), context_(context), cell_(cell), share_s_(share_s), start_(Clock::now()) {
    for (const Variant& variant : cell.variants) {
        Runner& runner = runners_.emplace_back();
        runner.variant = &variant;
        runner.key = {context.experiment().name, cell.key, variant.key};
        runner.left_out = variant.left_out;
        take_up_earlier_runs(runner);
    }
}

void Protocol::take_up_earlier_runs(Runner& runner) {
    runner.done_before = session_.rows.is_complete(runner.key);
    for (const SampleRow& sample : session_.rows.samples(runner.key)) {
        runner.values.push_back(sample.value);
        runner.num_throttled += sample.throttled;
        if (sample.image && !image_) image_ = sample.image;
    }
}

bool Protocol::any_active() const {
    return std::any_of(runners_.begin(), runners_.end(), [](const Runner& runner) { return runner.active(); });
}

std::vector<Outcome> Protocol::run() {
    if (share_s_ <= 0) leave_out_rest("no time was left");
    for (const Runner& runner : runners_)
        if (!runner.variant->left_out.empty())
            session_.rows.append({{"kind", "left_out"},
                                  {"experiment", runner.key.experiment},
                                  {"cell", cell_.key},
                                  {"variant", runner.key.variant},
                                  {"reason", runner.left_out}});
    warm_up();
    leave_out_if_late();
    for (uint32_t rounds = 0; any_active(); ++rounds) {
        if (time_is_up(rounds)) {
            for (Runner& runner : runners_)
                if (runner.active()) finish(runner, "time");
            break;
        }
        round(rounds);
        for (Runner& runner : runners_)
            if (runner.active() && is_settled(runner)) finish(runner, runner.stopped_by.c_str());
    }
    std::vector<Outcome> outcomes;
    for (const Runner& runner : runners_) outcomes.push_back(outcome(runner));
    report(outcomes);
    return outcomes;
}

void Protocol::leave_out_rest(const std::string& reason) {
    if (!any_active()) return;
    context_.leave_out(cell_.key, reason);
    for (Runner& runner : runners_)
        if (runner.active()) runner.left_out = reason;
}

/// The warm-up has shown how long a round takes.
void Protocol::leave_out_if_late() {
    if (warm_up_round_s_ > 0 && context_.seconds_left() < warm_up_round_s_) leave_out_rest("no time was left for a single round");
}

void Protocol::warm_up() {
    for (uint32_t i = 0; cell_.warms_up && i < session_.plan.warm_up; ++i) {
        const Clock::time_point start = Clock::now();
        for (Runner& runner : runners_) {
            if (!runner.active()) continue;
            context_.check_stop();
            const Sample sample = runner.variant->run();
            context_.check_stop();
            compare_image(runner, sample);
            warm_up_round_s_ = std::chrono::duration<double>(Clock::now() - start).count();
            if (context_.seconds_left() <= 0) return;
        }
        warm_up_round_s_ = std::chrono::duration<double>(Clock::now() - start).count();
        if (seconds_since_start() > share_s_ / 4) return;  // the frames are slow: one look at each must do
    }
}

/// An order drawn anew for each round, so that neither the drift of a clock nor what a variant leaves behind meets always the same ones.
void Protocol::round(uint32_t number) {
    const Clock::time_point start = Clock::now();
    std::vector<Runner*> order;
    for (Runner& runner : runners_)
        if (runner.active()) order.push_back(&runner);
    std::mt19937_64 random(context_.seed(cell_.key.dump() + std::to_string(number)));
    std::shuffle(order.begin(), order.end(), random);
    for (Runner* runner : order) run_once(*runner, number);
    longest_round_s_ = std::max(longest_round_s_, std::chrono::duration<double>(Clock::now() - start).count());
}

void Protocol::run_once(Runner& runner, uint32_t round) {
    for (uint32_t attempt = 0;; ++attempt) {
        context_.check_stop();
        const Sample sample = runner.variant->run();
        context_.check_stop();  // a run that was stopped is no sample
        const auto state = session_.telemetry.state();
        const bool throttled = state && state->throttled();
        if (throttled && attempt < max_redone) {
            ++runner.num_redone;
            std::this_thread::sleep_for(rest_when_throttled);
            continue;
        }
        keep(runner, round, sample, state, throttled);
        return;
    }
}

void Protocol::keep(Runner& runner, uint32_t round, const Sample& sample, const std::optional<DeviceState>& state, bool throttled) {
    const double value = to_digits(time_digits, sample.value);
    Json row = {{"kind", "sample"},
                {"experiment", runner.key.experiment},
                {"cell", cell_.key},
                {"variant", runner.key.variant},
                {"round", round},
                {"value", value}};
    if (sample.image) row["image"] = hexadecimal(*sample.image);
    if (state) row["device"] = state->json();
    if (throttled) row["throttled"] = true;
    if (!sample.more.is_null()) row["more"] = sample.more;
    session_.rows.append(row);
    compare_image(runner, sample);
    runner.values.push_back(value);
    runner.num_throttled += throttled;
    if (state) runner.device_state = state->json();
}

/// The first image of a cell is what all others must equal. A variant that renders another one is not measured further.
void Protocol::compare_image(Runner& runner, const Sample& sample) {
    if (!sample.failure.empty()) {
        runner.broken = true;
        context_.fail(cell_.key, runner.key.variant, sample.failure);
        return;
    }
    if (!sample.image) return;
    if (!image_) image_ = sample.image;
    if (*image_ == *sample.image) return;
    runner.broken = true;
    context_.fail(cell_.key, runner.key.variant,
                  "it rendered another image: checksum " + hexadecimal(*sample.image) + " instead of " + hexadecimal(*image_));
}

bool Protocol::is_settled(Runner& runner) const {
    const Plan& plan = session_.plan;
    if (runner.values.size() < repeats()) return false;
    const Interval interval = median_interval(runner.values, hash_of(runner.key.variant.dump()));
    runner.stopped_by = relative_width(interval, median(runner.values)) < plan.interval ? "interval" : "repeats";
    return runner.stopped_by == "interval" || runner.values.size() >= (cell_.repeats > 0 ? cell_.repeats : plan.max_repeats);
}

bool Protocol::time_is_up(uint32_t rounds) const {
    const double needed_s = seconds_since_start() + longest_round_s_;
    if (rounds == 0) return false;  // leave_out_if_late has looked
    return context_.seconds_left() < longest_round_s_ || needed_s > share_s_;
}

void Protocol::finish(Runner& runner, const char* stopped_by) {
    runner.done = true;
    if (runner.values.empty()) {
        runner.left_out = "no time was left";
        return;
    }
    ResultRow row;
    row.key = runner.key;
    row.unit = cell_.unit, row.more_is_better = cell_.more_is_better;
    row.values = runner.values;
    row.stopped_by = stopped_by;
    row.complete = runner.values.size() >= repeats();
    row.num_redone = runner.num_redone, row.num_throttled = runner.num_throttled;
    row.image = image_;
    row.device_state = runner.device_state;
    if (runner.variant->details) row.data = runner.variant->details();
    session_.rows.append(row.json());
    session_.rows.flush();
}

Outcome Protocol::outcome(const Runner& runner) const {
    Outcome outcome;
    outcome.variant = runner.key.variant;
    outcome.left_out = runner.broken ? "it failed" : runner.left_out;
    outcome.values = runner.values;
    if (const Json* row = session_.rows.result(runner.key)) {
        outcome.data = row->at("data");
        if (runner.done_before) outcome.values = row->at("values").get<std::vector<double>>();
    }
    outcome.median = median(outcome.values);
    outcome.interval = median_interval(outcome.values, hash_of(runner.key.variant.dump()));
    outcome.complete = outcome.values.size() >= repeats();
    return outcome;
}

void Protocol::report(const std::vector<Outcome>& outcomes) const {
    std::string text;
    for (const Outcome& outcome : outcomes) {
        if (!outcome.left_out.empty()) continue;
        text.append(text.empty() ? "" : ", ").append(key_text(outcome.variant)).append(" ");
        text += shown(outcome.median) + " " + cell_.unit;
    }
    if (!text.empty()) context_.say(key_text(cell_.key) + ": " + text);
}

}  // namespace warpath::experiments
