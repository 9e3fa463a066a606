#pragma once

#include <filesystem>

#include "scene/load_watch.h"
#include "scene/scene.h"

namespace warpath {

/// Loads a scene in warpath's own JSON format (docs/scene-format.md), with the models it names.
/// The text is checked against docs/scene.schema.json, which is embedded at build time.
/// Errors:  BadInput with "FILE: /json/pointer what is wrong", or "FILE:LINE:COLUMN: ..." for a syntax error; Io when
///          the file cannot be read; whatever the importer of a named model throws.
Scene import_json(const std::filesystem::path& path, const LoadWatch& watch = {});

}  // namespace warpath
