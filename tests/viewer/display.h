#pragma once

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "cli/run_program.h"

namespace warpath::test {

/// Where a program of that name is on PATH; empty where it is not.
inline std::string find_program(const std::string& name) {
    std::istringstream folders(std::getenv("PATH") ? std::getenv("PATH") : "");
    for (std::string folder; std::getline(folders, folder, ':');)
        if (access((folder + "/" + name).c_str(), X_OK) == 0) return folder + "/" + name;
    return "";
}

/// A virtual display, which DISPLAY names as long as it lives. Empty name: there is no Xvfb, or it does not start.
class VirtualDisplay {
  public:
    explicit VirtualDisplay(const std::vector<std::string>& more = {}) {
        std::string program = find_program("Xvfb");
        int ends[2];
        if (program.empty() || pipe(ends) != 0) return;
        std::vector<std::string> words = {program, "-displayfd", std::to_string(ends[1]), "-screen", "0", "3840x2160x24", "-nolisten", "tcp"};
        words.insert(words.end(), more.begin(), more.end());
        std::vector<char*> argv;
        for (std::string& word : words) argv.push_back(word.data());
        argv.push_back(nullptr);
        pid_ = fork();
        if (pid_ == 0) {
            const int nowhere = open("/dev/null", O_RDWR);
            dup2(nowhere, 1), dup2(nowhere, 2);
            execv(argv[0], argv.data());
            _exit(126);
        }
        close(ends[1]);
        std::string number;  // the pipe ends where the server does
        for (char c = 0; read(ends[0], &c, 1) == 1 && c != '\n';) number += c;
        close(ends[0]);
        if (number.empty()) return;
        name_ = ":" + number;
        setenv("DISPLAY", name_.c_str(), 1);
        setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1);
    }
    ~VirtualDisplay() {
        if (pid_ <= 0) return;
        kill(pid_, SIGTERM);
        waitpid(pid_, nullptr, 0);
    }
    VirtualDisplay(const VirtualDisplay&) = delete;
    VirtualDisplay& operator=(const VirtualDisplay&) = delete;
    const std::string& name() const { return name_; }

  private:
    pid_t pid_ = -1;
    std::string name_;
};

}  // namespace warpath::test
