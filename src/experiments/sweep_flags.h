#pragma once

#include <CLI/CLI.hpp>

#include "experiments/scheduler_sweep.h"

namespace warpath::experiments {

/// The flags of `warpath bench schedulers`.
struct SweepFlags {
    std::vector<std::string> scenes, only, sizes{"1920x1080"}, more_cells, schedulers;
    std::vector<uint32_t> depths{16}, spps{1};
    std::string views, folder = ".", bvh = "fast";
    SweepRequest request;

    void add_to(CLI::App& flags);
    /// Errors:  BadOption, BadInput, Io, Unavailable.
    void complete();

  private:
    void read_cells();
    void choose_schedulers();
};

}  // namespace warpath::experiments
