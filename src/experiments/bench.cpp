#include "experiments/bench.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "experiments/context.h"
#include "experiments/device_identity.h"
#include "experiments/list.h"
#include "experiments/result_table.h"
#include "experiments/run_report.h"
#include "warpath/error.h"

namespace warpath::experiments {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double least_report_s = 60;  // what was measured is worth a page, also past the budget

/// Seconds kept back from the experiments for drawing the report.
double report_share_s(const BenchRequest& request) { return request.make_report ? std::min(40.0, 0.15 * request.plan.budget_s) : 0; }

Json plot_json(const Plot& plot) {
    Json json = {{"kind", plot.kind}, {"title", plot.title}};
    const auto add = [&](const char* key, const std::string& text) {
        if (!text.empty()) json[key] = text;
    };
    add("x", plot.x), add("y", plot.y), add("value", plot.value), add("series", plot.series), add("facet", plot.facet);
    add("relative_to", plot.relative_to), add("bound", plot.bound), add("x_label", plot.x_label), add("y_label", plot.y_label);
    if (plot.log_x) json["log_x"] = true;
    if (plot.log_y) json["log_y"] = true;
    return json;
}

Json experiment_row(const Experiment& experiment) {
    Json plots = Json::array();
    for (const Plot& plot : experiment.plots) plots.push_back(plot_json(plot));
    return {{"kind", "experiment"}, {"experiment", experiment.name}, {"hypothesis", experiment.hypothesis}, {"refutation", experiment.refutation},
            {"plots", plots}};
}

/// Rows of two programs, machines or plans must not end up in one file: their times have nothing to do with each other.
void check_same_run(const RowFile& rows, const Json& environment) {
    for (const Json& row : rows.rows()) {
        if (row["kind"] != "environment") continue;
        Json then = row["plan"], now = environment["plan"];
        then.erase("budget"), now.erase("budget");
        const auto refuse = [&](const std::string& what) {
            throw Error(ErrorCode::BadOption, "--resume: " + rows.path().string() + " was measured with another " + what + "; name another folder with --out");
        };
        if (then != now) refuse("plan");
        for (const char* key : {"device", "commit", "build"})
            if (row.value(key, Json()) != environment[key]) refuse(key);
    }
}

class Bench {
  public:
    Bench(const BenchRequest& request, RowFile& rows, Telemetry telemetry, const std::atomic<bool>& stop)
        : request_(request), session_{request.plan, rows, std::move(telemetry), stop} {
        for (const Experiment* experiment : list_experiments())
            if (std::count(request.plan.experiments.begin(), request.plan.experiments.end(), experiment->name)) chosen_.push_back(experiment);
    }

    void run() {
        const double budget_s = request_.plan.budget_s - report_share_s(request_);
        for (size_t i = 0; i < chosen_.size() && !session_.stop; ++i) {
            double weights = 0;
            for (size_t j = i; j < chosen_.size(); ++j) weights += chosen_[j]->weight;
            run_one(*chosen_[i], (budget_s - seconds_since_start()) * chosen_[i]->weight / weights);
        }
    }
    uint32_t num_failures() const { return session_.num_failures; }
    double seconds_since_start() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  private:
    void run_one(const Experiment& experiment, double share_s) {
        ExperimentContext context(session_, experiment, share_s);
        session_.rows.append(experiment_row(experiment));
        const Clock::time_point start = Clock::now();
        try {
            if (share_s <= 0) throw Skipped("no time was left");
            experiment.run(context);
        } catch (const Skipped& reason) {
            context.say(std::string("skipped: ") + reason.what());
            session_.rows.append({{"kind", "skipped"}, {"experiment", experiment.name}, {"reason", reason.what()}});
            return;
        } catch (const Interrupted&) {
            context.say("stopped; the rows so far are kept, and --resume goes on from here");
            return;
        } catch (const std::bad_alloc&) {
            context.fail(nullptr, nullptr, "the host has no memory left");
        } catch (const std::exception& e) {
            context.fail(nullptr, nullptr, e.what());
        }
        session_.rows.append(
            {{"kind", "done"}, {"experiment", experiment.name}, {"seconds", std::chrono::duration<double>(Clock::now() - start).count()}});
    }

    const BenchRequest& request_;
    Session session_;
    std::vector<const Experiment*> chosen_;
    Clock::time_point start_ = Clock::now();
};

}  // namespace

bool run_bench(const BenchRequest& request, const std::atomic<bool>& stop) {
    std::error_code failure;
    std::filesystem::create_directories(request.folder, failure);
    if (failure) throw Error(ErrorCode::Io, "cannot make the folder " + request.folder.string() + ": " + failure.message());
    RowFile rows(request.folder / "rows.jsonl", request.resume);
    Telemetry telemetry = request.plan.backend == "cuda" ? Telemetry::open(pci_bus_id(request.plan.device)) : Telemetry("the run is on the CPU");
    const Json environment = environment_row(request, telemetry.description(), telemetry.why_not());
    check_same_run(rows, environment);
    rows.append(environment);
    Bench bench(request, rows, std::move(telemetry), stop);
    bench.run();
    rows.flush();
    print_results(rows.rows());
    if (request.make_report && !stop) run_report(request.folder, std::max(least_report_s, request.plan.budget_s - bench.seconds_since_start()));
    return bench.num_failures() == 0;
}

}  // namespace warpath::experiments
