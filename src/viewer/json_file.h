#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

namespace warpath::viewer {

/// Errors:  Io if the file cannot be read; BadInput with line and column if it is no JSON.
nlohmann::json read_json(const std::filesystem::path& path);

}  // namespace warpath::viewer
