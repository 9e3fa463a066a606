#pragma once

#include <atomic>
#include <filesystem>
#include <string>

#include "experiments/plan.h"

namespace warpath::experiments {

/// What `warpath bench` is asked to do.
struct BenchRequest {
    Plan plan;
    std::filesystem::path folder;  ///< rows.jsonl and report.html go there; made if it is missing
    bool resume = false;
    bool make_report = true;
    std::string commit;            ///< for the record; empty: asked from git
    std::string command;           ///< for the record
};

/// Runs the plan's experiments, prints a table of their results, and makes the report. Progress goes to stderr.
/// Stop:    set *stop (a signal handler may): the run under way ends, and what is there is kept.
/// False:   an image differed, a run failed, or an experiment broke off.
/// Errors:  BadOption where rows of another plan, program or machine are to be gone on with; Io.
bool run_bench(const BenchRequest& request, const std::atomic<bool>& stop);

/// The environment of a session, as its first row holds it.
Json environment_row(const BenchRequest& request, const Json& device_description, const std::string& why_no_telemetry);

}  // namespace warpath::experiments
