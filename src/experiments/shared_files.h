#pragma once

#include <filesystem>
#include <optional>

namespace warpath::experiments {

/// A file or folder that comes with the program, such as "scenes/cornell.json" or "scripts/report": looked for in the folders above the program,
/// in share/warpath of them, and in this folder and those above.
std::optional<std::filesystem::path> find_shared(const std::filesystem::path& relative);

}  // namespace warpath::experiments
