#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <vector>

#include "cli/command.h"
#include "warpath/error.h"
#include "warpath/renderer.h"

namespace warpath::cli {
namespace {

int run_command(const Command& command) {
    const auto run = [&] {
        const int status = command.run();
        if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
            throw Error(ErrorCode::Io, std::string("cannot write to standard output: ") + std::strerror(errno));
        return status;
    };
    return report_errors(run, command.failure_status);
}

int run(int argc, char** argv) {
    CLI::App program("warpath: a wavefront path tracer whose warps stay resident");
    program.set_version_flag("--version", "warpath " + version() + " (" + build_description() + ")");
    program.require_subcommand(1);
    const std::vector<Command> commands = {add_render_command(program), add_info_command(program),
                                           add_compare_command(program), add_convert_command(program),
                                           add_bench_command(program), add_tune_command(program), add_view_command(program)};
    const auto is_meant = [&](const Command& command) { return command.flags->get_name() == argv[1]; };
    if (argc > 1 && argv[1][0] != '-' && std::none_of(commands.begin(), commands.end(), is_meant)) {
        std::fprintf(stderr, "error: there is no command '%s'; `warpath --help` lists them\n", argv[1]);
        return exit_usage;
    }
    try {
        program.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        return program.exit(e) == 0 ? 0 : exit_usage;
    }
    for (const Command& command : commands)
        if (program.got_subcommand(command.flags)) return run_command(command);
    return exit_usage;
}

}  // namespace
}  // namespace warpath::cli

int main(int argc, char** argv) { return warpath::cli::run(argc, argv); }
