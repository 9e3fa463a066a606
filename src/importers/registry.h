#pragma once

#include <filesystem>
#include <span>
#include <string_view>

#include "importers/gltf.h"
#include "importers/json_scene.h"

/// The table of importers: one line in registry.cpp for each format. Each function throws FormatNotSupported when the
/// file is of another format, so that the next one can try, and Error when it is its own format but wrong.
namespace warpath {

Scene import_obj(const std::filesystem::path& path, const LoadWatch& watch = {});

/// How much the first bytes of a file say for a format.
enum class ContentMatch { No, Possible, Certain };

struct Importer {
    std::string_view name;                           ///< for messages
    std::string_view extensions;                     ///< lower case with dots, separated by spaces
    ContentMatch (*matches)(std::string_view head);  ///< looks at the first bytes (up to 4096)
    Scene (*load)(const std::filesystem::path& path, const LoadWatch& watch);
};

std::span<const Importer> importers();

}  // namespace warpath
