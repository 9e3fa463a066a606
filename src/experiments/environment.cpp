#include "experiments/environment.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <optional>
#include <sstream>
#include <thread>

#include "experiments/shared_files.h"

namespace warpath::experiments {
namespace {

/// What a command prints; nothing if it fails.
std::optional<std::string> output_of(const std::string& command) {
    FILE* pipe = popen((command + " 2>/dev/null").c_str(), "r");
    if (!pipe) return std::nullopt;
    std::string text;
    std::array<char, 256> part;
    while (std::fgets(part.data(), part.size(), pipe)) text += part.data();
    if (pclose(pipe) != 0) return std::nullopt;
    return text;
}

std::string processor_name() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.rfind("model name", 0) == 0 && line.find(": ") != std::string::npos) return line.substr(line.find(": ") + 2);
    return "unknown";
}

}  // namespace

std::string date_text() {
    const std::time_t now = std::time(nullptr);
    std::tm utc{};
    gmtime_r(&now, &utc);
    std::array<char, 32> text;
    return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S UTC", &utc)};
}

Json nvidia_smi() {
    static constexpr std::array fields = {"index",      "name",          "driver_version", "clocks.sm",
                                          "clocks.mem", "clocks.max.sm", "power.draw",     "temperature.gpu"};
    std::string command = "nvidia-smi --format=csv,noheader,nounits --query-gpu=";
    for (const char* field : fields) command += std::string(field == fields.front() ? "" : ",") + field;
    const auto text = output_of(command);
    if (!text) return nullptr;

    Json devices = Json::array();
    std::istringstream lines(*text);
    for (std::string line; std::getline(lines, line);) {
        Json& device = devices.emplace_back();
        std::istringstream values(line);
        for (const char* field : fields) {
            std::string value;
            std::getline(values >> std::ws, value, ',');
            device[field] = value;
        }
    }
    return devices;
}

Json machine() {
    utsname system{};
    uname(&system);
    const double memory = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
    return {{"processor", processor_name()},
            {"cores", std::thread::hardware_concurrency()},
            {"memory_gb", static_cast<int>(memory / 1e9)},
            {"kernel", std::string(system.sysname) + " " + system.release}};
}

std::string git_commit() {
    const auto readme = find_shared("scripts/report");
    if (!readme) return "unknown";
    const std::string git = "git -C '" + readme->parent_path().string() + "' ";
    const auto commit = output_of(git + "rev-parse --short HEAD");
    if (!commit || commit->empty()) return "unknown";
    const auto changes = output_of(git + "status --porcelain --untracked-files=no");
    return commit->substr(0, commit->find('\n')) + (changes && !changes->empty() ? "-dirty" : "");
}

}  // namespace warpath::experiments
