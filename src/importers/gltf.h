#pragma once

#include <filesystem>

#include "scene/scene.h"

namespace warpath {

/// Loads a glTF 2.0 file: .gltf with external or embedded buffers, or binary .glb.
/// Shapes:  one Mesh per glTF mesh, shared by one Instance per node that names it; the default scene's nodes, or all
/// root
///          nodes of a file without scenes; cameras in the order of their nodes. Material 0 and up are the file's own,
///          the default material follows where a primitive names none.
/// Units:   lengths as in the file (metres); Y up, as here. Light intensities are taken as radiometric values.
/// Errors:  Io for a file or buffer that cannot be read; BadInput for everything that is broken, naming kind and index
/// of the
///          object ("node 3 names child 7, but there are only 2 nodes"), and for a required extension that is not
///          known. A missing texture is a warning with a visible default, an extension that is not known is a warning.
/// Source:  Khronos Group, "glTF 2.0 Specification", 2.0.1, 2021, and the KHR extensions named in gltf_extensions.h.
Scene import_gltf(const std::filesystem::path& path);

}  // namespace warpath
