#include "experiments/environment.h"

#include <array>
#include <cstdio>
#include <ctime>
#include <sstream>

namespace warpath::experiments {

std::string date_text() {
    const std::time_t now = std::time(nullptr);
    std::tm utc{};
    gmtime_r(&now, &utc);
    std::array<char, 32> text;
    return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S UTC", &utc)};
}

nlohmann::ordered_json nvidia_smi() {
    static constexpr std::array fields = {"index",      "name",          "driver_version", "clocks.sm",
                                          "clocks.mem", "clocks.max.sm", "power.draw",     "temperature.gpu"};
    std::string command = "nvidia-smi --format=csv,noheader,nounits --query-gpu=";
    for (const char* field : fields) command += std::string(field == fields.front() ? "" : ",") + field;
    FILE* pipe = popen((command + " 2>/dev/null").c_str(), "r");
    if (!pipe) return nullptr;
    std::string text;
    std::array<char, 256> part;
    while (std::fgets(part.data(), part.size(), pipe)) text += part.data();
    if (pclose(pipe) != 0) return nullptr;

    nlohmann::ordered_json devices = nlohmann::ordered_json::array();
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        nlohmann::ordered_json& device = devices.emplace_back();
        std::istringstream values(line);
        for (const char* field : fields) {
            std::string value;
            std::getline(values >> std::ws, value, ',');
            device[field] = value;
        }
    }
    return devices;
}

}  // namespace warpath::experiments
