#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>

namespace warpath {

/// Checks the types of all properties that the importer reads, and that every index names an object that is there.
/// Numbers are brought to one form (integers where glTF wants integers, floating-point elsewhere), since tinygltf wraps
/// large integers round in extensions and ignores integers that were written as 3.0.
/// Errors:  BadInput: "node 3 names child 7, but there are only 2 nodes".
/// Source:  glTF 2.0 Specification, section 5, "Properties Reference".
void check_gltf_schema(nlohmann::json& root, const std::filesystem::path& path);

}  // namespace warpath
