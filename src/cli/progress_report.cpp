#include "cli/progress_report.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <sstream>
#include <utility>

#include "cli/log.h"

namespace warpath::cli {
namespace {

constexpr double seconds_between_lines = 5.0;

size_t terminal_columns() {
    winsize size{};
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

double fraction_done(const Progress& p) {
    return p.num_paths == 0 ? 1.0 : static_cast<double>(p.num_finished_paths) / static_cast<double>(p.num_paths);
}

}  // namespace

ProgressReport::ProgressReport(uint32_t spp, bool quiet)
    : spp_(spp), quiet_(quiet), on_terminal_(isatty(STDERR_FILENO) == 1), next_line_s_(seconds_between_lines) {}

ProgressReport::~ProgressReport() { finish(); }

void ProgressReport::plan(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) log_info(line);
}

void ProgressReport::progress(const Progress& p) {
    if (quiet_) return;
    if (on_terminal_) {
        const std::string bar = progress_bar(fraction_done(p), progress_text(p, spp_), terminal_columns() - 1);
        std::fprintf(stderr, "\r\033[K%s", bar.c_str());
        std::fflush(stderr);
        bar_shown_ = true;
    } else if (p.elapsed_s >= next_line_s_) {
        log_info(progress_text(p, spp_));
        next_line_s_ = p.elapsed_s + seconds_between_lines;
    }
}

void ProgressReport::finish() {
    if (!std::exchange(bar_shown_, false)) return;
    std::fputs("\r\033[K", stderr);
    std::fflush(stderr);
}

std::string progress_text(const Progress& p, uint32_t spp) {
    const double fraction = fraction_done(p);
    const double rate = p.elapsed_s > 0 ? static_cast<double>(p.num_rays) / p.elapsed_s * 1e-6 : 0;
    const std::string remaining = fraction > 0 ? duration_text(p.elapsed_s * (1 - fraction) / fraction) : "?";
    std::array<char, 160> text;
    std::snprintf(text.data(), text.size(), "%.0f/%u spp  %.0f %%  %.1f Mrays/s  elapsed %s  remaining %s",
                  fraction * spp, spp, fraction * 100, rate, duration_text(p.elapsed_s).c_str(), remaining.c_str());
    return text.data();
}

std::string progress_bar(double fraction, const std::string& text, size_t num_columns) {
    constexpr size_t frame = 3, min_bar = 4, max_bar = 40;  // brackets and a space
    if (num_columns < text.size() + frame + min_bar) return text.substr(0, num_columns);
    const size_t length = std::min(num_columns - text.size() - frame, max_bar);
    const size_t filled = static_cast<size_t>(std::clamp(fraction, 0.0, 1.0) * static_cast<double>(length));
    std::string bar(filled, '=');
    if (filled < length) bar += '>';
    bar.resize(length, ' ');
    return "[" + bar + "] " + text;
}

std::string duration_text(double seconds) {
    const uint64_t s = seconds >= 0 && seconds < 1e15 ? static_cast<uint64_t>(seconds + 0.5) : 0;
    std::array<char, 40> text;
    const auto hours = static_cast<unsigned long>(s / 3600), minutes = static_cast<unsigned long>(s / 60 % 60);
    const auto rest = static_cast<unsigned long>(s % 60);
    if (hours > 0)
        std::snprintf(text.data(), text.size(), "%lu:%02lu:%02lu", hours, minutes, rest);
    else
        std::snprintf(text.data(), text.size(), "%lu:%02lu", minutes, rest);
    return text.data();
}

}  // namespace warpath::cli
