#pragma once

#include <vector>

#include "experiments/json.h"

namespace warpath::experiments {

/// Prints the last result of every measurement to stdout, cell by cell, best first, with the interval of its median; then what was skipped,
/// left out and wrong.
void print_results(const std::vector<Json>& rows);

/// "scheduler=launch batch=32".
std::string key_text(const Json& key);

}  // namespace warpath::experiments
