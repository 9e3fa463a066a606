#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "warpath/scene.h"

namespace warpath::viewer {

/// A camera as scene files write it: what is copied to the clipboard can be pasted there.
nlohmann::ordered_json camera_json(const CameraOption& camera);
/// The inverse. `place` begins the messages.
/// Errors:  BadInput: not an object, an unknown key, a missing or wrong value, or a camera that sees nothing.
CameraOption camera_from_json(const nlohmann::json& json, const std::string& place);

/// A camera with a name, to come back to.
struct Bookmark {
    std::string name;
    CameraOption camera;
};
/// Reads a list of cameras; a file that does not exist holds none.
/// Errors:  BadInput, Io.
std::vector<Bookmark> read_bookmarks(const std::filesystem::path& path);
/// Errors:  Io.
void write_bookmarks(const std::filesystem::path& path, const std::vector<Bookmark>& bookmarks);

}  // namespace warpath::viewer
