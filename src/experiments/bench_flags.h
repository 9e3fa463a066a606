#pragma once

#include <CLI/CLI.hpp>

#include "experiments/bench.h"

namespace warpath::experiments {

/// The flags of `warpath bench` without a subcommand.
class BenchFlags {
  public:
    void add_to(CLI::App& program);
    /// Runs what the flags ask for; `command` is for the record. Returns the exit status.
    /// Errors:  BadOption, BadInput, Io, Unavailable.
    int run(const std::string& command);

  private:
    Plan plan() const;

    std::vector<std::string> scenes_, experiments_, only_;
    std::string plan_file_, folder_, commit_, views_, views_folder_ = ".", backend_;
    double budget_s_ = 0;
    bool resume_ = false, list_ = false, no_report_ = false;
};

}  // namespace warpath::experiments
