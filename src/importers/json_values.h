#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "importers/json_messages.h"
#include "importers/texture_loader.h"
#include "scene/scene.h"

/// What the readers of the parts of a JSON scene share. They run after the schema has been checked, so types and ranges
/// hold; what a schema cannot say (names that must exist, vectors that must not be zero) they check themselves.
namespace warpath {

/// The scene being read.
struct JsonScene {
    std::filesystem::path path;  ///< of the JSON file; other files count from its folder
    Scene scene;
    const LoadWatch& watch;
    TextureCache textures{scene, &watch};
    std::map<std::string, uint32_t> material_ids;  ///< of the scene's own materials, by name

    JsonScene(std::filesystem::path file, const LoadWatch& who) : path(std::move(file)), watch(who) {}
    JsonScene(const JsonScene&) = delete;
    JsonScene& operator=(const JsonScene&) = delete;

    [[noreturn]] void fail(const std::string& pointer, const std::string& message) const {
        fail_at(path.string(), pointer, message);
    }
};

Vec2 vec2_from(const nlohmann::json& value);
Vec3 vec3_from(const nlohmann::json& value);
/// A number is grey.
Vec3 color_from(const nlohmann::json& value);

/// The member, or `fallback` when it is absent.
float float_or(const nlohmann::json& object, const char* key, float fallback);
Vec3 vec3_or(const nlohmann::json& object, const char* key, Vec3 fallback);
std::string string_or(const nlohmann::json& object, const char* key, const std::string& fallback);

/// Unit vector along the member `key`, which must be there.
/// Errors:  BadInput when it is zero.
Vec3 direction_from(const JsonScene& json_scene, const nlohmann::json& object, const char* key,
                    const std::string& pointer);

}  // namespace warpath
