#include "cli/log.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

namespace warpath::cli {
namespace {

spdlog::logger& logger() {
    static const std::shared_ptr<spdlog::logger> log = [] {
        auto made = std::make_shared<spdlog::logger>("warpath", std::make_shared<spdlog::sinks::stderr_sink_mt>());
        made->set_pattern("%v");
        made->flush_on(spdlog::level::info);
        return made;
    }();
    return *log;
}

}  // namespace

std::string printable(std::string text) {
    for (char& c : text)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
    return text;
}

void log_info(const std::string& line) { logger().info("{}", printable(line)); }
void log_warning(const std::string& line) { logger().warn("warning: {}", printable(line)); }
void log_error(const std::string& line) { logger().error("error: {}", printable(line)); }

void set_quiet(bool quiet) { logger().set_level(quiet ? spdlog::level::warn : spdlog::level::info); }

}  // namespace warpath::cli
