#pragma once

#include <filesystem>
#include <span>
#include <string_view>

namespace warpath {

/// Writes a file whole or not at all: a temporary name in the same folder, flush to disk, rename. On failure the old file, if
/// there was one, is left as it was and no temporary file stays behind. A link is followed; a device or pipe (/dev/stdout) is
/// written directly.
/// Errors:  Io with the path and the system's reason.
void write_file(const std::filesystem::path& path, std::string_view bytes);
/// The same of several parts one after another.
void write_file(const std::filesystem::path& path, std::span<const std::string_view> parts);

/// Finds out whether `write_file` could make this file, by making and removing an empty one beside it.
/// Errors:  Io: the folder is missing, is no folder or cannot be written, `path` is a folder, or the file is read-only.
void check_file_writable(const std::filesystem::path& path);

}  // namespace warpath
