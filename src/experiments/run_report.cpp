#include "experiments/run_report.h"

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "experiments/shared_files.h"

namespace warpath::experiments {
namespace {

/// Exit status of a program, -1 if it did not start, did not end in time, or was ended by a signal.
int run_program(std::vector<std::string> words, double limit_s) {
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    pid_t child = 0;
    if (posix_spawnp(&child, argv.front(), nullptr, nullptr, argv.data(), environ) != 0) return -1;
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(limit_s);
    int status = 0;
    pid_t ended = 0;
    while ((ended = waitpid(child, &status, WNOHANG)) == 0 && std::chrono::steady_clock::now() < end)
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    if (ended == 0) {
        kill(child, SIGKILL);
        waitpid(child, &status, 0);
    }
    return ended == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

void run_report(const std::filesystem::path& folder, double limit_s) {
    const auto script = find_shared("scripts/report");
    const std::string page = (folder / "report.html").string();
    if (script && run_program({"python3", script->string(), folder.string(), "-o", page, "--no-install"}, limit_s) == 0) {
        std::fprintf(stderr, "the report is %s\n", page.c_str());
        return;
    }
    std::fprintf(stderr, "no report was made; `scripts/report %s -o %s` makes it where Python has matplotlib (and takes as long as it needs)\n", folder.string().c_str(), page.c_str());
}

}  // namespace warpath::experiments
