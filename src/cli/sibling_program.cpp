#include "cli/sibling_program.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "warpath/error.h"

namespace warpath::cli {

void start_sibling(const std::string& name, const std::string& target, const std::vector<std::string>& arguments, const std::string& advice) {
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe").parent_path() / name;
    std::vector<std::string> words = {program.string()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    execv(argv.front(), argv.data());
    throw Error(ErrorCode::Unavailable, "cannot start " + program.string() + ": " + std::strerror(errno) + "; " + advice +
                                            "cmake --build " + program.parent_path().parent_path().string() + " --target " + target + " builds it");
}

}  // namespace warpath::cli
