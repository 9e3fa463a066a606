#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/command.h"
#include "warpath/error.h"

namespace warpath::cli {
namespace {

/// Replaces this program by warpath-bench, which lies beside it; returns only by an error.
int start_bench(const std::vector<std::string>& arguments) {
    const std::filesystem::path program =
        std::filesystem::read_symlink("/proc/self/exe").parent_path() / "warpath-bench";
    std::vector<std::string> words = {program.string()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    execv(argv.front(), argv.data());
    throw Error(ErrorCode::Unavailable,
                "cannot start " + program.string() + ": " + std::strerror(errno) + "; build the target warpath_bench");
}

}  // namespace

Command add_bench_command(CLI::App& program) {
    CLI::App* flags =
        program.add_subcommand("bench", "measurements, by the program warpath-bench; see `warpath bench --help`");
    flags->prefix_command();
    flags->set_help_flag();
    return {flags, [flags] { return start_bench(flags->remaining()); }};
}

Command add_tune_command(CLI::App& program) {
    CLI::App* flags = program.add_subcommand("tune", "find the fastest batch, blocks and pool for a scene on this device, and keep them; see `warpath tune --help`");
    flags->prefix_command();
    flags->set_help_flag();
    return {flags, [flags] {
                std::vector<std::string> arguments = flags->remaining();
                arguments.insert(arguments.begin(), "tune");
                return start_bench(arguments);
            }};
}

}  // namespace warpath::cli
