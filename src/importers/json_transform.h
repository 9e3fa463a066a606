#pragma once

#include "importers/json_values.h"

namespace warpath {

/// Where the copies of a shape or model go, from its members "transform" and "repeat": one matrix for each copy.
/// Errors:  BadInput for a zero axis, or more than a million copies.
std::vector<glm::dmat4> read_placements(const JsonScene& json_scene, const nlohmann::json& object,
                                        const std::string& pointer);

}  // namespace warpath
