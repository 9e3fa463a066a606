#pragma once

#include <string>

namespace warpath::cli {

/// Lines on stderr. Control characters in what a file names are shown as `?`, so that one message stays one line.
void log_info(const std::string& line);     ///< not with --quiet
void log_warning(const std::string& line);  ///< "warning: ..."
void log_error(const std::string& line);    ///< "error: ..."

/// Leaves only warnings and errors.
void set_quiet(bool quiet);

/// One line for the terminal: control characters replaced.
std::string printable(std::string text);

}  // namespace warpath::cli
