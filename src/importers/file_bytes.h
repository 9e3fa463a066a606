#pragma once

#include <filesystem>
#include <string>

namespace warpath {

/// The whole file as bytes.
/// Errors:  Io, naming the path and why: missing, a directory, not a regular file, not readable. An empty file gives
/// "".
std::string read_file_bytes(const std::filesystem::path& path);

}  // namespace warpath
