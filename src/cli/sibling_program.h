#pragma once

#include <string>
#include <vector>

namespace warpath::cli {

/// Replaces this program by one that lies beside it; returns only by an error.
/// Errors:  Unavailable, with the command that builds `target` after `advice`.
[[noreturn]] void start_sibling(const std::string& name, const std::string& target, const std::vector<std::string>& arguments, const std::string& advice = "");

}  // namespace warpath::cli
