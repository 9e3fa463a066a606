#pragma once

#include <filesystem>

#include "scene/load_watch.h"
#include "scene/scene.h"

namespace warpath {

/// Loads a glTF 2.0 file: .gltf with external or embedded buffers, or binary .glb.
/// Shapes:  one Mesh per glTF mesh, shared by one Instance per node that names it; the nodes of the default scene, or
///          all roots of a file without scenes; cameras in the order of their nodes. Materials are the file's own,
///          in its order, then the default material if some primitive names none.
/// Units:   lengths as in the file (metres); Y up, as here. Candela and lux count as radiometric values per channel.
/// Errors:  Io for a file or buffer that cannot be read; BadInput for everything that is broken, naming kind and index
///          of the object ("node 3 names child 7, but there are only 2 nodes"), and for a required extension that is
///          not supported. A missing texture is a warning with a visible default; an extension that is used but not
///          supported is a warning. FormatNotSupported for other formats.
/// Source:  Khronos Group, "glTF 2.0 Specification", 2.0.1, 2021, and the KHR extensions named in gltf_extensions.h.
Scene import_gltf(const std::filesystem::path& path, const LoadWatch& watch = {});

}  // namespace warpath
