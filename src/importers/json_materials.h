#pragma once

#include "importers/json_values.h"

namespace warpath {

/// Sets those parameters of `material` that `value` names, and loads the textures.
void read_material(JsonScene& json_scene, const nlohmann::json& value, Material& material);

/// Adds the list of named materials to the scene.
/// Errors:  BadInput when a name is given twice.
void read_materials(JsonScene& json_scene, const nlohmann::json& list, const std::string& pointer);

/// The scene's material of that name.
/// Errors:  BadInput, with the nearest name, when there is none.
uint32_t find_material(const JsonScene& json_scene, const std::string& name, const std::string& pointer);

/// The grey material of shapes that name none; added to the scene on first use.
uint32_t default_material(JsonScene& json_scene);

}  // namespace warpath
