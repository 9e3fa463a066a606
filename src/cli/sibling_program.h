#pragma once

#include <string>
#include <vector>

namespace warpath::cli {

/// Replaces this program by one that lies beside it; returns only by an error.
/// Errors:  Unavailable; `advice` says what to do where the program is missing.
[[noreturn]] void start_sibling(const std::string& name, const std::vector<std::string>& arguments, const std::string& advice);

}  // namespace warpath::cli
