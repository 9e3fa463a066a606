#pragma once

#include <filesystem>

#include "scene/load_watch.h"
#include "scene/scene.h"

namespace warpath {

/// Loads a scene file of any known format (by content and extension): .obj, .gltf, .glb, .json.
/// A relative resource path counts from the file that names it; `\` is taken as `/`.
/// Missing textures and MTL files are warnings with a visible default; everything that would make geometry wrong is an error.
/// Errors:  Error{BadInput or Io} with file and line or object; Stopped by the watch. Never crashes or hangs on hostile input.
Scene import_scene(const std::filesystem::path& path, const LoadWatch& watch = {});

/// Loads a lat-long environment map (.hdr, .exr, or an 8-bit or 16-bit image taken as sRGB).
/// Texels that are NaN, infinite or negative become 0; their number is told in `warnings` when given.
/// Errors:  Io or BadInput, naming the file.
Environment import_environment(const std::filesystem::path& path, std::vector<std::string>* warnings = nullptr);

/// Gives the scene a camera framed on its bounds if it has none, and a sky (constant, radiance 1) if it has no emitter of any
/// kind. Called for models opened directly, after the command line's own camera and environment are set.
void add_defaults(Scene& scene);

}  // namespace warpath
