#pragma once

#include <functional>

namespace warpath::cli {

inline constexpr int exit_failure = 1, exit_usage = 2, exit_stopped = 130;

/// Runs a program, or a command of it: what it throws becomes a line on stderr.
/// Returns:  what `run` returns; exit_usage after Error with BadOption; `failure_status` after any other exception.
int report_errors(const std::function<int()>& run, int failure_status = exit_failure);

}  // namespace warpath::cli
