#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "support/temporary_folder.h"

namespace warpath::test {

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// What a finished run left: its exit status (128 + signal if a signal ended it) and what it printed.
struct RunResult {
    int status = -1;
    std::string out, err;
    double elapsed_s = 0;
};

/// `warpath` with some arguments, running in `folder`.
class Program {
  public:
    Program(const std::filesystem::path& folder, std::vector<std::string> arguments)
        : out_(log_ / "out"), err_(log_ / "err"), start_(std::chrono::steady_clock::now()) {
        std::string program = WARPATH_BINARY_DIR "/bin/warpath";
        std::vector<char*> argv = {program.data()};
        for (std::string& argument : arguments) argv.push_back(argument.data());
        argv.push_back(nullptr);
        const int out = open(out_.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
        const int err = open(err_.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
        pid_ = fork();
        if (pid_ == 0) {
            // The user's own profiles must not decide what a test sees.
            if (setenv("XDG_DATA_HOME", (folder / "data").c_str(), 1) != 0) _exit(125);
            if (chdir(folder.c_str()) != 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0) _exit(125);
            execv(argv[0], argv.data());
            _exit(126);
        }
        close(out), close(err);
    }
    ~Program() {
        if (pid_ > 0) send(SIGKILL), wait();
    }
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    void send(int signal) const { kill(pid_, signal); }
    pid_t pid() const { return pid_; }

    /// True as soon as the program handles SIGINT itself, which it does while it renders; false if it ended before.
    bool wait_until_rendering() const {
        for (int i = 0; i < 6000; ++i) {
            std::istringstream status(file_bytes("/proc/" + std::to_string(pid_) + "/status"));
            for (std::string line; std::getline(status, line);) {
                if (line.starts_with("State:") && line.find('Z') != std::string::npos) return false;
                if (line.starts_with("SigCgt:") && (std::stoull(line.substr(7), nullptr, 16) >> (SIGINT - 1) & 1))
                    return true;
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        return false;
    }

    RunResult wait() {
        int status = 0;
        waitpid(std::exchange(pid_, -1), &status, 0);
        const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
        return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), file_bytes(out_), file_bytes(err_),
                elapsed.count()};
    }

  private:
    TemporaryFolder log_;
    std::filesystem::path out_, err_;
    std::chrono::steady_clock::time_point start_;
    pid_t pid_ = -1;
};

inline RunResult run_program(const std::filesystem::path& folder, const std::vector<std::string>& arguments) {
    return Program(folder, arguments).wait();
}

/// "a b c" as arguments.
inline std::vector<std::string> words(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> result;
    for (std::string word; stream >> word;) result.push_back(word);
    return result;
}

/// A folder with a scene: a square lamp of radiance 1 that fills the view of `lamp_camera`.
class LampFolder : public TemporaryFolder {
  public:
    LampFolder() {
        write("lamp.mtl", "newmtl lamp\nKd 0 0 0\nKe 1 1 1\n");
        write("lamp.obj", "mtllib lamp.mtl\nv -9 -9 0\nv 9 -9 0\nv 9 9 0\nv -9 9 0\nusemtl lamp\nf 1 2 3 4\n");
    }
    RunResult render(const std::string& flags) const {
        return run_program(path(), words("render lamp.obj --backend cpu --camera 0,0,4/0,0,0/0,1,0/40 " + flags));
    }
};

}  // namespace warpath::test
