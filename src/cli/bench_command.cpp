#include "cli/command.h"
#include "cli/sibling_program.h"

namespace warpath::cli {

namespace {

[[noreturn]] void start_bench(const std::vector<std::string>& arguments) { start_sibling("warpath-bench", "warpath_bench", arguments); }

}  // namespace

Command add_bench_command(CLI::App& program) {
    CLI::App* flags =
        program.add_subcommand("bench", "measurements, by the program warpath-bench; see `warpath bench --help`");
    flags->prefix_command();
    flags->set_help_flag();
    return {flags, [flags]() -> int { start_bench(flags->remaining()); }};
}

Command add_tune_command(CLI::App& program) {
    CLI::App* flags = program.add_subcommand("tune", "find the fastest batch, blocks and pool for a scene on this device, and keep them; see `warpath tune --help`");
    flags->prefix_command();
    flags->set_help_flag();
    return {flags, [flags]() -> int {
                std::vector<std::string> arguments = flags->remaining();
                arguments.insert(arguments.begin(), "tune");
                start_bench(arguments);
            }};
}

}  // namespace warpath::cli
