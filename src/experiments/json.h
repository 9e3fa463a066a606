#pragma once

#include <nlohmann/json.hpp>

namespace warpath::experiments {

/// Keeps the order of members, so that rows and messages show them as they were written.
using Json = nlohmann::ordered_json;

}  // namespace warpath::experiments
