#include "cli/command.h"
#include "cli/sibling_program.h"

namespace warpath::cli {

Command add_bench_command(CLI::App& program) {
    CLI::App* flags =
        program.add_subcommand("bench", "measurements, by the program warpath-bench; see `warpath bench --help`");
    flags->prefix_command();
    flags->set_help_flag();
    return {flags, [flags]() -> int { start_sibling("warpath-bench", flags->remaining(), "build the target warpath_bench"); }};
}

}  // namespace warpath::cli
