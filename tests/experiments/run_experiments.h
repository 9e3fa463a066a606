#pragma once

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "experiments/bench.h"
#include "experiments/rows.h"
#include "support/temporary_folder.h"

namespace warpath::experiments {

/// What became of each experiment.
struct ExperimentRows {
    bool succeeded = false;
    std::map<std::string, size_t> results;
    std::map<std::string, std::string> skipped;
    std::set<std::string> done;
    std::string failures;
};

/// Runs experiments as `warpath bench` does, as few times and as briefly as makes sense.
inline ExperimentRows run_experiments(const std::string& backend, const std::vector<std::string>& names, double budget_s) {
    const test::TemporaryFolder folder;
    BenchRequest request;
    request.plan = default_plan(backend);
    request.plan.experiments = names;
    request.plan.scenes = {view_of_scene(std::string(WARPATH_SOURCE_DIR) + "/scenes/cornell.json")};
    request.plan.films = {{64, 36}};
    request.plan.depths = {4};
    request.plan.warm_up = 0, request.plan.repeats = request.plan.max_repeats = 2;
    request.plan.budget_s = budget_s;
    request.plan.options = {{"imbalance", {{"paths", 500}}}, {"contention", {{"grabs", 2000}}}, {"traversal", {{"generated", Json::array({"terrain"})}, {"scale", 0.01}}}};
    describe_plan(request.plan);
    request.folder = folder / "out";
    request.make_report = false;
    request.commit = "none";
    ExperimentRows rows;
    const std::atomic<bool> stop{false};
    rows.succeeded = run_bench(request, stop);
    const RowFile file(request.folder / "rows.jsonl", true);
    for (const Json& row : file.rows()) {
        const std::string kind = row["kind"], name = row.value("experiment", "");
        if (kind == "result") ++rows.results[name];
        if (kind == "skipped") rows.skipped[name] = row["reason"];
        if (kind == "done") rows.done.insert(name);
        if (kind == "failure") rows.failures += row.dump() + "\n";
    }
    return rows;
}

}  // namespace warpath::experiments
