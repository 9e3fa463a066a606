#pragma once

#include <filesystem>

#include "viewer/window.h"

namespace warpath::viewer {

/// Writes what was drawn into the back buffer, before it is shown, as PNG.
/// Errors:  those of write_image.
void save_framebuffer(Size size, const std::filesystem::path& path);

}  // namespace warpath::viewer
