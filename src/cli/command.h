#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "cli/report_errors.h"

namespace warpath::cli {

/// A subcommand: where its flags are declared, and what it does once they are parsed.
struct Command {
    CLI::App* flags = nullptr;
    std::function<int()> run;           ///< returns the exit status; failures are thrown
    int failure_status = exit_failure;  ///< for errors other than a wrong option
};

/// Each adds its subcommand to the program.
Command add_render_command(CLI::App& program);
Command add_info_command(CLI::App& program);
Command add_compare_command(CLI::App& program);
Command add_convert_command(CLI::App& program);
Command add_bench_command(CLI::App& program);
Command add_tune_command(CLI::App& program);
Command add_view_command(CLI::App& program);

}  // namespace warpath::cli
