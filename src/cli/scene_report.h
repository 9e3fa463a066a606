#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "warpath/renderer.h"
#include "warpath/scene.h"

namespace warpath::cli {

/// A scene's figures as `key: value` lines that a script can read; floats have nine digits, which is exact.
std::vector<std::string> scene_lines(const SceneInfo& info);
nlohmann::ordered_json scene_json(const SceneInfo& info);

/// The memory plan as `memory NAME: BYTES` lines and their total.
std::vector<std::string> memory_lines(const std::vector<MemoryItem>& plan);
nlohmann::ordered_json memory_json(const std::vector<MemoryItem>& plan);
uint64_t total_bytes(const std::vector<MemoryItem>& plan);

/// Text of a document, indented. Names that are not UTF-8 are repaired.
std::string json_text(const nlohmann::ordered_json& document);

}  // namespace warpath::cli
