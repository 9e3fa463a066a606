#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

namespace warpath {

/// The two parts of a glTF file; both point into its bytes.
struct GltfChunks {
    std::string_view json;
    std::optional<std::string_view> binary;  ///< the BIN chunk of a .glb
};

/// Whether the bytes begin like a binary glTF file.
bool is_glb(std::string_view file);

/// Splits a .glb into its chunks; anything else is taken as JSON text.
/// Errors:  BadInput for a container that is cut short, has another version, or has no JSON chunk.
/// Source:  glTF 2.0 Specification, section 4, "GLB File Format Specification".
GltfChunks split_gltf(std::string_view file, const std::filesystem::path& path);

}  // namespace warpath
