#include "experiments/context.h"

#include <cstdio>
#include <numeric>

#include "experiments/protocol.h"
#include "warpath/error.h"

namespace warpath::experiments {

ExperimentContext::ExperimentContext(Session& session, const Experiment& experiment, double budget_s)
    : session_(session),
      experiment_(experiment),
      end_(Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(budget_s))) {}

uint64_t ExperimentContext::seed(const std::string& text) const {
    return hash_of(std::to_string(plan().seed) + "/" + experiment_.name + "/" + text);
}

void ExperimentContext::need_cuda(const std::string& what) const {
    if (!on_cuda()) skip(what + " needs a CUDA device, and this run is on the CPU");
}

double ExperimentContext::seconds_left() const { return std::chrono::duration<double>(end_ - Clock::now()).count(); }

void ExperimentContext::check_stop() const {
    if (session_.stop) throw Interrupted();
}

const LoadedScene& ExperimentContext::scene(const View& view) const {
    const auto found = session_.scenes.find(view.name);
    if (found != session_.scenes.end()) return found->second;
    LoadOptions load = view.load;
    load.num_threads = plan().threads, load.bvh = plan().bvh;
    const auto added = session_.scenes.emplace(view.name, LoadedScene::load(view.scene, load)).first;
    check_stop();
    return added->second;
}

std::vector<Outcome> ExperimentContext::measure(const Cell& cell) {
    check_stop();
    double share_s = seconds_left();
    if (!weights_left_.empty()) {
        share_s *= weights_left_.back() / std::accumulate(weights_left_.begin(), weights_left_.end(), 0.0);
        weights_left_.pop_back();
    }
    return Protocol(session_, *this, cell, share_s).run();
}

void ExperimentContext::record(const Json& cell, const Json& variant, const std::string& unit, const std::vector<double>& values, Json data,
                               bool more_is_better) {
    ResultRow row;
    row.key = key(cell, variant);
    row.unit = unit, row.more_is_better = more_is_better;
    for (const double value : values) row.values.push_back(to_digits(time_digits, value));
    row.data = std::move(data);
    if (const auto state = telemetry().state()) row.device_state = state->json();
    session_.rows.append(row.json());
    session_.rows.flush();
}

bool ExperimentContext::is_complete(const Json& cell, const Json& variant) const { return session_.rows.is_complete(key(cell, variant)); }

void ExperimentContext::leave_out(const Json& cell, const std::string& reason) {
    session_.rows.append({{"kind", "left_out"}, {"experiment", experiment_.name}, {"cell", cell}, {"reason", reason}});
    say(cell.dump() + " left out: " + reason);
}

void ExperimentContext::fail(const Json& cell, const Json& variant, const std::string& what) {
    ++session_.num_failures;
    session_.rows.append(
        {{"kind", "failure"}, {"experiment", experiment_.name}, {"cell", cell}, {"variant", variant}, {"what", what}});
    std::fprintf(stderr, "FAILURE: %s, %s, %s: %s\n", experiment_.name, cell.dump().c_str(), variant.dump().c_str(), what.c_str());
}

void ExperimentContext::say(const std::string& text) const { std::fprintf(stderr, "%s: %s\n", experiment_.name, text.c_str()); }

}  // namespace warpath::experiments
